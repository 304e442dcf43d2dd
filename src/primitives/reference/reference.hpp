// What the definitions share: their declarations, reading one element, the text of the last error. A definition is as
// plain as its contract: one thread, one loop, no state between calls.
#pragma once

#include "primitives/contract/table.h"

#include <cstdint>
#include <string>

namespace samebits::reference {

// Sets the calling thread's error text and returns SB_ERROR_INVALID.
sb_status refuse(const std::string& text);

// f32 values are exact as f64, so that one text serves both types.
inline double value_at(const sb_matrix& x, std::uint64_t row, std::uint32_t f) {
  std::int64_t i = static_cast<std::int64_t>(row) * x.row_stride + static_cast<std::int64_t>(f) * x.column_stride;
  return x.dtype == SB_DTYPE_F32 ? static_cast<double>(static_cast<const float*>(x.data)[i])
                                 : static_cast<const double*>(x.data)[i];
}

inline std::uint64_t code_index(const sb_bins& bins, std::uint64_t row, std::uint32_t f) {
  return ((f / bins.width) * bins.n_rows + row) * bins.width + f % bins.width;
}

inline std::uint32_t code_at(const sb_bins& bins, std::uint64_t row, std::uint32_t f) {
  return bins.data[code_index(bins, row, f)];
}

// The code of a missing value of feature f, and the number of its other cells.
inline std::uint32_t missing_cell(const sb_histogram_layout& layout, std::uint32_t f) {
  return layout.offset_host[f + 1] - layout.offset_host[f] - 1;
}

#define SB_DECLARE(name) sb_status name(const sb_##name##_args& a);
SB_FOR_EACH_PRIMITIVE(SB_DECLARE)
#undef SB_DECLARE

}  // namespace samebits::reference
