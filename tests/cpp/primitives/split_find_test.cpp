// split_find/1: the best split, ties to the lower feature, bin, direction (C7).
#include "support/binned.hpp"
#include "support/nodes.hpp"
#include "support/pool.hpp"

#include <cmath>

namespace samebits::test {
namespace {

// Histograms of nodes, made in the test.
struct Case {
  std::vector<std::uint32_t> offset{0};
  HostPool pool;
  std::vector<std::uint32_t> slot, active;
  std::vector<sb_node_sums> sums;
  sb_split_parameters parameters{30, 0.0f, 0.0f, 1};
  int shared = 0;

  std::uint32_t n_features() const { return static_cast<std::uint32_t>(offset.size() - 1); }
  std::uint32_t n_nodes() const { return static_cast<std::uint32_t>(slot.size()); }
};

std::vector<sb_split> find(const Device& device, const Case& c) {
  const DeviceArray<std::uint32_t> offset(device, c.offset);
  const DevicePool pool(device, c.pool);
  std::vector<sb_split> best = poisoned<sb_split>(c.n_nodes());
  sb_split_find_args args{{offset.data(), c.offset.data(), c.n_features(), c.offset.back()},
                          pool.view(),
                          c.active.data(),
                          static_cast<std::uint32_t>(c.active.size()),
                          c.n_nodes(),
                          c.slot.data(),
                          c.sums.data(),
                          c.parameters,
                          c.shared,
                          best.data()};
  call(device, "split_find", &sb_primitives::split_find, args);
  return best;
}

Outputs outputs_of(const std::vector<sb_split>& best) {
  std::vector<float> gain;
  std::vector<std::int32_t> feature;
  std::vector<std::uint32_t> bin, default_left, count;
  std::vector<std::int64_t> gradient, hessian;
  for (const sb_split& s : best) {
    gain.push_back(s.gain);
    feature.push_back(s.feature);
    bin.push_back(s.bin);
    default_left.push_back(s.default_left);
    gradient.push_back(s.left.gradient);
    hessian.push_back(s.left.hessian);
    count.push_back(s.left.count);
  }
  Outputs o;
  o.add("feature", feature);
  o.add("bin", bin);
  o.add("gain", gain);
  o.add("default_left", default_left);
  o.add("left gradient", gradient);
  o.add("left hessian", hessian);
  o.add("left count", count);
  return o;
}

enum class Rows { mixed, constant_hessian, zero_gradient, two_values, zero_hessian };

std::int32_t draw_gradient(Random& random, Rows rows) {
  const std::uint64_t w = random.word();
  switch (rows) {
    case Rows::zero_gradient: return 0;
    case Rows::two_values: return w % 2 == 0 ? 1 << 28 : -(1 << 28);  // many equal gains
    default: return static_cast<std::int32_t>(w % (1u << 31)) - (1 << 30);
  }
}

std::int32_t draw_hessian(Random& random, Rows rows) {
  if (rows == Rows::mixed) return static_cast<std::int32_t>(random.below((1u << 30) + 1));
  return rows == Rows::zero_hessian && random.below(3) != 0 ? 0 : 1 << 29;
}

Case draw_case(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_features, std::uint32_t n_nodes, Rows rows) {
  const HostBins bins = draw_bins(seed, n_rows, n_features);
  const HostNodes nodes = draw_nodes(seed + 1, n_rows, n_nodes);
  Random random(seed + 2);
  Case c;
  c.offset = bins.offset;
  c.slot = nodes.slot;
  const std::uint64_t cells = bins.n_cells();
  c.pool.gradient.assign(2 * cells * nodes.count(), 0);
  c.pool.hessian = c.pool.gradient;
  c.pool.count.assign(c.pool.gradient.size(), 0);
  for (std::uint32_t j = 0; j < nodes.count(); ++j) {
    sb_node_sums sums{};
    for (std::uint64_t i = nodes.begin[j]; i < nodes.end[j]; ++i) {
      const std::int32_t g = draw_gradient(random, rows);
      const std::int32_t h = draw_hessian(random, rows);
      sums.gradient += g;
      sums.hessian += h;
      sums.count += 1;
      for (std::uint32_t f = 0; f < n_features; ++f) {
        const std::uint64_t cell = nodes.slot[j] * cells + bins.offset[f] + bins.at(nodes.rows[i], f);
        c.pool.gradient[cell] += g;
        c.pool.hessian[cell] += h;
        c.pool.count[cell] += 1;
      }
    }
    c.sums.push_back(sums);
  }
  for (std::uint32_t f = 0; f < n_features; ++f) {
    if (seed % 2 == 0 || f % 3 != 1) c.active.push_back(f);
  }
  return c;
}

void sweep(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_features, std::uint32_t n_nodes, Rows rows) {
  Case c = draw_case(seed, n_rows, n_features, n_nodes, rows);
  for (const sb_split_parameters& p : {sb_split_parameters{30, 0.0f, 0.0f, 1}, sb_split_parameters{29, 0.75f, 0.5f, 1},
                                       sb_split_parameters{29, 1e-30f, 1e-3f, 20},
                                       sb_split_parameters{5, 1e10f, 0.0f, 3}, sb_split_parameters{5, 0.0f, 1e9f, 1}}) {
    c.parameters = p;
    for (int shared : {0, 1}) {
      c.shared = shared;
      SCOPED_TRACE(testing::Message() << n_rows << " rows x " << n_features << ", " << c.n_nodes() << " nodes, kind "
                                      << static_cast<int>(rows) << ", l2 " << p.l2 << (shared != 0 ? ", shared" : ""));
      expect_same_everywhere([&](const Device& device) { return outputs_of(find(device, c)); });
    }
  }
}

TEST(SplitFind, SameBits) {
  std::uint64_t seed = 0;
  for (std::uint64_t n : {1u, 2u, 40u, 65u, 1000u, 4097u}) {
    for (std::uint32_t n_features : {1u, 3u, 8u, 9u, 17u, 33u}) {
      for (Rows rows : {Rows::mixed, Rows::constant_hessian, Rows::zero_gradient, Rows::two_values}) {
        sweep(++seed, n, n_features, 1, rows);
        sweep(++seed, n, n_features, 6, rows);
      }
    }
  }
}

TEST(SplitFind, SameBitsUnaligned) {
  const Unaligned shifted(1);
  sweep(2000, 500, 9, 3, Rows::mixed);
  sweep(2001, 500, 17, 1, Rows::two_values);
}

TEST(SplitFind, SameBitsOfManyNodesAndFeatures) {
  sweep(1000, 20000, 28, 64, Rows::mixed);
  sweep(1001, 3000, 70, 5, Rows::two_values);
  sweep(1002, 3000, 5, 200, Rows::mixed);
}

// Sides without hessian and an l2 of next to nothing: scores overflow to infinity, gains become infinite or NaN.
TEST(SplitFind, SameBitsOfInfiniteGains) {
  for (std::uint64_t n : {3u, 20u, 500u}) {
    Case c = draw_case(n, n, 9, 5, Rows::zero_hessian);
    for (float l2 : {0.0f, 1e-45f, 1e-38f, 1e-30f}) {
      c.parameters = {29, l2, 0.0f, 1};
      for (int shared : {0, 1}) {
        c.shared = shared;
        SCOPED_TRACE(testing::Message() << n << " rows, l2 " << l2 << (shared != 0 ? ", shared" : ""));
        expect_same_everywhere([&](const Device& device) { return outputs_of(find(device, c)); });
      }
    }
  }
}

TEST(SplitFind, NoNodesNoFeatures) {
  Case c = draw_case(8, 100, 3, 2, Rows::mixed);
  c.active.clear();
  for (int shared : {0, 1}) {
    c.shared = shared;
    everywhere([&](const Device& device) {
      for (const sb_split& s : find(device, c)) {
        EXPECT_EQ(s.feature, -1);
        EXPECT_EQ(s.gain, 0.0f);
        EXPECT_EQ(s.bin | s.default_left | s.left.count, 0u);
      }
    });
  }
  c.slot.clear();
  c.sums.clear();
  everywhere([&](const Device& device) { EXPECT_TRUE(find(device, c).empty()); });
}

// One node built by hand. rows[f][cell] = {gradient, hessian, count}; the last cell of a feature is the missing one.
// Units: 2^30 is 1.
struct Cell {
  int gradient, hessian;
  std::uint32_t count;
};
constexpr std::int64_t kOne = std::int64_t{1} << 30;

Case by_hand(const std::vector<std::vector<std::vector<Cell>>>& nodes) {
  Case c;
  for (const auto& cells : nodes[0]) {
    c.active.push_back(c.n_features());
    c.offset.push_back(c.offset.back() + static_cast<std::uint32_t>(cells.size()));
  }
  for (const auto& features : nodes) {
    c.slot.push_back(static_cast<std::uint32_t>(c.slot.size()));
    sb_node_sums sums{};
    for (const Cell& cell : features[0]) {
      sums.gradient += cell.gradient * kOne;
      sums.hessian += cell.hessian * kOne;
      sums.count += cell.count;
    }
    c.sums.push_back(sums);
    for (const auto& cells : features) {
      for (const Cell& cell : cells) {
        c.pool.gradient.push_back(cell.gradient * kOne);
        c.pool.hessian.push_back(cell.hessian * kOne);
        c.pool.count.push_back(cell.count);
      }
    }
  }
  return c;
}

void expect_split(const sb_split& s, float gain, std::int32_t feature, std::uint32_t bin, std::uint32_t default_left,
                  std::uint32_t left_count) {
  EXPECT_EQ(s.gain, gain);
  EXPECT_EQ(s.feature, feature);
  EXPECT_EQ(s.bin, bin);
  EXPECT_EQ(s.default_left, default_left);
  EXPECT_EQ(s.left.count, left_count);
}

// g = -2, 0, +2 with h = 1 each, no missing values. Cut behind cell 0: 4 / 1 + 4 / 2 - 0 = 6; behind cell 1: 4 / 2 + 4
// / 1 = 6. The tie goes to the lower bin. Feature 1 is the same histogram: the tie goes to the lower feature.
TEST(SplitFind, TiesGoToTheLowerFeatureAndBin) {
  const std::vector<Cell> cells = {{-2, 1, 10}, {0, 1, 10}, {2, 1, 10}, {0, 0, 0}};
  const Case c = by_hand({{cells, cells}});
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 6.0f, 0, 0, 0, 10); });
}

