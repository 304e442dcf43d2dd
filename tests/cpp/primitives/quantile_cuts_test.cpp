// quantile_cuts/1.
#include "support/matrix.hpp"
#include "support/same_bits.hpp"

#include <algorithm>
#include <cmath>

namespace samebits::test {
namespace {

struct Cuts {
  std::vector<std::uint32_t> n_cuts;
  std::vector<std::vector<double>> lower, upper;  // [feature][cut]
  std::vector<std::uint64_t> infinite;
};

// sample: nullptr for all rows.
template <class T>
Cuts cut(const Device& device, const HostMatrix<T>& x, const std::vector<std::uint32_t>* sample,
         std::uint32_t max_bins) {
  DeviceArray<T> data(device, x.storage);
  const std::uint32_t n = x.n_features;
  Cuts c{poisoned<std::uint32_t>(n), {}, {}, poisoned<std::uint64_t>(n)};
  std::vector<double> lower = poisoned<double>(std::uint64_t{n} * 254), upper = lower;
  sb_quantile_cuts_args args{x.view(data.data()),
                             sample == nullptr ? nullptr : sample->data(),
                             sample == nullptr ? 0 : sample->size(),
                             max_bins,
                             c.n_cuts.data(),
                             lower.data(),
                             upper.data(),
                             c.infinite.data()};
  call(device, "quantile_cuts", &sb_primitives::quantile_cuts, args);
  for (std::uint32_t f = 0; f < n; ++f) {
    EXPECT_LE(c.n_cuts[f], max_bins - 1);
    const std::uint64_t first = std::uint64_t{f} * (max_bins - 1), last = first + std::min(c.n_cuts[f], max_bins - 1);
    c.lower.emplace_back(lower.begin() + static_cast<std::ptrdiff_t>(first),
                         lower.begin() + static_cast<std::ptrdiff_t>(last));
    c.upper.emplace_back(upper.begin() + static_cast<std::ptrdiff_t>(first),
                         upper.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return c;
}

Outputs outputs_of(const Cuts& c) {
  Outputs o;
  o.add("n_cuts", c.n_cuts);
  o.add("infinite", c.infinite);
  for (std::size_t f = 0; f < c.lower.size(); ++f) {
    o.add("lower of feature " + std::to_string(f), c.lower[f]);
    o.add("upper of feature " + std::to_string(f), c.upper[f]);
  }
  return o;
}

std::vector<std::uint32_t> every_third(std::uint64_t n) {
  std::vector<std::uint32_t> rows;
  for (std::uint64_t i = 1; i < n; i += 3) rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

template <class T>
void sweep(std::uint64_t n, std::uint32_t n_features, Layout layout, std::uint32_t max_bins, bool sampled) {
  SCOPED_TRACE(testing::Message() << n << " x " << n_features << ", layout " << static_cast<int>(layout)
                                  << ", max_bins " << max_bins << (sampled ? ", sampled" : "") << ", element size "
                                  << sizeof(T));
  constexpr Values kKinds[] = {Values::uniform,     Values::small_ints, Values::huge_range, Values::subnormal,
                               Values::constant,    Values::all_nan,    Values::some_nan,   Values::infinite,
                               Values::signed_zero, Values::adjacent};
  const HostMatrix<T> x = draw_matrix<T>(n + max_bins, n, n_features, layout, kKinds, std::size(kKinds));
  const std::vector<std::uint32_t> rows = every_third(n);
  expect_same_everywhere(
      [&](const Device& device) { return outputs_of(cut(device, x, sampled ? &rows : nullptr, max_bins)); });
}

TEST(QuantileCuts, SameBits) {
  for (std::uint64_t n : {1u, 2u, 63u, 64u, 65u, 255u, 256u, 1000u, 4096u, 4097u}) {
    for (std::uint32_t max_bins : {2u, 3u, 16u, 255u}) {
      sweep<float>(n, 10, Layout::c_order, max_bins, false);
      sweep<double>(n, 10, Layout::f_order, max_bins, true);
    }
  }
}

TEST(QuantileCuts, SameBitsOfEveryLayout) {
  for (Layout layout : kLayouts) {
    for (std::uint32_t n_features : {1u, 9u, 33u}) {
      sweep<float>(300, n_features, layout, 64, false);
      sweep<float>(300, n_features, layout, 64, true);
      sweep<double>(300, n_features, layout, 64, false);
      sweep<double>(300, n_features, layout, 64, true);
    }
  }
}

TEST(QuantileCuts, SameBitsUnaligned) {
  const Unaligned shifted(1);
  sweep<float>(1001, 10, Layout::c_order, 255, false);
  sweep<double>(1001, 10, Layout::f_order, 16, true);
}

TEST(QuantileCuts, SameBitsOfManyRows) {
  sweep<float>(70000, 10, Layout::c_order, 255, false);
  sweep<double>(70000, 10, Layout::c_order, 255, false);
  sweep<float>(300000, 3, Layout::f_order, 255, false);
  sweep<double>(300000, 3, Layout::c_order, 200, true);
}

// The contract once more, with the library's sort and text left out: all pairs of neighbours, counted.
template <class T>
void brute_force(const HostMatrix<T>& x, std::uint32_t max_bins, const Cuts& c) {
  for (std::uint32_t f = 0; f < x.n_features; ++f) {
    std::vector<double> s;
    for (std::uint64_t row = 0; row < x.n_rows; ++row) {
      const auto v = static_cast<double>(x.at(row, f));
      if (!std::isnan(v)) s.push_back(v);
    }
    std::sort(s.begin(), s.end());  // no NaN; the two zeros are equal
    std::vector<double> distinct = s;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::pair<double, double>> want;
    for (std::size_t d = 1; d < distinct.size(); ++d) {
      bool taken = distinct.size() <= max_bins;
      const auto p = static_cast<std::uint64_t>(std::lower_bound(s.begin(), s.end(), distinct[d]) - s.begin());
      const auto q = static_cast<std::uint64_t>(std::upper_bound(s.begin(), s.end(), distinct[d]) - s.begin());
      for (std::uint64_t j = 1; j < max_bins && !taken; ++j) {
        const std::uint64_t r = j * s.size() / max_bins;
        taken = r >= p && r < q;
      }
      if (taken) want.emplace_back(distinct[d - 1], distinct[d]);
    }
    ASSERT_EQ(c.n_cuts[f], want.size()) << "feature " << f;
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(c.lower[f][i], want[i].first) << "feature " << f << " cut " << i;
      ASSERT_EQ(c.upper[f][i], want[i].second) << "feature " << f << " cut " << i;
      ASSERT_FALSE(std::signbit(c.lower[f][i]) && c.lower[f][i] == 0.0) << "-0 must have become +0";
    }
  }
}

TEST(QuantileCuts, BruteForce) {
  for (std::uint64_t n : {1u, 7u, 100u, 1000u, 5000u}) {
    for (std::uint32_t max_bins : {2u, 5u, 255u}) {
      const HostMatrix<float> x = draw_matrix<float>(n, n, 9, Layout::c_order);
      const HostMatrix<double> y = draw_matrix<double>(n, n, 9, Layout::c_order);
      everywhere([&](const Device& device) {
        brute_force(x, max_bins, cut(device, x, nullptr, max_bins));
        brute_force(y, max_bins, cut(device, y, nullptr, max_bins));
      });
    }
  }
}

// Ten values, three bins: r = floor(10 / 3) = 3 and floor(20 / 3) = 6. s[3] = 2 starts at p = 2 (between 1 and 2),
// s[6] = 5 starts at p = 6 (between 4 and 5).
TEST(QuantileCuts, ByHand) {
  HostMatrix<float> x = empty_matrix<float>(10, 1, Layout::c_order);
  const float values[] = {9, 2, 0, 8, 2, 4, 1, 5, 7, 3};  // sorted: 0 1 2 2 3 4 5 7 8 9
  for (std::uint64_t i = 0; i < 10; ++i) x.at(i, 0) = values[i];
  everywhere([&](const Device& device) {
    const Cuts c = cut(device, x, nullptr, 3);
    EXPECT_EQ(c.n_cuts, std::vector<std::uint32_t>{2});
    EXPECT_EQ(c.lower[0], (std::vector<double>{1, 4}));
    EXPECT_EQ(c.upper[0], (std::vector<double>{2, 5}));
  });
}

// -inf < -2 < -1 < -2^-149 < 0 (either zero) < 1: the total order (C7).
TEST(QuantileCuts, OrderOfNegativeValues) {
  HostMatrix<float> x = empty_matrix<float>(7, 1, Layout::c_order);
  const float values[] = {-1, 0.0f, -HUGE_VALF, 1, -0x1p-149f, -0.0f, -2};
  for (std::uint64_t i = 0; i < 7; ++i) x.at(i, 0) = values[i];
  everywhere([&](const Device& device) {
    const Cuts c = cut(device, x, nullptr, 16);
    EXPECT_EQ(c.lower[0], (std::vector<double>{-HUGE_VAL, -2, -1, -0x1p-149, 0}));
    EXPECT_EQ(c.upper[0], (std::vector<double>{-2, -1, -0x1p-149, 0, 1}));
  });
}

TEST(QuantileCuts, RefusesBadArguments) {
  const HostMatrix<float> x = draw_matrix<float>(1, 10, 2, Layout::c_order);
  const std::vector<std::uint32_t> outside = {0, 10};
  everywhere([&](const Device& device) {
    for (std::uint32_t max_bins : {0u, 1u, 256u})
      error_of(ErrorCode::invalid_argument, [&] { cut(device, x, nullptr, max_bins); });
    error_of(ErrorCode::invalid_argument, [&] { cut(device, x, &outside, 8); });
  });
}

}  // namespace
}  // namespace samebits::test
