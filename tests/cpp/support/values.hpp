// Kinds of numbers that a conformance test feeds in.
#pragma once

#include "support/random.hpp"

#include <cstdint>
#include <vector>

namespace samebits::test {

enum class Values {
  uniform,      // [-1, 1)
  small_ints,   // -2 .. 2, many ties, both zeros
  huge_range,   // 2^-126 .. 2^127 (f32) or 2^-1000 .. 2^1000 (f64), both signs
  subnormal,    // subnormals of both signs and zeros
  constant,     //
  all_nan,      // NaN with payloads and both signs
  some_nan,     // a third NaN
  signed_zero,  // +0 and -0
  adjacent,     // neighbouring floats around 1
  infinite,     // a tenth +-infinity
};
constexpr Values kFiniteOrNan[] = {Values::uniform,   Values::small_ints,  Values::huge_range,
                                   Values::subnormal, Values::constant,    Values::all_nan,
                                   Values::some_nan,  Values::signed_zero, Values::adjacent};

float draw_f32(Random& random, Values kind);
double draw_f64(Random& random, Values kind);
inline void draw(Random& random, Values kind, float* out) { *out = draw_f32(random, kind); }
inline void draw(Random& random, Values kind, double* out) { *out = draw_f64(random, kind); }

template <class T>
std::vector<T> draw_array(std::uint64_t seed, Values kind, std::uint64_t n) {
  Random random(seed);
  std::vector<T> x(n);
  for (T& value : x) draw(random, kind, &value);
  return x;
}

}  // namespace samebits::test
