// partition_rows/1: row lists split in place, stably.
#include "support/binned.hpp"
#include "support/nodes.hpp"
#include "support/same_bits.hpp"

#include <algorithm>

namespace samebits::test {
namespace {

struct Case {
  HostBins bins;
  HostNodes nodes;
  std::vector<std::uint32_t> feature, bin, default_left;
  std::vector<std::uint64_t> n_left;
  bool columns = false;
};

bool goes_left(const Case& c, std::uint32_t j, std::uint32_t row) {
  const std::uint32_t code = c.bins.at(row, c.feature[j]);
  return code == c.bins.missing(c.feature[j]) ? c.default_left[j] == 1 : code <= c.bin[j];
}

Case draw_case(std::uint64_t n_rows, std::uint32_t n_features, std::uint32_t n_nodes) {
  Case c{draw_bins(n_rows, n_rows, n_features), draw_nodes(n_rows + 1, n_rows, n_nodes), {}, {}, {}, {}};
  Random random(n_rows + n_features);
  for (std::uint32_t j = 0; j < c.nodes.count(); ++j) {
    c.feature.push_back(static_cast<std::uint32_t>(random.below(n_features)));
    const std::uint32_t m = c.bins.missing(c.feature[j]);
    c.bin.push_back(static_cast<std::uint32_t>(random.below(8) == 0 ? m - 1 : random.below(m)));
    c.default_left.push_back(static_cast<std::uint32_t>(random.below(2)));
    std::uint64_t left = 0;
    for (std::uint64_t i = c.nodes.begin[j]; i < c.nodes.end[j]; ++i) left += goes_left(c, j, c.nodes.rows[i]) ? 1 : 0;
    c.n_left.push_back(left);
  }
  return c;
}

std::vector<std::uint32_t> partition(const Device& device, const Case& c) {
  const DeviceBins bins(device, c.bins, c.columns);
  const DeviceArray<std::uint32_t> rows(device, c.nodes.rows), scratch(device, c.nodes.rows.size());
  sb_partition_rows_args args{bins.bins(),      bins.layout(),        rows.data(),          scratch.data(),
                              c.nodes.count(),  c.nodes.begin.data(), c.nodes.end.data(),   c.n_left.data(),
                              c.feature.data(), c.bin.data(),         c.default_left.data()};
  call(device, "partition_rows", &sb_primitives::partition_rows, args);
  scratch.read();  // its guards
  return rows.read();
}

// The test's own answer: rows outside the nodes are untouched.
std::vector<std::uint32_t> by_hand(const Case& c) {
  std::vector<std::uint32_t> rows = c.nodes.rows;
  for (std::uint32_t j = 0; j < c.nodes.count(); ++j) {
    std::stable_partition(rows.begin() + static_cast<std::ptrdiff_t>(c.nodes.begin[j]),
                          rows.begin() + static_cast<std::ptrdiff_t>(c.nodes.end[j]),
                          [&](std::uint32_t row) { return goes_left(c, j, row); });
  }
  return rows;
}

void sweep(std::uint64_t n_rows, std::uint32_t n_features, std::uint32_t n_nodes) {
  Case c = draw_case(n_rows, n_features, n_nodes);
  const std::vector<std::uint32_t> want = by_hand(c);
  for (bool columns : {false, true}) {
    c.columns = columns;
    SCOPED_TRACE(testing::Message() << n_rows << " x " << n_features << ", " << n_nodes << " nodes"
                                    << (columns ? ", columns" : ""));
    everywhere([&](const Device& device) { ASSERT_EQ(partition(device, c), want); });
  }
}

TEST(PartitionRows, IsStable) {
  for (std::uint64_t n : {1u, 2u, 3u, 63u, 64u, 65u, 1000u, 4095u, 4096u, 4097u}) {
    for (std::uint32_t n_features : {1u, 3u, 9u, 17u, 33u, 70u}) {
      sweep(n, n_features, 1);
      sweep(n, n_features, 8);
    }
  }
}

TEST(PartitionRows, IsStableUnaligned) {
  for (std::uint64_t shift : {1u, 3u}) {
    const Unaligned shifted(shift);
    for (std::uint32_t n_features : {1u, 9u, 33u}) sweep(4097, n_features, 5);
  }
}

TEST(PartitionRows, IsStableForManyNodes) {
  sweep(1000, 9, 200);
  sweep(70000, 9, 200);
  sweep(100, 9, 1000);
}

TEST(PartitionRows, IsStableForManyRows) {
  for (std::uint32_t n_nodes : {1u, 2u, 9u}) {
    sweep(70000, 28, n_nodes);
    sweep(300000, 3, n_nodes);
  }
}

TEST(PartitionRows, OneSideEmpty) {
  Case c = draw_case(5000, 1, 1);
  c.bin[0] = c.bins.missing(0) - 1;
  c.default_left[0] = 1;
  c.n_left[0] = 5000;
  everywhere([&](const Device& device) { EXPECT_EQ(partition(device, c), c.nodes.rows); });
}

}  // namespace
}  // namespace samebits::test
