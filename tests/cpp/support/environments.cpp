#include "support/environments.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace samebits::test {
namespace {

#if defined(__x86_64__)

constexpr unsigned kFlush = 0x8040;      // FTZ and DAZ
constexpr unsigned kTraps = 0x0680;      // masks of invalid operation, division by zero, overflow
constexpr std::uint16_t kX87Short = 0x0300;  // precision control: 0 is 24 bits

std::uint16_t x87_control() {
  std::uint16_t word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}
void set_x87_control(std::uint16_t word) { __asm__ volatile("fldcw %0" : : "m"(word)); }

void flush() { _mm_setcsr(_mm_getcsr() | kFlush); }
void shorten_x87() { set_x87_control(static_cast<std::uint16_t>(x87_control() & ~kX87Short)); }
void unmask() { _mm_setcsr(_mm_getcsr() & ~kTraps & ~0x3fu); }  // without flags that would trap at once

#elif defined(__aarch64__)

constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;  // FZ

std::uint64_t fpcr() {
  std::uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void flush() { __asm__ volatile("msr fpcr, %0" : : "r"(fpcr() | kFlush)); }
void shorten_x87() {}
void unmask() {}

#else

void flush() { std::fesetround(FE_UPWARD); }
void shorten_x87() {}
void unmask() {}

#endif

}  // namespace

ControlWords control_words() {
#if defined(__x86_64__)
  return {_mm_getcsr(), x87_control()};
#elif defined(__aarch64__)
  return {fpcr(), 0};
#else
  return {static_cast<std::uint64_t>(std::fegetround()), 0};
#endif
}

const char* name_of(Environment environment) {
  constexpr const char* kNames[] = {"flush", "upward", "downward", "toward_zero", "flush_upward", "unmasked"};
  return kNames[static_cast<int>(environment)];
}

Within::Within(Environment environment) {
  std::fegetenv(&saved_);
  switch (environment) {
    case Environment::flush: flush(); break;
    case Environment::upward: std::fesetround(FE_UPWARD); break;
    case Environment::downward: std::fesetround(FE_DOWNWARD); break;
    case Environment::toward_zero: std::fesetround(FE_TOWARDZERO); break;
    case Environment::flush_upward:
      std::fesetround(FE_UPWARD);
      flush();
      shorten_x87();
      break;
    case Environment::unmasked: unmask(); break;
  }
  entered_ = control_words();
}

Within::~Within() { std::fesetenv(&saved_); }

}  // namespace samebits::test
