#include "primitives/reference/reference.hpp"

namespace samebits::reference {

// Plain integer sums: the separating arm `float_histogram` must not reach the definition.
sb_status histogram_build(const sb_histogram_build_args& a) {
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    const std::uint64_t first = static_cast<std::uint64_t>(a.slot[j]) * a.layout.n_cells;
    for (std::uint64_t cell = first; cell < first + a.layout.n_cells; ++cell) {
      a.pool.gradient[cell] = 0;
      a.pool.hessian[cell] = 0;
      a.pool.count[cell] = 0;
    }
    for (std::uint64_t i = a.begin[j]; i < a.end[j]; ++i) {
      const std::uint64_t row = a.rows == nullptr ? i : a.rows[i];
      for (std::uint32_t k = 0; k < a.n_active; ++k) {
        const std::uint32_t f = a.feature[k];
        const std::uint64_t cell = first + a.layout.offset_host[f] + code_at(a.bins, row, f);
        a.pool.gradient[cell] += a.gh[2 * row];
        a.pool.hessian[cell] += a.gh[2 * row + 1];
        a.pool.count[cell] += 1;
      }
    }
  }
  return SB_OK;
}

}  // namespace samebits::reference
