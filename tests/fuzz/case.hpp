// What the fuzzer draws: a target (a primitive, or a whole fit), a seed for its values, and named integers.
#pragma once

#include "support/same_bits.hpp"
#include "support/values.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace samebits::fuzz {

using Parameters = std::map<std::string, std::int64_t>;

// A parameter that a target reads. A smaller distance to `simplest` is simpler; that is where shrinking goes.
struct Spec {
  enum Kind {
    size,    // between simplest and most: mostly small, often near powers of two
    choice,  // any of simplest .. most alike
  };
  std::string name;
  Kind kind;
  std::int64_t simplest, most;
};

struct Target {
  std::string name;
  std::vector<Spec> specs;
  // Runs the case on one device; inputs depend on seed and parameters alone. May throw samebits::Error.
  test::Outputs (*run)(const Device& device, std::uint64_t seed, const Parameters& p);
};

// All targets, in a fixed order.
const std::vector<Target>& targets();
const Target& target_named(const std::string& name);  // throws std::invalid_argument

struct Case {
  const Target* target = nullptr;
  std::uint64_t seed = 0;
  Parameters parameters;
};

// Case number `index` of a run; sizes are at most `most` (0: the target's own limits).
Case draw_case(const std::vector<const Target*>& from, std::uint64_t run_seed, std::uint64_t index, std::int64_t most);

std::string text_of(const Case& c);

// ------------------------------------------------------------------------- values that can be made simpler

// Kinds of test::Values in the order in which the shrinker prefers them.
constexpr test::Values kSimplestFirst[] = {test::Values::constant, test::Values::small_ints,  test::Values::uniform,
                                           test::Values::adjacent, test::Values::subnormal,   test::Values::huge_range,
                                           test::Values::infinite, test::Values::signed_zero, test::Values::some_nan,
                                           test::Values::all_nan};
constexpr std::int64_t kAllKinds = 9;
constexpr std::int64_t kFullPrecision = 53;

// x with `bits` bits of significand (rounded towards zero); not finite: as it is.
float with_precision(float x, std::int64_t bits);
double with_precision(double x, std::int64_t bits);

// Elements skip .. skip + n of a stream of values.
template <class T>
std::vector<T> draw_values(std::uint64_t seed, std::int64_t kind, std::int64_t precision, std::int64_t skip,
                           std::int64_t n) {
  std::vector<T> x =
      test::draw_array<T>(seed, kSimplestFirst[kind], static_cast<std::uint64_t>(skip) + static_cast<std::uint64_t>(n));
  x.erase(x.begin(), x.begin() + skip);
  for (T& v : x) v = with_precision(v, precision);
  return x;
}

}  // namespace samebits::fuzz
