#include "backends/gpu/primitives.hpp"

namespace samebits::gpu {

void add_leaf_values(Context& context, const sb_add_leaf_values_args& a) {
  const std::vector<std::uint32_t> first = first_tiles(a.begin, a.end, a.n_leaves, SB_LEAF_TILE);
  if (first[a.n_leaves] == 0) return;
  Upload up(context);
  const auto first_tile = up.add(first);
  const auto begin = up.add(a.begin, a.n_leaves);
  const auto end = up.add(a.end, a.n_leaves);
  const auto value = up.add(a.value, a.n_leaves);
  up.send();
  SB_LAUNCH(context, sb_leaf_add, Grid{first[a.n_leaves]}, a.score, a.rows, a.n_leaves, up[first_tile], up[begin],
            up[end], up[value]);
}

void add_tree_binned(Context& context, const sb_add_tree_binned_args& a) {
  std::vector<std::uint32_t> missing(a.n_nodes);
  for (std::uint32_t i = 0; i < a.n_nodes; ++i) {
    const std::int32_t f = a.node[i].feature;
    if (f >= 0) missing[i] = a.layout.offset_host[f + 1] - a.layout.offset_host[f] - 1;
  }
  Upload up(context);
  const auto node = up.add(a.node, a.n_nodes);
  const auto none = up.add(missing);
  up.send();
  SB_LAUNCH(context, sb_tree_add, stride_grid(context, a.bins.n_rows), a.bins.data, a.bins.n_rows, a.bins.width,
            up[node], up[none], a.n_nodes, a.score);
}

void ensemble_predict(Context& context, const sb_ensemble_predict_args& a) {
  if (a.tree_end <= a.tree_begin || a.x.n_rows == 0) return;
  const std::uint32_t n_trees = a.tree_end - a.tree_begin;
  const std::uint64_t first = a.tree_offset[a.tree_begin];
  std::vector<std::uint64_t> offset(n_trees);
  for (std::uint32_t t = 0; t < n_trees; ++t) offset[t] = a.tree_offset[a.tree_begin + t] - first;
  std::vector<sb_walk_node> nodes;
  for (std::uint64_t k = first; k < a.tree_offset[a.tree_end]; ++k) nodes.push_back(sb_pack_node(a.node[k]));
  Upload up(context);
  const auto node = up.add(nodes);
  const auto offsets = up.add(offset);
  up.send();
  SB_LAUNCH(context, sb_ensemble_add, Grid{ceil_div(a.x.n_rows, SB_BLOCK)}, a.x.data, a.x.dtype, a.x.n_rows,
            a.x.row_stride, a.x.column_stride, up[node], up[offsets], n_trees, a.score, a.leaf);
}

}  // namespace samebits::gpu
