#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status histogram_subtract(const sb_histogram_subtract_args& a) {
  for (std::uint32_t j = 0; j < a.n_pairs; ++j) {
    for (std::uint64_t c = 0; c < a.n_cells; ++c) {
      const std::uint64_t parent = static_cast<std::uint64_t>(a.parent[j]) * a.n_cells + c;
      const std::uint64_t child = static_cast<std::uint64_t>(a.child[j]) * a.n_cells + c;
      const std::uint64_t out = static_cast<std::uint64_t>(a.out[j]) * a.n_cells + c;
      a.pool.gradient[out] = a.pool.gradient[parent] - a.pool.gradient[child];
      a.pool.hessian[out] = a.pool.hessian[parent] - a.pool.hessian[child];
      a.pool.count[out] = a.pool.count[parent] - a.pool.count[child];
    }
  }
  return SB_OK;
}

}  // namespace samebits::reference
