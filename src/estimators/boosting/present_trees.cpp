#include "estimators/boosting/present_trees.hpp"

#include "samebits/error.hpp"

#include <charconv>
#include <cstring>
#include <string>

namespace samebits::boosting {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_argument, "[boosting] cannot continue the fit: " + text);
}

template <class T>
std::string text(T x) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), x).ptr);
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
void need_same(const std::string& what, T now, T before) {
  if (!same_bits(now, before)) refuse(what + " is " + text(now) + ", it was " + text(before) + "; need the same data");
}

// Element k of tree `tree` in the arrays of two models.
template <class T>
void need_same_column(const char* what, std::uint32_t tree, std::uint64_t n, const T* now, const T* before) {
  for (std::uint64_t k = 0; k < n; ++k) {
    if (same_bits(now[k], before[k])) continue;
    refuse("its last tree, grown again, has another " + std::string(what) + " at node " + std::to_string(k) + ": " +
           text(now[k]) + " instead of " + text(before[k]) + " (tree " + std::to_string(tree) +
           "); need the same data and parameters");
  }
}

}  // namespace

std::vector<sb_binned_node> binned_nodes(const Trees& t, std::uint32_t tree) {
  std::vector<sb_binned_node> nodes;
  for (std::uint64_t k = t.tree_offset[tree]; k < t.tree_offset[tree + 1]; ++k)
    nodes.push_back({t.feature[k], t.bin[k], t.default_left[k], t.left[k], t.value[k]});
  return nodes;
}

void append_tree(const Trees& from, std::uint32_t tree, Model* model) {
  const auto begin = static_cast<std::ptrdiff_t>(from.tree_offset[tree]);
  const auto end = static_cast<std::ptrdiff_t>(from.tree_offset[tree + 1]);
  Trees& to = model->trees;
  const auto copy = [&](const auto& source, auto& target) {
    target.insert(target.end(), source.begin() + begin, source.begin() + end);
  };
  copy(from.feature, to.feature);
  copy(from.threshold, to.threshold);
  copy(from.bin, to.bin);
  copy(from.default_left, to.default_left);
  copy(from.left, to.left);
  copy(from.value, to.value);
  copy(from.gain, to.gain);
  copy(from.cover, to.cover);
  copy(from.count, to.count);
  to.tree_offset.push_back(to.feature.size());
  model->n_trees = static_cast<std::uint32_t>(to.tree_offset.size() - 1);
}

void check_same_beginning(const Model& fresh, const Model& start, std::uint32_t n_estimators) {
  if (fresh.loss != start.loss) refuse("the present model has another loss");
  if (n_estimators < start.n_trees)
    refuse("n_estimators is " + std::to_string(n_estimators) + ", the present model has " +
           std::to_string(start.n_trees) + " trees already; need at least as many");
  for (std::uint32_t f = 0; f < fresh.n_features; ++f) {
    const std::uint32_t n = fresh.edge_offset[f + 1] - fresh.edge_offset[f];
    const std::uint32_t before = start.edge_offset[f + 1] - start.edge_offset[f];
    const std::string feature = "feature " + std::to_string(f);
    if (n != before)
      refuse(feature + " has " + std::to_string(n + 1) + " bins, it had " + std::to_string(before + 1) +
             "; need the same data and max_bins");
    for (std::uint32_t k = 0; k < n; ++k)
      need_same("bin edge " + std::to_string(k) + " of " + feature, fresh.edges[fresh.edge_offset[f] + k],
                start.edges[start.edge_offset[f] + k]);
  }
  need_same("the mean of the targets", fresh.output_offset, start.output_offset);
  need_same("the scale of the targets", fresh.output_scale, start.output_scale);
  need_same("the start value", fresh.init_score, start.init_score);
}

void check_same_tree(const Model& grown, const Model& start, std::uint32_t tree) {
  const Trees &now = grown.trees, &before = start.trees;
  const std::uint64_t a = now.tree_offset[tree], b = before.tree_offset[tree];
  const std::uint64_t n = now.tree_offset[tree + 1] - a, n_before = before.tree_offset[tree + 1] - b;
  const std::uint64_t both = n < n_before ? n : n_before;
  const auto column = [&](const char* what, const auto& x, const auto& y) {
    need_same_column(what, tree, both, x.data() + a, y.data() + b);
  };
  column("number of training rows", now.count, before.count);
  column("sum of hessians", now.cover, before.cover);
  column("feature", now.feature, before.feature);
  column("bin", now.bin, before.bin);
  column("threshold", now.threshold, before.threshold);
  column("direction of missing values", now.default_left, before.default_left);
  column("child", now.left, before.left);
  column("gain", now.gain, before.gain);
  column("value", now.value, before.value);
  if (n != n_before)
    refuse("its last tree, grown again, has " + std::to_string(n) + " nodes instead of " + std::to_string(n_before) +
           "; need the same data and parameters");
}

}  // namespace samebits::boosting
