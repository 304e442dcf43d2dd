#include "numerics/arith/arith.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

std::uint8_t code_of(const sb_bin_assign_args& a, double x, std::uint32_t f) {
  const std::uint32_t begin = a.edge_offset[f], end = a.edge_offset[f + 1];
  if (sb_isnan_f64(x) != 0) return static_cast<std::uint8_t>(end - begin + 1);
  std::uint8_t code = 0;
  for (std::uint32_t e = begin; e < end; ++e) code += x > a.edges[e] ? 1 : 0;
  return code;
}

}  // namespace

sb_status bin_assign(const sb_bin_assign_args& a) {
  *a.n_infinite = 0;
  const std::uint64_t bytes = sb_bins_bytes(a.bins.n_rows, a.bins.n_features);
  for (std::uint64_t i = 0; i < bytes; ++i) a.bins.data[i] = 0;
  for (std::uint32_t f = 0; f < a.x.n_features; ++f) {
    for (std::uint64_t row = 0; row < a.x.n_rows; ++row) {
      const double x = value_at(a.x, row, f);
      *a.n_infinite += sb_isinf_f64(x) != 0 ? 1 : 0;
      const std::uint8_t code = code_of(a, x, f);
      a.bins.data[code_index(a.bins, row, f)] = code;
      if (a.bins.columns != nullptr) a.bins.columns[f * a.bins.n_rows + row] = code;
    }
  }
  return SB_OK;
}

}  // namespace samebits::reference
