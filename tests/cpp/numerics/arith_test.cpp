// Selection, NaN, rounding, exponents and scaling, against glibc's exact functions and by property.
#include "numerics/arith/arith.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <random>

namespace {

std::uint32_t bits(float x) { return sb_bits_f32(x); }
std::uint64_t bits(double x) { return sb_bits_f64(x); }

// Random values over all exponents, with many subnormals, small significands and values near 1.
float random_f32(std::mt19937_64& g) {
  std::uint32_t u = static_cast<std::uint32_t>(g());
  switch (g() % 6) {
    case 0: u &= 0x807fffffu; break;
    case 1: u &= 0xff800007u; break;
    case 2: u = (u & 0x81ffffffu) | 0x3e000000u; break;
    default: break;
  }
  return sb_f32_bits(u);
}
double random_f64(std::mt19937_64& g) {
  std::uint64_t u = g();
  switch (g() % 6) {
    case 0: u &= 0x800fffffffffffffu; break;
    case 1: u &= 0xfff0000000000007u; break;
    case 2: u = (u & 0x803fffffffffffffu) | 0x3fc0000000000000u; break;
    default: break;
  }
  return sb_f64_bits(u);
}

TEST(Arith, MinMaxTakeTheSecondWhenUnordered) {
  const float nan = sb_nan_f32();
  EXPECT_EQ(sb_min_f32(1, 2), 1);
  EXPECT_EQ(sb_max_f32(1, 2), 2);
  EXPECT_EQ(sb_min_f32(nan, 2), 2);
  EXPECT_TRUE(std::isnan(sb_min_f32(2, nan)));
  EXPECT_EQ(bits(sb_min_f32(0.0f, -0.0f)), bits(-0.0f));
  EXPECT_EQ(bits(sb_max_f64(-0.0, 0.0)), bits(0.0));
  EXPECT_EQ(sb_min_i64(INT64_MIN, 3), INT64_MIN);
  EXPECT_EQ(sb_max_u32(0xffffffffu, 1), 0xffffffffu);
}

TEST(Arith, NanBecomesCanonicalAndNothingElseChanges) {
  for (const std::uint32_t u : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffffffffu}) {
    EXPECT_EQ(bits(sb_canonical_nan_f32(sb_f32_bits(u))), 0x7fc00000u);
    EXPECT_TRUE(sb_isnan_f32(sb_f32_bits(u)));
    EXPECT_FALSE(sb_isinf_f32(sb_f32_bits(u)));
  }
  for (const std::uint64_t u : {0x7ff0000000000001u, 0xffffffffffffffffu})
    EXPECT_EQ(bits(sb_canonical_nan_f64(sb_f64_bits(u))), 0x7ff8000000000000u);
  for (const std::uint32_t u : {0u, 0x80000000u, 1u, 0x7f800000u, 0xff800000u, 0x3f800000u})
    EXPECT_EQ(bits(sb_canonical_nan_f32(sb_f32_bits(u))), u);
  EXPECT_TRUE(sb_isinf_f64(-HUGE_VAL));
  EXPECT_TRUE(sb_isfinite_f32(0x1.fffffep127f));
  EXPECT_FALSE(sb_isfinite_f64(HUGE_VAL));
}

TEST(Arith, RintIsNearestEven) {
  std::mt19937_64 g(1);
  for (int i = 0; i < 1000000; ++i) {
    const float x = random_f32(g);
    const double y = random_f64(g);
    if (!std::isnan(x)) {
      ASSERT_EQ(bits(sb_rint_f32(x)), bits(std::rint(x))) << x;
    }
    if (!std::isnan(y)) {
      ASSERT_EQ(bits(sb_rint_f64(y)), bits(std::rint(y))) << y;
    }
    if (std::abs(x) <= 0x1p30f) {
      ASSERT_EQ(sb_rint_i32_f32(x), static_cast<int>(std::lrint(x))) << x;
    }
  }
  EXPECT_EQ(sb_rint_i32_f32(0.5f), 0);
  EXPECT_EQ(sb_rint_i32_f32(1.5f), 2);
  EXPECT_EQ(sb_rint_i32_f32(-2.5f), -2);
  EXPECT_EQ(sb_rint_i32_f32(0x1p30f), 1 << 30);
  EXPECT_EQ(sb_rint_i32_f32(-0x1p30f), -(1 << 30));
}

TEST(Arith, ExponentIsThatOfFrexp) {
  std::mt19937_64 g(2);
  for (int i = 0; i < 1000000; ++i) {
    const float x = random_f32(g);
    const double y = random_f64(g);
    int e = 0;
    if (std::isfinite(x) && x != 0) {
      ASSERT_EQ(sb_exponent_f32(x), (std::frexp(x, &e), e)) << x;
    }
    if (std::isfinite(y) && y != 0) {
      ASSERT_EQ(sb_exponent_f64(y), (std::frexp(y, &e), e)) << y;
    }
  }
  EXPECT_EQ(sb_exponent_f32(0.0f), SB_EXPONENT_ZERO);
  EXPECT_EQ(sb_exponent_f32(-0.0f), SB_EXPONENT_ZERO);
  EXPECT_EQ(sb_exponent_f64(0.0), SB_EXPONENT_ZERO);
  EXPECT_EQ(sb_exponent_f32(0x1p-149f), -148);
  EXPECT_EQ(sb_exponent_f32(HUGE_VALF), 129);
}

TEST(Arith, ScalingRoundsOnce) {
  std::mt19937_64 g(3);
  for (int i = 0; i < 1000000; ++i) {
    const float x = random_f32(g);
    const double y = random_f64(g);
    const int e = static_cast<int>(g() % 600) - 300, f = static_cast<int>(g() % 4400) - 2200;
    if (!std::isnan(x)) {
      ASSERT_EQ(bits(sb_scale2_f32(x, e)), bits(std::ldexp(x, e))) << x << " " << e;
    }
    if (!std::isnan(y)) {
      ASSERT_EQ(bits(sb_scale2_f64(y, f)), bits(std::ldexp(y, f))) << y << " " << f;
    }
  }
  for (const int e : {INT_MIN, INT_MAX, -1000000, 1000000}) {
    EXPECT_EQ(bits(sb_scale2_f32(-1.5f, e)), bits(e < 0 ? -0.0f : -HUGE_VALF));
    EXPECT_EQ(bits(sb_scale2_f64(-1.5, e)), bits(e < 0 ? -0.0 : -HUGE_VAL));
    EXPECT_EQ(bits(sb_scale2_f32(0.0f, e)), 0u);
    EXPECT_EQ(sb_scale2_f32(HUGE_VALF, e), HUGE_VALF);
  }
  EXPECT_EQ(bits(sb_scale2_f32(sb_f32_bits(0xff800001u), 3)), 0x7fc00000u);
}

}  // namespace
