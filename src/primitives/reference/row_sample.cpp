#include "numerics/random/philox.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status row_sample(const sb_row_sample_args& a) {
  *a.n_kept = 0;
  for (std::uint64_t i = 0; i < a.n; ++i) {
    if (sb_philox_u32(a.seed, a.purpose, i, a.draw) < a.threshold)
      a.rows[(*a.n_kept)++] = static_cast<std::uint32_t>(i);
  }
  return SB_OK;
}

}  // namespace samebits::reference
