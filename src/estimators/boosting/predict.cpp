#include "estimators/boosting/check.hpp"
#include "estimators/boosting/device_data.hpp"
#include "numerics/elementary/logistic_f64.h"
#include "primitives/dispatch/call.hpp"
#include "runtime/fp_env.hpp"

#include <algorithm>
#include <string>

namespace samebits::boosting {
namespace {

std::vector<sb_tree_node> nodes_of(const Model& m) {
  const Trees& t = m.trees;
  std::vector<sb_tree_node> nodes(t.feature.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    nodes[k] = {t.threshold[k], t.value[k], t.feature[k], t.left[k], t.default_left[k]};
  }
  return nodes;
}

// Scores of rows, trees added range by range.
class Predictor {
 public:
  Predictor(const Device& device, const Model& model, const Matrix& x)
      : device_(device),
        model_(model),
        x_(device, x),
        nodes_(nodes_of(model)),
        score_(device, x.n_rows),
        host_(x.n_rows) {
    sb_fill_f32_args fill{score_.data(), model.init_score, x.n_rows};
    call(device, "fill_f32", &sb_primitives::fill_f32, fill);
  }

  void add_trees(std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    sb_ensemble_predict_args args{x_.view(),     nodes_.data(), model_.trees.tree_offset.data(), begin, end,
                                  score_.data(), nullptr};
    call(device_, "ensemble_predict", &sb_primitives::ensemble_predict, args);
  }

  void read(double* out) {
    score_.download(host_.data(), host_.size());
    for (std::size_t i = 0; i < host_.size(); ++i)
      out[i] = model_.output_offset + model_.output_scale * static_cast<double>(host_[i]);
  }

 private:
  const Device& device_;
  const Model& model_;
  DeviceMatrix x_;
  std::vector<sb_tree_node> nodes_;
  Buffer<float> score_;
  std::vector<float> host_;
};

[[noreturn]] void malformed(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "[boosting] the model is malformed: " + what);
}

void validate_tree(const Model& m, std::uint32_t tree) {
  const Trees& t = m.trees;
  const std::uint64_t begin = t.tree_offset[tree], n = t.tree_offset[tree + 1] - begin;
  for (std::uint64_t k = 0; k < n; ++k) {
    std::int32_t f = t.feature[begin + k];
    if (f < 0) continue;
    if (static_cast<std::uint32_t>(f) >= m.n_features)
      malformed("tree " + std::to_string(tree) + " uses feature " + std::to_string(f) + " of " +
                std::to_string(m.n_features));
    // Children behind their parent: no cycles, and depth can be computed in one pass.
    std::uint64_t left = t.left[begin + k];
    if (left <= k || left + 1 >= n)
      malformed("tree " + std::to_string(tree) + " node " + std::to_string(k) + " has child " + std::to_string(left) +
                " of " + std::to_string(n));
    if (t.threshold[begin + k] != t.threshold[begin + k])
      malformed("tree " + std::to_string(tree) + " has a NaN threshold");
  }
}

void check_tree_count(const Model& model, std::uint32_t n_trees) {
  if (n_trees <= model.n_trees) return;
  throw Error(ErrorCode::invalid_argument, "[boosting] " + std::to_string(n_trees) +
                                               " trees were asked for, the model has " + std::to_string(model.n_trees));
}

}  // namespace

void predict_raw(const Device& device, const Model& model, const Matrix& x, std::uint32_t n_trees, double* out) {
  FpEnvGuard environment;
  check_matrix(x, model.n_features, "prediction");
  if (n_trees > model.n_trees)
    throw Error(ErrorCode::invalid_argument, "[boosting] " + std::to_string(n_trees) +
                                                 " trees were asked for, the model has " +
                                                 std::to_string(model.n_trees));
  Predictor p(device, model, x);
  p.add_trees(0, n_trees);
  p.read(out);
}

void staged_predict_raw(const Device& device, const Model& model, const Matrix& x, std::uint32_t n_trees, double* out) {
  FpEnvGuard environment;
  check_matrix(x, model.n_features, "prediction");
  check_tree_count(model, n_trees);
  Predictor p(device, model, x);
  for (std::uint32_t t = 0; t < n_trees; ++t) {
    p.add_trees(t, t + 1);
    p.read(out + t * x.n_rows);
  }
}

void apply(const Device& device, const Model& model, const Matrix& x, std::uint32_t n_trees, std::int32_t* out) {
  FpEnvGuard environment;
  check_matrix(x, model.n_features, "prediction");
  check_tree_count(model, n_trees);
  if (n_trees == 0) return;
  DeviceMatrix matrix(device, x);
  std::vector<sb_tree_node> nodes = nodes_of(model);
  Buffer<std::int32_t> leaf(device, x.n_rows * n_trees);
  sb_ensemble_predict_args args{matrix.view(), nodes.data(), model.trees.tree_offset.data(), 0, n_trees,
                                nullptr,       leaf.data()};
  call(device, "ensemble_predict", &sb_primitives::ensemble_predict, args);
  leaf.download(out, leaf.size());
}

void validate(const Model& m) {
  const Trees& t = m.trees;
  if (m.n_features == 0) malformed("it has no features");
  if (t.tree_offset.empty() || t.tree_offset.size() != std::size_t{m.n_trees} + 1 || t.tree_offset.front() != 0)
    malformed("its tree offsets do not match " + std::to_string(m.n_trees) + " trees");
  const std::size_t n = t.feature.size();
  if (t.threshold.size() != n || t.bin.size() != n || t.default_left.size() != n || t.left.size() != n ||
      t.value.size() != n || t.gain.size() != n || t.cover.size() != n || t.count.size() != n ||
      t.tree_offset.back() != n)
    malformed("its node arrays have different lengths");
  if (m.edge_offset.size() != std::size_t{m.n_features} + 1 || m.edge_offset.front() != 0 ||
      m.edge_offset.back() != m.edges.size() || !std::is_sorted(m.edge_offset.begin(), m.edge_offset.end()))
    malformed("its bin edges do not match its features");
  for (std::uint32_t tree = 0; tree < m.n_trees; ++tree) {
    if (t.tree_offset[tree + 1] <= t.tree_offset[tree] || t.tree_offset[tree + 1] > n)
      malformed("tree " + std::to_string(tree) + " is empty or out of range");
    validate_tree(m, tree);
  }
}

void logistic(const double* raw, std::uint64_t n, double* out) {
  FpEnvGuard environment;
  for (std::uint64_t i = 0; i < n; ++i) out[i] = sb_logistic_f64(raw[i]);
}

}  // namespace samebits::boosting
