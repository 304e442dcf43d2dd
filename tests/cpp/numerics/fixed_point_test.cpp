// Fixed-point images: the scale fits, rounding is to nearest-even for every scale, sums are exact.
#include "numerics/arith/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

TEST(FixedPoint, ScaleIsTheLargestFromTheExponent) {
  for (int e = -149; e <= 127; ++e) {
    const float low = std::ldexp(1.0f, e), high = e == -149 ? low : std::nextafter(std::ldexp(1.0f, e + 1), 0.0f);
    const int s = sb_fixed_exponent(low);
    EXPECT_EQ(sb_fixed_exponent(high), e == -149 ? s : sb_fixed_exponent(low));
    EXPECT_EQ(s, 29 - e);
    EXPECT_LE(std::ldexp(static_cast<double>(high), s), 0x1p30);
    EXPECT_GT(std::ldexp(static_cast<double>(low), s + 2), 0x1p30);
  }
  EXPECT_EQ(sb_fixed_exponent(0.0f), 0);
  EXPECT_EQ(sb_fixed_exponent_f64(0x1p-1074), 1103);
}

TEST(FixedPoint, RoundsToNearestEvenForEveryScale) {
  std::mt19937_64 g(4);
  for (int i = 0; i < 1000000; ++i) {
    const float x = sb_f32_bits(static_cast<std::uint32_t>(g()));
    const int s = static_cast<int>(g() % 600) - 300;
    const double exact = std::ldexp(static_cast<double>(x), s);
    if (!(std::abs(exact) <= 0x1p30)) continue;
    ASSERT_EQ(sb_to_fixed_f32(x, s), static_cast<int>(std::lrint(exact))) << x << " " << s;
    const double y = x + std::ldexp(static_cast<double>(x), -30);
    if (std::abs(std::ldexp(y, s)) <= 0x1p30) {
      ASSERT_EQ(sb_to_fixed_f64(y, s), static_cast<int>(std::lrint(std::ldexp(y, s))));
    }
  }
}

TEST(FixedPoint, ExtremeMaximaUseAllBits) {
  for (const float most : {0x1p-149f, 0x1.8p-140f, 0x1p-126f, 1.0f, 3.0f, 0x1.fffffep127f}) {
    const int s = sb_fixed_exponent(most), v = sb_to_fixed_f32(most, s);
    EXPECT_GE(v, 1 << 29);
    EXPECT_LE(v, 1 << 30);
    EXPECT_EQ(sb_to_fixed_f32(-most, s), -v);
    EXPECT_EQ(sb_from_fixed_f32(v, s), most);
    EXPECT_EQ(sb_from_fixed_f64(v, s), static_cast<double>(most));
  }
}

TEST(FixedPoint, WhatDoesNotFitSaturates) {
  EXPECT_EQ(sb_to_fixed_f32(2.0f, 30), 1 << 30);
  EXPECT_EQ(sb_to_fixed_f32(-HUGE_VALF, 0), -(1 << 30));
  EXPECT_EQ(sb_to_fixed_f32(sb_nan_f32(), 0), 1 << 30);
  EXPECT_EQ(sb_to_fixed_f64(-1e300, 0), -(1 << 30));
}

// The bound of the header: 2^31 - 1 values of 2^30 fit, and the sum comes back rounded once.
TEST(FixedPoint, LargestSum) {
  const sb_i64 sum = static_cast<sb_i64>(0x7fffffff) * (1 << 30);
  EXPECT_LT(sum, INT64_MAX / 3);
  EXPECT_EQ(sb_from_fixed_f32(sum, 30), 0x1p31f);
  EXPECT_EQ(sb_from_fixed_f64(sum, 30), 2147483647.0);
  EXPECT_EQ(sb_from_fixed_f32((1 << 24) + 1, 0), 0x1p24f);
  EXPECT_EQ(sb_from_fixed_f32((1 << 24) + 3, 0), 16777220.0f);
}

}  // namespace