// Empty cells make equal candidates: behind cells 0, 1 and 2 the sides are the same.
TEST(SplitFind, TiesOfEmptyBinsGoToTheLowerBin) {
  const Case c = by_hand({{{{-1, 1, 7}, {0, 0, 0}, {0, 0, 0}, {1, 1, 5}, {0, 0, 0}}}});
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 2.0f, 0, 0, 1, 7); });
}

// Missing rows of gradient 0 and hessian 0: both directions give the same gain; right (d = 0) comes first.
TEST(SplitFind, TiesOfTheDirectionGoRight) {
  const Case c = by_hand({{{{-1, 1, 7}, {1, 1, 5}, {0, 0, 3}}}});
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 2.0f, 0, 0, 0, 7); });
}

// Missing rows look like the left ones: sent left they give 9 / 3 + 1 / 1 - 4 / 4 = 3, right 4 / 2 + 0 / 2 - 1 = 1.
TEST(SplitFind, MissingGoesWhereItGains) {
  Case c = by_hand({{{{-2, 2, 2}, {1, 1, 1}, {-1, 1, 1}}}});
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 3.0f, 0, 0, 1, 3); });
}

// Without missing rows the larger side takes them; equal sides: left.
TEST(SplitFind, DefaultGoesToTheLargerSide) {
  for (std::uint32_t left : {4u, 5u, 6u}) {
    const Case c = by_hand({{{{-1, 1, left}, {1, 1, 5}, {0, 0, 0}}}});
    everywhere([&](const Device& device) { expect_split(find(device, c)[0], 2.0f, 0, 0, left >= 5 ? 1 : 0, left); });
  }
}

