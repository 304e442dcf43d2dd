#include "numerics/ops/tree.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

const sb_binned_node& leaf_of(const sb_add_tree_binned_args& a, std::uint64_t row) {
  std::uint32_t k = 0;
  while (a.node[k].feature >= 0) {
    const sb_binned_node& node = a.node[k];
    const auto f = static_cast<std::uint32_t>(node.feature);
    const std::uint32_t code = code_at(a.bins, row, f);
    const bool left = sb_code_goes_left(code, node.bin, missing_cell(a.layout, f), node.default_left) != 0;
    k = left ? node.left : node.left + 1;
  }
  return a.node[k];
}

}  // namespace

sb_status add_tree_binned(const sb_add_tree_binned_args& a) {
  for (std::uint64_t row = 0; row < a.bins.n_rows; ++row) {
    a.score[row] = sb_score_add(a.score[row], leaf_of(a, row).value);
  }
  return SB_OK;
}

}  // namespace samebits::reference
