// Feature matrices of every memory layout, each column of another kind of values.
#pragma once

#include "primitives/contract/types.h"
#include "support/device_array.hpp"
#include "support/values.hpp"

#include <cstdint>
#include <vector>

namespace samebits::test {

enum class Layout {
  c_order,
  f_order,
  c_padded,
  f_padded,
  rows_reversed,
  columns_reversed,
  every_second,
  offset_by_one
};
constexpr Layout kLayouts[] = {Layout::c_order,      Layout::f_order,       Layout::c_padded,
                               Layout::f_padded,     Layout::rows_reversed, Layout::columns_reversed,
                               Layout::every_second, Layout::offset_by_one};

template <class T>
struct HostMatrix {
  std::uint64_t n_rows = 0;
  std::uint32_t n_features = 0;
  std::int64_t row_stride = 0, column_stride = 0;
  std::int64_t origin = 0;  // of element (0, 0)
  std::vector<T> storage;

  T& at(std::uint64_t row, std::uint32_t f) {
    return storage[static_cast<std::size_t>(origin + static_cast<std::int64_t>(row) * row_stride + f * column_stride)];
  }
  const T& at(std::uint64_t row, std::uint32_t f) const { return const_cast<HostMatrix*>(this)->at(row, f); }
  // The matrix in a copy of the storage that lies at `data` on a device.
  sb_matrix view(const T* data) const {
    return {data + origin, sizeof(T) == 4 ? SB_DTYPE_F32 : SB_DTYPE_F64, n_rows, n_features, row_stride, column_stride};
  }
};

template <class T>
HostMatrix<T> empty_matrix(std::uint64_t n, std::uint32_t n_features, Layout layout) {
  HostMatrix<T> m;
  m.n_rows = n;
  m.n_features = n_features;
  const auto rows = static_cast<std::int64_t>(n), columns = static_cast<std::int64_t>(n_features);
  m.row_stride = columns;
  m.column_stride = 1;
  switch (layout) {
    case Layout::c_order: break;
    case Layout::f_order: m.row_stride = 1, m.column_stride = rows; break;
    case Layout::c_padded: m.row_stride = columns + 3; break;
    case Layout::f_padded: m.row_stride = 1, m.column_stride = rows + 5; break;
    case Layout::rows_reversed: m.row_stride = -columns, m.origin = n == 0 ? 0 : (rows - 1) * columns; break;
    case Layout::columns_reversed: m.column_stride = -1, m.origin = columns - 1; break;
    case Layout::every_second: m.row_stride = 4 * columns, m.column_stride = 2; break;
    case Layout::offset_by_one: m.origin = 1; break;
  }
  std::int64_t last = 0;
  for (std::int64_t row : {std::int64_t{0}, rows - 1}) {
    for (std::int64_t f : {std::int64_t{0}, columns - 1}) {
      const std::int64_t i = m.origin + row * m.row_stride + f * m.column_stride;
      if (i > last) last = i;
    }
  }
  m.storage = poisoned<T>(static_cast<std::uint64_t>(last) + 1);
  return m;
}

// Column f is of kind kinds[(f + seed) % count].
template <class T>
HostMatrix<T> draw_matrix(std::uint64_t seed, std::uint64_t n, std::uint32_t n_features, Layout layout,
                          const Values* kinds, std::size_t n_kinds) {
  HostMatrix<T> m = empty_matrix<T>(n, n_features, layout);
  for (std::uint32_t f = 0; f < n_features; ++f) {
    Random random(seed * 1000 + f);
    for (std::uint64_t row = 0; row < n; ++row) draw(random, kinds[(f + seed) % n_kinds], &m.at(row, f));
  }
  return m;
}

template <class T>
HostMatrix<T> draw_matrix(std::uint64_t seed, std::uint64_t n, std::uint32_t n_features, Layout layout) {
  return draw_matrix<T>(seed, n, n_features, layout, kFiniteOrNan, std::size(kFiniteOrNan));
}

}  // namespace samebits::test