// Everything but the missing rows on the left is a candidate too: bin m - 1.
TEST(SplitFind, MissingAgainstTheRest) {
  const Case c = by_hand({{{{-2, 2, 2}, {2, 1, 1}}}});
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 2.0f + 4.0f - 0.0f, 0, 0, 0, 2); });
}

TEST(SplitFind, LimitsOfTheSides) {
  Case c = by_hand({{{{-3, 1, 1}, {-1, 1, 4}, {4, 2, 5}, {0, 0, 0}}}});
  // Behind 0: 9 / 1 + 9 / 3 - 0 = 12; behind 1: 16 / 2 + 16 / 2 = 16.
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 16.0f, 0, 1, 1, 5); });
  c.parameters.min_samples_leaf = 6;
  everywhere([&](const Device& device) { EXPECT_EQ(find(device, c)[0].feature, -1); });
  c.parameters.min_samples_leaf = 5;
  c.parameters.min_child_weight = 2.0f;
  everywhere([&](const Device& device) { EXPECT_EQ(find(device, c)[0].bin, 1u); });
  c.parameters.min_child_weight = 2.5f;
  everywhere([&](const Device& device) { EXPECT_EQ(find(device, c)[0].feature, -1); });
}

// l2 = 1: 4 / 2 + 4 / 3 - 0 against 4 / 3 + 4 / 2: rounded alike, lower bin; and a gain of 0 is no split.
TEST(SplitFind, RegularisationAndNoGain) {
  Case c = by_hand({{{{-2, 1, 10}, {0, 1, 10}, {2, 1, 10}, {0, 0, 0}}}});
  c.parameters.l2 = 1.0f;
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 2.0f + 4.0f / 3.0f, 0, 0, 0, 10); });
  const Case flat = by_hand({{{{1, 1, 3}, {1, 1, 3}, {1, 1, 3}}}});  // 1 / 1 + 4 / 2 - 9 / 3 = 0
  everywhere([&](const Device& device) { EXPECT_EQ(find(device, flat)[0].feature, -1); });
}

