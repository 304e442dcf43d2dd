#include "numerics/ops/tree.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status add_leaf_values(const sb_add_leaf_values_args& a) {
  for (std::uint32_t j = 0; j < a.n_leaves; ++j) {
    for (std::uint64_t i = a.begin[j]; i < a.end[j]; ++i) {
      float& score = a.score[a.rows[i]];
      score = sb_score_add(score, a.value[j]);
    }
  }
  return SB_OK;
}

}  // namespace samebits::reference
