#include "numerics/reduce/reduce.h"
#include "primitives/reference/reference.hpp"

#include <vector>

namespace samebits::reference {

sb_status reduce_sum(const sb_reduce_sum_args& a) {
  std::vector<double> term(a.n), scratch(sb_reduce_tiles(a.n));
  for (std::uint64_t i = 0; i < a.n; ++i) term[i] = a.y == nullptr ? a.x[i] : a.x[i] * a.y[i];
  *a.out = sb_reduce_sum_f64(term.data(), a.n, scratch.data());
  return SB_OK;
}

}  // namespace samebits::reference
