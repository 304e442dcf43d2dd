// add_tree_binned/1.
#include "support/forest.hpp"
#include "support/same_bits.hpp"

namespace samebits::test {
namespace {

Outputs add(const Device& device, const HostBins& host, bool columns, const std::vector<sb_binned_node>& tree,
            const std::vector<float>& score) {
  const DeviceBins bins(device, host, columns);
  const DeviceArray<float> s(device, score);
  sb_add_tree_binned_args args{bins.bins(), bins.layout(), s.data(), tree.data(),
                               static_cast<std::uint32_t>(tree.size())};
  call(device, "add_tree_binned", &sb_primitives::add_tree_binned, args);
  Outputs o;
  o.add("score", s.read());
  return o;
}

// kind: of the scores and the leaves' values.
void sweep(std::uint64_t n, std::uint32_t n_features, std::uint32_t n_inner, bool chain,
           Values kind = Values::uniform) {
  const HostBins bins = draw_bins(n + n_inner, n, n_features);
  Random random(n);
  std::vector<sb_binned_node> tree = draw_binned_tree(random, bins, n_inner, chain);
  for (sb_binned_node& node : tree) node.value = kind == Values::uniform ? node.value : draw_f32(random, kind);
  const std::vector<float> score = draw_array<float>(n, kind, n);
  for (bool columns : {false, true}) {
    SCOPED_TRACE(testing::Message() << n << " x " << n_features << ", " << n_inner << " inner nodes"
                                    << (chain ? ", a chain" : ""));
    expect_same_everywhere([&](const Device& device) { return add(device, bins, columns, tree, score); });
  }
}

TEST(AddTreeBinned, SameBits) {
  for (std::uint64_t n : {1u, 2u, 15u, 16u, 17u, 63u, 65u, 1000u, 4097u, 70000u}) {
    for (std::uint32_t n_features : {1u, 9u, 17u, 33u}) {
      for (std::uint32_t n_inner : {0u, 1u, 30u}) sweep(n, n_features, n_inner, false);
    }
  }
  sweep(4097, 9, 254, true);
  sweep(70000, 70, 1000, false);
  sweep(300000, 3, 63, false);
}

TEST(AddTreeBinned, SameBitsOfSpecialValues) {
  for (Values kind : {Values::huge_range, Values::subnormal, Values::signed_zero, Values::infinite, Values::some_nan,
                      Values::all_nan}) {
    sweep(65, 9, 7, false, kind);
    sweep(1000, 3, 30, false, kind);
  }
}

TEST(AddTreeBinned, SameBitsUnaligned) {
  for (std::uint64_t shift : {1u, 3u}) {
    const Unaligned shifted(shift);
    for (std::uint32_t n_features : {1u, 9u, 33u}) sweep(1001, n_features, 30, false);
  }
}

TEST(AddTreeBinned, RowAloneEqualsRowInBatch) {
  const HostBins bins = draw_bins(3, 300, 9);
  Random random(4);
  const std::vector<sb_binned_node> tree = draw_binned_tree(random, bins, 40, false);
  const auto scores = [&](const Device& device, const HostBins& b) {
    const DeviceBins on_device(device, b, false);
    const DeviceArray<float> s(device, std::vector<float>(b.n_rows, 0.125f));
    call(device, "add_tree_binned", &sb_primitives::add_tree_binned,
         sb_add_tree_binned_args{on_device.bins(), on_device.layout(), s.data(), tree.data(),
                                 static_cast<std::uint32_t>(tree.size())});
    return s.read();
  };
  everywhere([&](const Device& device) {
    const std::vector<float> all = scores(device, bins);
    for (std::uint64_t row = 0; row < 300; row += 11) {
      HostBins one = bins;
      one.n_rows = 1;
      one.code.assign(bins.code.begin() + static_cast<std::ptrdiff_t>(row * 9),
                      bins.code.begin() + static_cast<std::ptrdiff_t>(row * 9 + 9));
      EXPECT_EQ(scores(device, one)[0], all[row]);
    }
  });
}

// code 0, 1 and missing (2); the root sends code <= 0 left and missing where it is told.
TEST(AddTreeBinned, ByHand) {
  HostBins bins;
  bins.n_rows = 3;
  bins.n_features = 1;
  bins.offset = {0, 3};
  bins.code = {0, 1, 2};
  for (std::uint32_t default_left : {0u, 1u}) {
    const std::vector<sb_binned_node> tree = {
        {0, 0, default_left, 1, 9.0f}, {-1, 0, 0, 0, 0.5f}, {-1, 0, 0, 0, -0.25f}};
    everywhere([&](const Device& device) {
      const DeviceBins b(device, bins, true);
      const DeviceArray<float> s(device, std::vector<float>{1, 1, 1});
      call(device, "add_tree_binned", &sb_primitives::add_tree_binned,
           sb_add_tree_binned_args{b.bins(), b.layout(), s.data(), tree.data(), 3});
      EXPECT_EQ(s.read(), (std::vector<float>{1.5f, 0.75f, default_left == 1 ? 1.5f : 0.75f}));
    });
  }
}

}  // namespace
}  // namespace samebits::test