// 49 / 7 is 7; 49 * (1 / 7) is one ulp more (C1).
TEST(SplitFind, ScoresAreDivided) {
  const Case c = by_hand({{{{-7, 7, 7}, {7, 7, 5}, {0, 0, 0}}}});
  everywhere([&](const Device& device) { expect_split(find(device, c)[0], 14.0f, 0, 0, 1, 7); });
}

// Two nodes, one split: 2 from the first node, 1 from the second. Feature 2 is a copy of feature 0, the lower one wins.
// Every node reports its own left sums; the default direction counts all nodes: 6 + 1 left, 5 + 9 right.
TEST(SplitFind, SharedSplitAddsTheGainsOfTheNodes) {
  const std::vector<Cell> good = {{-1, 1, 6}, {1, 1, 5}, {0, 0, 0}}, poor = {{-1, 2, 1}, {1, 2, 9}, {0, 0, 0}};
  const std::vector<Cell> flat_good = {{0, 1, 6}, {0, 1, 5}, {0, 0, 0}}, flat_poor = {{0, 2, 1}, {0, 2, 9}, {0, 0, 0}};
  Case c = by_hand({{good, flat_good, good}, {poor, flat_poor, poor}});
  c.shared = 1;
  everywhere([&](const Device& device) {
    const std::vector<sb_split> best = find(device, c);
    expect_split(best[0], 3.0f, 0, 0, 0, 6);
    expect_split(best[1], 3.0f, 0, 0, 0, 1);
    EXPECT_EQ(best[1].left.gradient, -kOne);
    EXPECT_EQ(best[1].left.hessian, 2 * kOne);
  });
  c.parameters.min_samples_leaf = 2;  // not valid in the second node, applied there all the same
  everywhere([&](const Device& device) {
    const std::vector<sb_split> best = find(device, c);
    expect_split(best[0], 2.0f, 0, 0, 0, 6);
    expect_split(best[1], 2.0f, 0, 0, 0, 1);
  });
  c.parameters.min_samples_leaf = 7;  // valid in none
  everywhere([&](const Device& device) {
    EXPECT_EQ(find(device, c)[0].feature, -1);
    EXPECT_EQ(find(device, c)[1].feature, -1);
  });
}

// f32 additions in the order of the nodes: 2^24 + 1 + 1 = 2^24 (each 1 is lost), 1 + 1 + 2^24 = 2^24 + 2.
TEST(SplitFind, SharedGainsAreAddedInTheOrderOfTheNodes) {
  // g = -k, +k and h = 2, 2 gain 2 k^2 / 2: 2^24 for k = 4096, 1 for k = 1.
  const std::vector<Cell> large = {{-4096, 2, 5}, {4096, 2, 5}, {0, 0, 0}}, small = {{-1, 2, 5}, {1, 2, 5}, {0, 0, 0}};
  Case down = by_hand({{large}, {small}, {small}}), up = by_hand({{small}, {small}, {large}});
  down.shared = up.shared = 1;
  everywhere([&](const Device& device) {
    EXPECT_EQ(find(device, down)[0].gain, 16777216.0f);
    EXPECT_EQ(find(device, up)[0].gain, 16777218.0f);
  });
}

}  // namespace
}  // namespace samebits::test
