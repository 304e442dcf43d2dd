// bin_assign/1.
#include "support/matrix.hpp"
#include "support/same_bits.hpp"

#include <algorithm>
#include <cmath>

namespace samebits::test {
namespace {

struct Edges {
  std::vector<double> value;
  std::vector<std::uint32_t> offset{0};

  void add(std::vector<double> edges) {
    std::sort(edges.begin(), edges.end());
    value.insert(value.end(), edges.begin(), edges.end());
    offset.push_back(static_cast<std::uint32_t>(value.size()));
  }
};

// Up to 254 edges a feature: values of the column itself (equality is decided exactly) and values just beside them in
// f64, which are no f32.
template <class T>
Edges draw_edges(const HostMatrix<T>& x) {
  Edges edges;
  Random random(x.n_rows + x.n_features);
  for (std::uint32_t f = 0; f < x.n_features; ++f) {
    std::vector<double> e;
    const std::uint64_t n = f % 7 == 3 ? 0 : f % 7 == 5 ? 254 : random.below(255);
    for (std::uint64_t i = 0; i < n && x.n_rows > 0; ++i) {
      auto v = static_cast<double>(x.at(random.below(x.n_rows), f));
      if (!std::isfinite(v)) v = random.between(-2, 2);
      const std::uint64_t beside = random.below(3);
      e.push_back(beside == 0 ? v : std::nextafter(v, beside == 1 ? -HUGE_VAL : HUGE_VAL));
    }
    edges.add(e);
  }
  return edges;
}

struct Codes {
  std::vector<std::uint8_t> data, columns;
  std::uint64_t n_infinite;
};

template <class T>
Codes assign(const Device& device, const HostMatrix<T>& x, const Edges& edges, bool columns) {
  DeviceArray<T> in(device, x.storage);
  DeviceArray<std::uint8_t> data(device, sb_bins_bytes(x.n_rows, x.n_features));
  DeviceArray<std::uint8_t> by_column(device, columns ? x.n_rows * x.n_features : 0);
  const sb_bins bins{data.data(), x.n_rows, x.n_features, sb_bins_width(x.n_features),
                     columns ? by_column.data() : nullptr};
  Codes c{{}, {}, 77};
  sb_bin_assign_args args{x.view(in.data()), edges.value.data(), edges.offset.data(), bins, &c.n_infinite};
  call(device, "bin_assign", &sb_primitives::bin_assign, args);
  c.data = data.read();
  c.columns = by_column.read();
  return c;
}

template <class T>
void sweep(std::uint64_t n, std::uint32_t n_features, Layout layout) {
  constexpr Values kKinds[] = {Values::uniform,     Values::small_ints, Values::huge_range, Values::subnormal,
                               Values::constant,    Values::all_nan,    Values::some_nan,   Values::infinite,
                               Values::signed_zero, Values::adjacent};
  const HostMatrix<T> x = draw_matrix<T>(n + n_features, n, n_features, layout, kKinds, std::size(kKinds));
  const Edges edges = draw_edges(x);
  for (bool columns : {false, true}) {
    SCOPED_TRACE(testing::Message() << n << " x " << n_features << ", layout " << static_cast<int>(layout)
                                    << ", element size " << sizeof(T));
    expect_same_everywhere([&](const Device& device) {
      const Codes c = assign(device, x, edges, columns);
      Outputs o;
      o.add("data", c.data);
      o.add("columns", c.columns);
      o.add_one("n_infinite", c.n_infinite);
      return o;
    });
  }
}

TEST(BinAssign, SameBits) {
  for (std::uint64_t n : {1u, 2u, 63u, 64u, 65u, 1000u, 4096u, 4097u}) {
    for (std::uint32_t n_features : {1u, 3u, 8u, 9u, 16u, 17u, 28u, 33u, 70u}) {
      sweep<float>(n, n_features, Layout::c_order);
      if (n <= 1000) sweep<double>(n, n_features, Layout::f_order);
    }
  }
}

TEST(BinAssign, SameBitsOfEveryLayout) {
  for (Layout layout : kLayouts) {
    for (std::uint32_t n_features : {1u, 9u, 33u}) {
      sweep<float>(700, n_features, layout);
      sweep<double>(700, n_features, layout);
    }
  }
}

TEST(BinAssign, SameBitsUnaligned) {
  for (std::uint64_t shift : {1u, 3u}) {
    const Unaligned shifted(shift);
    for (std::uint32_t n_features : {1u, 9u, 33u}) {
      sweep<float>(701, n_features, Layout::c_order);
      sweep<double>(701, n_features, Layout::f_order);
    }
  }
}

TEST(BinAssign, RowAloneEqualsRowInBatch) {
  const HostMatrix<float> x = draw_matrix<float>(9, 200, 20, Layout::c_order);
  const Edges edges = draw_edges(x);
  everywhere([&](const Device& device) {
    const std::vector<std::uint8_t> all = assign(device, x, edges, false).data;
    for (std::uint64_t row = 0; row < 200; row += 7) {
      HostMatrix<float> one = x;  // a view of one row
      one.n_rows = 1;
      one.origin = static_cast<std::int64_t>(row) * x.row_stride;
      const std::vector<std::uint8_t> alone = assign(device, one, edges, false).data;
      for (std::uint64_t f = 0; f < 20; ++f) EXPECT_EQ(alone[f], all[row * 32 + f]);
    }
  });
}

TEST(BinAssign, SameBitsOfManyRows) {
  sweep<float>(70000, 10, Layout::c_order);
  sweep<double>(300000, 3, Layout::f_order);
}

// f32 values against f64 edges, exactly: 0.1f = 0.100000001490116... lies above the double 0.1, the float below it does
// not. Codes: edges {0.1, 0.5}: x <= 0.1 -> 0, x <= 0.5 -> 1, else 2, NaN -> 3.
TEST(BinAssign, ByHand) {
  HostMatrix<float> x = empty_matrix<float>(8, 1, Layout::c_order);
  const float values[] = {
      0.1f, std::nextafter(0.1f, 0.0f), 0.5f, std::nextafter(0.5f, 1.0f), NAN, -HUGE_VALF, HUGE_VALF, -0.0f};
  for (std::uint64_t i = 0; i < 8; ++i) x.at(i, 0) = values[i];
  Edges edges;
  edges.add({0.1, 0.5});
  everywhere([&](const Device& device) {
    const Codes c = assign(device, x, edges, true);
    EXPECT_EQ(c.columns, (std::vector<std::uint8_t>{1, 0, 1, 2, 3, 0, 2, 0}));
    EXPECT_EQ(c.n_infinite, 2u);
    for (std::uint64_t i = 0; i < 8; ++i) {
      EXPECT_EQ(c.data[8 * i], c.columns[i]);
      for (std::uint64_t padding = 1; padding < 8; ++padding) EXPECT_EQ(c.data[8 * i + padding], 0);
    }
  });
}

// Magnitudes that f32 does not have: every finite float is below 1e300 and above -1e300.
TEST(BinAssign, EdgesOutsideF32) {
  HostMatrix<float> x = empty_matrix<float>(4, 1, Layout::c_order);
  const float values[] = {3.4028235e38f, -3.4028235e38f, HUGE_VALF, -HUGE_VALF};
  for (std::uint64_t i = 0; i < 4; ++i) x.at(i, 0) = values[i];
  Edges edges;
  edges.add({-1e300, -1e-320, 1e-320, 1e300});
  everywhere([&](const Device& device) {
    EXPECT_EQ(assign(device, x, edges, true).columns, (std::vector<std::uint8_t>{3, 1, 4, 0}));
  });
}

}  // namespace
}  // namespace samebits::test
