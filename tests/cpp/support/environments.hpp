// Floating-point environments in which a caller may arrive (C1): other packages of a process flush subnormals to zero,
// round otherwise, unmask exceptions. The library's bits must not change, and the caller must find its own environment
// again, exactly.
#pragma once

#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <string>

namespace samebits::test {

// The control words of this thread, for comparison; what a processor does not have is 0.
struct ControlWords {
  std::uint64_t main = 0;  // x86: MXCSR, aarch64: FPCR, others: the rounding mode
  std::uint64_t x87 = 0;   // x86: the control word of the x87 unit
  bool operator==(const ControlWords&) const = default;
};
ControlWords control_words();

enum class Environment {
  flush,          // flush-to-zero and denormals-are-zero; where a processor has no such mode: upward
  upward,         //
  downward,       //
  toward_zero,    //
  flush_upward,   // both at once, and x87 sums to 24 bits
  unmasked,       // an invalid operation, division by zero or overflow would raise SIGFPE; x86 only, elsewhere plain
};
// Without the last, which would end the program where the others give a wrong bit.
constexpr Environment kEnvironments[] = {Environment::flush, Environment::upward, Environment::downward,
                                         Environment::toward_zero, Environment::flush_upward};
const char* name_of(Environment environment);

// Enters an environment; restores what was there before when it goes out of scope. check() fails the test when the
// environment is no longer the one that was entered.
class Within {
 public:
  explicit Within(Environment environment);
  ~Within();
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

  bool unchanged() const { return control_words() == entered_; }

 private:
  std::fenv_t saved_;
  ControlWords entered_;
};

}  // namespace samebits::test
