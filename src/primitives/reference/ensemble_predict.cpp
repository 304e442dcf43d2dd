#include "numerics/ops/tree.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

// Number (within the tree) of the leaf that a row reaches.
std::uint32_t leaf_of(const sb_matrix& x, std::uint64_t row, const sb_tree_node* node) {
  std::uint32_t k = 0;
  while (node[k].feature >= 0) {
    const double value = value_at(x, row, static_cast<std::uint32_t>(node[k].feature));
    const bool left = sb_value_goes_left(value, node[k].threshold, node[k].default_left) != 0;
    k = left ? node[k].left : node[k].left + 1;
  }
  return k;
}

}  // namespace

sb_status ensemble_predict(const sb_ensemble_predict_args& a) {
  const std::uint64_t n_trees = a.tree_end - a.tree_begin;
  for (std::uint64_t row = 0; row < a.x.n_rows; ++row) {
    for (std::uint32_t t = a.tree_begin; t < a.tree_end; ++t) {
      const sb_tree_node* tree = a.node + a.tree_offset[t];
      const std::uint32_t leaf = leaf_of(a.x, row, tree);
      if (a.score != nullptr) a.score[row] = sb_score_add(a.score[row], tree[leaf].value);
      if (a.leaf != nullptr) a.leaf[row * n_trees + (t - a.tree_begin)] = static_cast<std::int32_t>(leaf);
    }
  }
  return SB_OK;
}

}  // namespace samebits::reference
