// Philox4x32-10: the known answers of Random123 (tests/kat_vectors), the mapping, and the distributions.
#include "numerics/random/philox.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace {

TEST(Philox, KnownAnswers) {
  struct Row {
    sb_u32 ctr[4], key[2], out[4];
  };
  const Row rows[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
      {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
      {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
       {0xa4093822u, 0x299f31d0u},
       {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
  };
  for (const Row& row : rows) {
    sb_u32 out[4] = {1, 2, 3, 4};
    sb_philox(row.ctr, row.key, out);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(out[i], row.out[i]);
  }
}

TEST(Philox, MappingPutsEveryWordInItsPlace) {
  sb_u32 ctr[4] = {0x11111111u, 0x22222222u, 7u, 9u}, key[2] = {0x33333333u, 0x44444444u}, want[4], out[4];
  sb_philox(ctr, key, want);
  sb_philox_block(0x4444444433333333u, 9u, 0x2222222211111111u, 7u, out);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(out[i], want[i]);
  EXPECT_EQ(sb_philox_u32(0x4444444433333333u, 9u, 0x2222222211111111u, 7u), want[0]);
  EXPECT_EQ(sb_philox_u64(0x4444444433333333u, 9u, 0x2222222211111111u, 7u), (sb_u64{want[1]} << 32) | want[0]);
}

// Neighbouring coordinates never share a block (for one seed the block function is a bijection).
TEST(Philox, NoCollisionAmongNeighbours) {
  std::set<std::array<sb_u32, 4>> seen;
  for (sb_u32 purpose = 0; purpose < 8; ++purpose) {
    for (sb_u64 element = 0; element < 64; ++element) {
      for (sb_u32 draw = 0; draw < 8; ++draw) {
        std::array<sb_u32, 4> out;
        sb_philox_block(5, purpose, element << (element % 5 * 8), draw, out.data());
        seen.insert(out);
      }
    }
  }
  // element << shift repeats a few elements; count distinct ones the same way.
  std::set<sb_u64> elements;
  for (sb_u64 element = 0; element < 64; ++element) elements.insert(element << (element % 5 * 8));
  EXPECT_EQ(seen.size(), elements.size() * 64);
}

TEST(Philox, UniformIsInRange) {
  EXPECT_EQ(sb_uniform_f32(0), 0.0f);
  EXPECT_EQ(sb_uniform_f32(~0u), 0x1.fffffep-1f);
  EXPECT_EQ(sb_uniform_f64(0), 0.0);
  EXPECT_EQ(sb_uniform_f64(~0ull), 0x1.fffffffffffffp-1);
  double sum = 0;
  for (sb_u64 i = 0; i < 100000; ++i) sum += sb_uniform_f32(sb_philox_u32(1, 2, i, 0));
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(Philox, BelowIsTheHighProduct) {
  for (const sb_u64 word : {0ull, 1ull, 0x123456789abcdef0ull, ~0ull}) {
    for (const sb_u32 n : {1u, 2u, 7u, 1000000007u, ~0u}) {
      EXPECT_EQ(sb_below_u32(word, n), static_cast<sb_u32>((static_cast<unsigned __int128>(word) * n) >> 64));
    }
  }
  EXPECT_EQ(sb_below_u32(~0ull, 1), 0u);
  EXPECT_EQ(sb_below_u32(~0ull, 10), 9u);
}

}  // namespace
