// The shape of a sum: against a slow restatement of the rule, and against pinned bits that another fold order misses
// (broken arm: SAMEBITS_BREAK_FOLD_ORDER must fail PinnedBits).
#include "numerics/reduce/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "numerics/random/philox.h"

namespace {

std::vector<float> data_f32(std::size_t n) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const sb_u32 word = sb_philox_u32(3, 1, i, 0);
    x[i] = (sb_uniform_f32(word) - 0.5f) * std::ldexp(1.0f, static_cast<int>(word % 16u));
  }
  return x;
}
std::vector<double> data_f64(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = (sb_uniform_f64(sb_philox_u64(3, 2, i, 0)) - 0.5) * std::ldexp(1.0, static_cast<int>(i % 13));
  return x;
}

float sum(const std::vector<float>& x) {
  std::vector<float> scratch(sb_reduce_tiles(x.size()) + 1, NAN);
  return sb_reduce_sum_f32(x.data(), x.size(), scratch.data());
}
double sum(const std::vector<double>& x) {
  std::vector<double> scratch(sb_reduce_tiles(x.size()) + 1, NAN);
  return sb_reduce_sum_f64(x.data(), x.size(), scratch.data());
}

// The rule again, recursively, with padding by +0 where the header skips.
template <class T>
T slow_sum(std::vector<T> x) {
  if (x.empty()) return T(0);
  std::vector<T> partials;
  for (std::size_t first = 0; first < x.size(); first += 4096) {
    std::vector<T> tile(4096, T(0)), lane(64, T(0));
    for (std::size_t i = 0; i < 4096 && first + i < x.size(); ++i) tile[i] = x[first + i];
    for (std::size_t i = 0; i < 4096; ++i) lane[i % 64] = lane[i % 64] + tile[i];
    for (std::size_t w = 32; w > 0; w /= 2) {
      for (std::size_t l = 0; l < w; ++l) lane[l] = lane[l] + lane[l + w];
    }
    partials.push_back(lane[0]);
  }
  return partials.size() == 1 ? partials[0] : slow_sum(partials);
}

const std::size_t kLengths[] = {0,    1,    2,    63,   64,    65,     127,           1000,
                                4095, 4096, 4097, 8192, 12345, 100003, 4096 * 64 + 1, 4096 * 4096 + 5};

#if !defined(SAMEBITS_BREAK_FOLD_ORDER)
TEST(Reduce, IsTheRuleWithPadding) {
  for (const std::size_t n : kLengths) {
    const auto x = data_f32(n);
    EXPECT_EQ(sb_bits_f32(sum(x)), sb_bits_f32(slow_sum(x))) << n;
    if (n > 1000000) continue;
    const auto y = data_f64(n);
    EXPECT_EQ(sb_bits_f64(sum(y)), sb_bits_f64(slow_sum(y))) << n;
  }
}
#endif

TEST(Reduce, PinnedBits) {
  EXPECT_EQ(sb_bits_f32(sum(data_f32(1000))), 0x461ae24cu);
  EXPECT_EQ(sb_bits_f32(sum(data_f32(100003))), 0x482cab18u);
  EXPECT_EQ(sb_bits_f64(sum(data_f64(100003))), 0xc0b330ddbb0a9160u);
}

TEST(Reduce, TilesInAnyOrderGiveTheSameBits) {
  const auto x = data_f32(100003);
  const std::size_t tiles = sb_reduce_tiles(x.size());
  std::vector<float> partials(tiles);
  for (std::size_t t = tiles; t-- > 0;) {
    const std::size_t left = x.size() - t * SB_REDUCE_TILE;
    partials[t] = sb_reduce_tile_f32(x.data() + t * SB_REDUCE_TILE,
                                     static_cast<sb_u32>(std::min<std::size_t>(left, SB_REDUCE_TILE)));
  }
  EXPECT_EQ(sb_bits_f32(sb_reduce_partials_f32(partials.data(), tiles)), sb_bits_f32(sum(x)));
}

TEST(Reduce, SpecialValues) {
  EXPECT_EQ(sb_bits_f32(sum(std::vector<float>())), 0u);
  EXPECT_EQ(sb_bits_f32(sum(std::vector<float>{-0.0f})), 0u);
  EXPECT_EQ(sb_bits_f32(sum(std::vector<float>(5000, -0.0f))), 0u);
  EXPECT_EQ(sum(std::vector<float>{1.0f, HUGE_VALF}), HUGE_VALF);
  EXPECT_EQ(sb_bits_f32(sum(std::vector<float>{HUGE_VALF, 1.0f, -HUGE_VALF})), 0x7fc00000u);
  EXPECT_EQ(sb_bits_f32(sum(std::vector<float>{sb_f32_bits(0xff812345u)})), 0x7fc00000u);
  EXPECT_EQ(sum(std::vector<float>(1 << 20, 0x1p-149f)), 0x1p-129f);
}

TEST(Reduce, ErrorIsWithinTheBound) {
  const auto x = data_f32(4096 * 64 + 1);
  double exact = 0, absolute = 0;
  for (const float v : x) exact += v, absolute += std::abs(static_cast<double>(v));
  EXPECT_LE(std::abs(sum(x) - exact), 140 * 0x1p-24 * absolute);
}

}  // namespace
