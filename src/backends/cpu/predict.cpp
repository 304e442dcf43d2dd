#include "backends/cpu/context.hpp"
#include "numerics/arith/arith.h"
#include "numerics/ops/tree.h"

#include <algorithm>

namespace samebits::cpu {
namespace {

std::uint32_t depth_of(const sb_tree_node* node, std::uint64_t n) {
  std::vector<std::uint32_t> depth(n, 0);  // children have larger numbers than their parent
  std::uint32_t deepest = 0;
  for (std::uint64_t k = 0; k < n; ++k) {
    if (node[k].feature < 0) continue;
    depth[node[k].left] = depth[node[k].left + 1] = depth[k] + 1;
    deepest = std::max(deepest, depth[k] + 1);
  }
  return deepest;
}

float threshold_as(double t, float) { return sb_floor_f32(t); }
double threshold_as(double t, double) { return t; }

template <class Node, class T>
std::vector<Node> flatten(const sb_tree_node* node, std::uint64_t n) {
  std::vector<Node> flat(n);
  for (std::uint64_t k = 0; k < n; ++k) {
    auto self = static_cast<std::uint32_t>(k);
    Node f{};
    if (node[k].feature < 0) {
      f.threshold = sb_infinity_f32();
      f.left = self;
      f.default_left = 1;
    } else {
      f.feature = node[k].feature;
      f.threshold = threshold_as(node[k].threshold, T());
      f.left = node[k].left;
      f.default_left = node[k].default_left;
    }
    flat[k] = f;
  }
  return flat;
}

// Rows of a block stay in cache while all trees pass over them.
constexpr std::uint64_t kPredictRows = 1024;

template <class Tree, class Node, class T, class Kernel>
void predict_all(Context& c, const sb_ensemble_predict_args& a, Kernel kernel) {
  const std::uint32_t n_trees = a.tree_end - a.tree_begin;
  std::vector<std::vector<Node>> nodes(n_trees);
  std::vector<std::vector<float>> values(n_trees);
  std::vector<Tree> trees(n_trees);
  for (std::uint32_t t = 0; t < n_trees; ++t) {
    std::uint64_t begin = a.tree_offset[a.tree_begin + t], end = a.tree_offset[a.tree_begin + t + 1];
    nodes[t] = flatten<Node, T>(a.node + begin, end - begin);
    for (std::uint64_t k = begin; k < end; ++k) values[t].push_back(a.node[k].value);
    trees[t] = {nodes[t].data(), values[t].data(), depth_of(a.node + begin, end - begin)};
  }
  const int threads = threads_for(c, a.x.n_rows * n_trees * 10);
  run_team(threads, [&](int index) {
    std::uint64_t from, to;
    team_part(a.x.n_rows, threads, index, 64, &from, &to);
    for (std::uint64_t row = from; row < to; row += kPredictRows) {
      std::uint64_t n = std::min(kPredictRows, to - row);
      const T* x = static_cast<const T*>(a.x.data) + static_cast<std::int64_t>(row) * a.x.row_stride;
      for (std::uint32_t turn = 0; turn < n_trees; ++turn) {
        const std::uint32_t t = sb_tree_in_turn(turn, n_trees, a.x.n_rows);
        kernel(&trees[t], x, a.x.row_stride, a.x.column_stride, n, a.score != nullptr ? a.score + row : nullptr,
               a.leaf != nullptr ? a.leaf + row * n_trees + t : nullptr, n_trees);
      }
    }
  });
}

}  // namespace

sb_status ensemble_predict(sb_context* context, const sb_ensemble_predict_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  if (args->x.dtype == SB_DTYPE_F32) {
    predict_all<sb_flat_tree_f32, sb_flat_node_f32, float>(c, *args, c.kernels->predict_f32);
  } else {
    predict_all<sb_flat_tree_f64, sb_flat_node_f64, double>(c, *args, c.kernels->predict_f64);
  }
  return SB_OK;
}

}  // namespace samebits::cpu
