// Order keys are strictly monotone along the total order and invert exactly.
#include "numerics/order/order.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>

namespace {

TEST(Order, F32FollowsTheTotalOrder) {
  const float ascending[] = {-HUGE_VALF, -0x1.fffffep127f, -1, -0x1p-126f,      -0x1p-149f, -0.0f,       0.0f,
                             0x1p-149f,  0x1p-126f,        1,  0x1.fffffep127f, HUGE_VALF,  sb_nan_f32()};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(sb_order_key_f32(ascending[i - 1]), sb_order_key_f32(ascending[i])) << i;
}

TEST(Order, F32IsMonotoneAndInvertsOnAStrideOfAllPatterns) {
  for (std::uint64_t u = 0; u < (std::uint64_t{1} << 32); u += 257) {
    const float x = sb_f32_bits(static_cast<std::uint32_t>(u));
    const std::uint32_t key = sb_order_key_f32(x);
    ASSERT_EQ(sb_bits_f32(sb_order_value_f32(key)), sb_bits_f32(sb_canonical_nan_f32(x)));
    const float next = std::nextafter(x, HUGE_VALF);
    if (x < next) {
      ASSERT_LT(key, sb_order_key_f32(next));
    }
  }
}

TEST(Order, F64FollowsTheTotalOrderAndInverts) {
  const double ascending[] = {-HUGE_VAL, -1, -0x1p-1074, -0.0, 0.0, 0x1p-1074, 1, HUGE_VAL, sb_nan_f64()};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(sb_order_key_f64(ascending[i - 1]), sb_order_key_f64(ascending[i])) << i;
  for (const double x : ascending) EXPECT_EQ(sb_bits_f64(sb_order_value_f64(sb_order_key_f64(x))), sb_bits_f64(x));
}

TEST(Order, EveryNanHasOneKey) {
  for (const std::uint32_t u : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0xffffffffu})
    EXPECT_EQ(sb_order_key_f32(sb_f32_bits(u)), 0xffc00000u);
  EXPECT_EQ(sb_order_key_f64(sb_f64_bits(0xfff8000000000001u)), 0xfff8000000000000u);
}

TEST(Order, Integers) {
  const sb_i64 ascending[] = {INT64_MIN, INT32_MIN, -1, 0, 1, INT32_MAX, INT64_MAX};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    EXPECT_LT(sb_order_key_i64(ascending[i - 1]), sb_order_key_i64(ascending[i]));
  for (const sb_i64 x : ascending) {
    EXPECT_EQ(sb_order_value_i64(sb_order_key_i64(x)), x);
    const auto y = static_cast<sb_i32>(x);
    EXPECT_EQ(sb_order_value_i32(sb_order_key_i32(y)), y);
  }
  EXPECT_LT(sb_order_key_i32(-1), sb_order_key_i32(0));
}

}  // namespace
