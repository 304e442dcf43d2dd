// add_leaf_values/1.
#include "support/nodes.hpp"
#include "support/same_bits.hpp"
#include "support/values.hpp"

namespace samebits::test {
namespace {

void sweep(std::uint64_t n, std::uint32_t n_leaves, Values kind) {
  SCOPED_TRACE(testing::Message() << n << " rows, " << n_leaves << " leaves, values " << static_cast<int>(kind));
  const HostNodes leaves = draw_nodes(n, n, n_leaves);
  const std::vector<float> score = draw_array<float>(n, kind, n),
                           value = draw_array<float>(n + 1, kind, leaves.count());
  expect_same_everywhere([&](const Device& device) {
    const DeviceArray<float> s(device, score);
    const DeviceArray<std::uint32_t> rows(device, leaves.rows);
    sb_add_leaf_values_args args{s.data(),          rows.data(), leaves.count(), leaves.begin.data(),
                                 leaves.end.data(), value.data()};
    call(device, "add_leaf_values", &sb_primitives::add_leaf_values, args);
    Outputs o;
    o.add("score", s.read());
    return o;
  });
}

TEST(AddLeafValues, SameBits) {
  for (std::uint64_t n : {1u, 2u, 63u, 64u, 65u, 1000u, 4096u, 4097u, 70000u, 300000u}) {
    for (std::uint32_t n_leaves : {1u, 2u, 31u, 200u}) {
      for (Values kind : {Values::uniform, Values::huge_range, Values::subnormal, Values::signed_zero})
        sweep(n, n_leaves, kind);
    }
  }
}

// Infinities of both signs meet, NaNs come with every payload: one NaN leaves (C2).
TEST(AddLeafValues, SameBitsWithInfinityAndNan) {
  for (std::uint64_t n : {1u, 65u, 4097u}) {
    for (Values kind : {Values::infinite, Values::some_nan, Values::all_nan}) sweep(n, 31, kind);
  }
}

TEST(AddLeafValues, SameBitsUnaligned) {
  const Unaligned shifted(1);
  for (std::uint64_t n : {1u, 65u, 4097u}) sweep(n, 7, Values::uniform);
}

// Gradual underflow (C1): subnormal operands, and a subnormal result of normal ones.
TEST(AddLeafValues, SubnormalsAreKept) {
  const std::vector<std::uint64_t> begin = {0, 1, 2}, end = {1, 2, 3};
  const std::vector<float> value = {0x1p-149f, -0x1p-126f, -0x1p-149f};
  everywhere([&](const Device& device) {
    const DeviceArray<float> s(device, std::vector<float>{0x1p-149f, 0x1.8p-126f, 0x1p-126f});
    const DeviceArray<std::uint32_t> rows(device, std::vector<std::uint32_t>{0, 1, 2});
    call(device, "add_leaf_values", &sb_primitives::add_leaf_values,
         sb_add_leaf_values_args{s.data(), rows.data(), 3, begin.data(), end.data(), value.data()});
    EXPECT_EQ(s.read(), (std::vector<float>{0x1p-148f, 0x1p-127f, 0x1.fffffcp-127f}));
  });
}

TEST(AddLeafValues, NoLeaves) {
  everywhere([&](const Device& device) {
    const DeviceArray<float> s(device, std::vector<float>{1.0f, 2.0f});
    const DeviceArray<std::uint32_t> rows(device, std::vector<std::uint32_t>{0, 1});
    call(device, "add_leaf_values", &sb_primitives::add_leaf_values,
         sb_add_leaf_values_args{s.data(), rows.data(), 0, nullptr, nullptr, nullptr});
    EXPECT_EQ(s.read(), (std::vector<float>{1.0f, 2.0f}));
  });
}

}  // namespace
}  // namespace samebits::test
