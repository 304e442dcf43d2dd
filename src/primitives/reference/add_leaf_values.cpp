#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status add_leaf_values(const sb_add_leaf_values_args& a) {
  for (std::uint32_t j = 0; j < a.n_leaves; ++j) {
    for (std::uint64_t i = a.begin[j]; i < a.end[j]; ++i) a.score[a.rows[i]] = a.score[a.rows[i]] + a.value[j];
  }
  return SB_OK;
}

}  // namespace samebits::reference
