// histogram_build/1: exact integer sums per node, feature and bin (C6).
#include "support/binned.hpp"
#include "support/nodes.hpp"
#include "support/pool.hpp"

namespace samebits::test {
namespace {

constexpr std::int32_t kLargest = 1 << 30;

// gradient in [-2^30, 2^30], hessian in [0, 2^30]; some at the bounds.
std::vector<std::int32_t> draw_gh(std::uint64_t seed, std::uint64_t n) {
  Random random(seed);
  std::vector<std::int32_t> gh(2 * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t w = random.word();
    gh[2 * i] = w % 16 == 0   ? kLargest
                : w % 16 == 1 ? -kLargest
                              : static_cast<std::int32_t>((w >> 8) % (1u << 31)) - kLargest;
    gh[2 * i + 1] = w % 16 < 3 ? kLargest : w % 16 < 6 ? 0 : static_cast<std::int32_t>((w >> 33) % (1u << 30));
  }
  return gh;
}

std::vector<std::uint32_t> features_of(std::uint32_t n, bool some) {
  std::vector<std::uint32_t> active;
  for (std::uint32_t f = 0; f < n; ++f) {
    if (!some || f % 3 != 1) active.push_back(f);
  }
  return active;
}

struct Case {
  HostBins bins;
  HostNodes nodes;
  std::vector<std::int32_t> gh;
  std::vector<std::uint32_t> active;
  bool listed = true;   // false: rows == NULL, row i is i
  bool columns = false;
};

HostPool build(const Device& device, const Case& c, Outputs* o) {
  const DeviceBins bins(device, c.bins, c.columns);
  const DeviceArray<std::int32_t> gh(device, c.gh);
  const DeviceArray<std::uint32_t> rows(device, c.nodes.rows);
  const std::uint64_t slots = 2 * std::uint64_t{c.nodes.count()};
  const DevicePool pool(device, slots * c.bins.n_cells());
  sb_histogram_build_args args{bins.bins(),
                               gh.data(),
                               c.listed ? rows.data() : nullptr,
                               bins.layout(),
                               pool.view(),
                               c.active.data(),
                               static_cast<std::uint32_t>(c.active.size()),
                               c.nodes.count(),
                               c.nodes.begin.data(),
                               c.nodes.end.data(),
                               c.nodes.slot.data()};
  call(device, "histogram_build", &sb_primitives::histogram_build, args);
  if (o != nullptr) pool.add_to(o);
  return pool.read();
}

void sweep(std::uint64_t n, std::uint32_t n_features, std::uint32_t n_nodes) {
  Case c{draw_bins(n, n, n_features), draw_nodes(n + 1, n, n_nodes), draw_gh(n + 2, n), {}};
  for (int variant : n* n_nodes > 100000 ? std::vector<int>{1, 6} : std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}) {
    c.listed = (variant & 1) != 0;
    c.columns = (variant & 2) != 0;
    c.active = features_of(n_features, (variant & 4) != 0);
    SCOPED_TRACE(testing::Message() << n << " x " << n_features << ", " << c.nodes.count() << " nodes, variant "
                                    << variant);
    expect_same_everywhere([&](const Device& device) {
      Outputs o;
      build(device, c, &o);
      return o;
    });
  }
}

TEST(HistogramBuild, SameBits) {
  for (std::uint64_t n : {1u, 2u, 63u, 64u, 65u, 1000u, 4095u, 4097u}) {
    for (std::uint32_t n_features : {1u, 3u, 8u, 9u, 16u, 17u, 28u, 33u, 70u}) sweep(n, n_features, n % 2 == 0 ? 1 : 7);
  }
}

TEST(HistogramBuild, SameBitsOfManyNodes) {
  sweep(1000, 9, 200);
  sweep(4096, 28, 200);
  sweep(70000, 9, 200);
  sweep(100, 3, 500);
}

TEST(HistogramBuild, SameBitsOfManyRows) {
  sweep(70000, 28, 1);
  sweep(70000, 70, 5);
  sweep(300000, 10, 1);
  sweep(300000, 3, 3);
}

TEST(HistogramBuild, SameBitsUnaligned) {
  for (std::uint64_t shift : {1u, 3u}) {
    const Unaligned shifted(shift);
    for (std::uint32_t n_features : {1u, 8u, 9u, 17u, 33u}) sweep(1001, n_features, 5);
  }
}

TEST(HistogramBuild, NoActiveFeaturesGivesZeros) {
  Case c{draw_bins(1, 100, 5), draw_nodes(2, 100, 4), draw_gh(3, 100), {}};
  expect_same_everywhere([&](const Device& device) {
    Outputs o;
    build(device, c, &o);
    return o;
  });
}

// The sums of the test itself, in plain integers.
HostPool count_by_hand(const Case& c) {
  HostPool pool{poisoned<std::int64_t>(2 * std::uint64_t{c.nodes.count()} * c.bins.n_cells()), {}, {}};
  pool.hessian = pool.gradient;
  pool.count = poisoned<std::uint32_t>(pool.gradient.size());
  for (std::uint32_t j = 0; j < c.nodes.count(); ++j) {
    const std::uint64_t first = std::uint64_t{c.nodes.slot[j]} * c.bins.n_cells();
    for (std::uint64_t cell = first; cell < first + c.bins.n_cells(); ++cell)
      pool.gradient[cell] = pool.hessian[cell] = pool.count[cell] = 0;
    for (std::uint64_t i = c.nodes.begin[j]; i < c.nodes.end[j]; ++i) {
      const std::uint64_t row = c.listed ? c.nodes.rows[i] : i;
      for (std::uint32_t f : c.active) {
        const std::uint64_t cell = first + c.bins.offset[f] + c.bins.at(row, f);
        pool.gradient[cell] += c.gh[2 * row];
        pool.hessian[cell] += c.gh[2 * row + 1];
        ++pool.count[cell];
      }
    }
  }
  return pool;
}

TEST(HistogramBuild, MatchesACountOfItsOwn) {
  for (std::uint64_t n : {65u, 5000u, 70000u}) {
    Case c{draw_bins(n, n, 9), draw_nodes(n, n, 6), draw_gh(n, n), features_of(9, true)};
    const HostPool want = count_by_hand(c);
    everywhere([&](const Device& device) {
      const HostPool got = build(device, c, nullptr);
      EXPECT_EQ(got.gradient, want.gradient);
      EXPECT_EQ(got.hessian, want.hessian);
      EXPECT_EQ(got.count, want.count);
    });
  }
}

// One node, one cell, by hand: neither 2^30 - 1 nor any of the partial sums is an f32.
TEST(HistogramBuild, SumsAreExactIntegers) {
  constexpr std::uint64_t kRows = 60000;
  Case c;
  c.bins.n_rows = kRows;
  c.bins.n_features = 1;
  c.bins.offset = {0, 3};
  c.bins.code.assign(kRows, 1);
  c.nodes = {{}, {0}, {kRows}, {0}};
  c.listed = false;
  c.active = {0};
  for (std::uint64_t i = 0; i < kRows; ++i) {
    c.gh.push_back(i % 2 == 0 ? kLargest - 1 : -kLargest);
    c.gh.push_back(kLargest - 1);
  }
  everywhere([&](const Device& device) {
    const HostPool pool = build(device, c, nullptr);
    EXPECT_EQ(pool.gradient[1], -30000);                           // 30000 * (2^30 - 1 - 2^30)
    EXPECT_EQ(pool.hessian[1], std::int64_t{64424509380000});     // 60000 * (2^30 - 1)
    EXPECT_EQ(pool.count[1], kRows);
    EXPECT_EQ(pool.gradient[0] | pool.hessian[0] | pool.count[0] | pool.gradient[2] | pool.hessian[2] | pool.count[2],
              0);
  });
}

// All rows in one cell at the upper bound: 2^30 each, the accumulators must not meet or overflow.
TEST(HistogramBuild, LargestValuesOfOneCell) {
  constexpr std::uint64_t kRows = 200003;
  Case c;
  c.bins.n_rows = kRows;
  c.bins.n_features = 9;
  c.bins.offset = {0};
  for (std::uint32_t f = 0; f < 9; ++f) c.bins.offset.push_back(c.bins.offset.back() + 256);
  c.bins.code.assign(kRows * 9, 255);
  c.nodes = draw_nodes(1, kRows, 1);
  c.gh.assign(2 * kRows, kLargest);
  for (std::uint64_t i = 0; i < kRows; ++i) c.gh[2 * i] = -kLargest;
  c.active = features_of(9, false);
  everywhere([&](const Device& device) {
    for (bool listed : {false, true}) {
      c.listed = listed;
      const HostPool pool = build(device, c, nullptr);
      const std::uint64_t first = std::uint64_t{c.nodes.slot[0]} * c.bins.n_cells();
      for (std::uint64_t f = 0; f < 9; ++f) {
        EXPECT_EQ(pool.gradient[first + f * 256 + 255], -std::int64_t{kLargest} * static_cast<std::int64_t>(kRows));
        EXPECT_EQ(pool.hessian[first + f * 256 + 255], std::int64_t{kLargest} * static_cast<std::int64_t>(kRows));
        EXPECT_EQ(pool.count[first + f * 256 + 255], kRows);
      }
    }
  });
}

// Scratch that a backend keeps between calls must not leak into the next result.
TEST(HistogramBuild, RepeatedCallsGiveTheSame) {
  const Case a{draw_bins(1, 3000, 17), draw_nodes(2, 3000, 9), draw_gh(3, 3000), features_of(17, false)};
  const Case b{draw_bins(4, 70, 9), draw_nodes(5, 70, 3), draw_gh(6, 70), features_of(9, true)};
  everywhere([&](const Device& device) {
    const HostPool first = build(device, a, nullptr);
    const HostPool other = build(device, b, nullptr);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(build(device, a, nullptr).gradient, first.gradient);
      EXPECT_EQ(build(device, b, nullptr).hessian, other.hessian);
    }
  });
}

}  // namespace
}  // namespace samebits::test
