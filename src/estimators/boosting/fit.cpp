#include "estimators/boosting/check.hpp"
#include "estimators/boosting/grower.hpp"
#include "estimators/boosting/hooks.hpp"
#include "estimators/boosting/present_trees.hpp"
#include "estimators/boosting/purposes.hpp"
#include "estimators/boosting/scored_data.hpp"
#include "numerics/elementary/log_f64.h"
#include "numerics/ops/split.h"
#include "numerics/random/philox.h"
#include "primitives/dispatch/call.hpp"
#include "runtime/fp_env.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace samebits::boosting {
namespace {

// Start of boosting: the constant that minimises the loss.
struct Baseline {
  float init_score = 0.0f;
  TargetScale scale;
};

Baseline baseline_of(const Device& device, const Dataset& train, Loss loss) {
  Baseline b;
  double mean = weighted_mean(device, train);
  if (loss == Loss::squared_error) {
    b.scale.offset = mean;
    return b;
  }
  if (!(mean > 0.0 && mean < 1.0))
    throw Error(ErrorCode::invalid_argument,
                "[boosting] the target has one class only, need both 0 and 1 with weight above 0");
  b.init_score = static_cast<float>(sb_log_f64(mean) - sb_log_f64(1.0 - mean));
  return b;
}

class Fit {
 public:
  Fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets, const Params& params,
      const Hooks& hooks);
  FitResult run(const Model* start);

 private:
  void need_going_on(std::uint32_t tree) const;
  bool replay(const Model& start);
  std::vector<std::uint32_t> features_of(std::uint32_t tree) const;
  void grow_tree(std::uint32_t tree, bool traced);
  void append(const std::vector<GrownNode>& nodes, const Gradients& gradients);
  double current_loss() const;
  void update_scores(const std::vector<GrownNode>& nodes);
  void add_to_set(const std::vector<sb_binned_node>& nodes, ScoredData& set);
  bool evaluate(std::uint32_t tree);
  void trace_setup();
  void trace_tree(std::uint32_t tree, const std::vector<GrownNode>& nodes, const Gradients& gradients);

  const Device& device_;
  const Params& params_;
  const Hooks& hooks_;
  Baseline baseline_;
  std::unique_ptr<BinMapper> mapper_;
  std::unique_ptr<ScoredData> train_;
  std::vector<std::unique_ptr<ScoredData>> evals_;
  std::unique_ptr<Grower> grower_;
  Buffer<std::int32_t> gh_;
  FitResult result_;
  std::uint32_t rounds_without_gain_ = 0;
  double best_loss_ = 0.0;
};

Fit::Fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets, const Params& params,
         const Hooks& hooks)
    : device_(device), params_(params), hooks_(hooks) {
  baseline_ = baseline_of(device, train, params.loss);
  {
    DeviceMatrix x(device, train.x);
    mapper_ = std::make_unique<BinMapper>(device, x.view(), params.max_bins, params.seed);
    train_ = std::make_unique<ScoredData>(device, *mapper_, x.view(), train, params.loss, &baseline_.scale,
                                          params.loss == Loss::squared_error, baseline_.init_score);
  }
  for (const Dataset& d : eval_sets) {
    DeviceMatrix x(device, d.x);
    evals_.push_back(std::make_unique<ScoredData>(device, *mapper_, x.view(), d, params.loss, &baseline_.scale, false,
                                                  baseline_.init_score));
  }
  grower_ = std::make_unique<Grower>(device, *mapper_, train_->bins(), params, hooks);
  gh_ = Buffer<std::int32_t>(device, 2 * train.x.n_rows);
  Model& m = result_.model;
  m.loss = params.loss;
  m.n_features = train.x.n_features;
  m.init_score = baseline_.init_score;
  m.output_offset = baseline_.scale.offset;
  m.output_scale = sb_scale2_f64(1.0, baseline_.scale.exponent);
  m.edges = mapper_->edges;
  m.edge_offset = mapper_->edge_offset;
  result_.eval_loss.resize(eval_sets.size());
}

// A random subset of round(colsample * F) features, at least one, ascending: those of the smallest draws, ties by number.
std::vector<std::uint32_t> Fit::features_of(std::uint32_t tree) const {
  const std::uint32_t n = result_.model.n_features;
  std::vector<std::uint32_t> chosen(n);
  for (std::uint32_t f = 0; f < n; ++f) chosen[f] = f;
  auto keep = static_cast<std::uint32_t>(params_.colsample_bytree * n + 0.5);
  keep = keep < 1 ? 1 : keep;
  if (keep >= n) return chosen;
  std::vector<std::uint32_t> draw(n);
  for (std::uint32_t f = 0; f < n; ++f) draw[f] = sb_philox_u32(params_.seed, kPurposeColumnSample, f, tree);
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) { return draw[a] < draw[b]; });
  chosen.resize(keep);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void Fit::grow_tree(std::uint32_t tree, bool traced) {
  Gradients gradients;
  gradients.gh = gh_.data();
  sb_gradients_args args{static_cast<std::int32_t>(params_.loss),
                         train_->score(),
                         train_->target(),
                         train_->weight(),
                         train_->n_rows(),
                         gh_.data(),
                         &gradients.exponent_g,
                         &gradients.exponent_h};
  call(device_, "gradients", &sb_primitives::gradients, args);
  std::uint64_t n_rows = train_->n_rows();
  const bool all_rows = params_.subsample >= 1.0;
  if (!all_rows) {
    auto threshold = static_cast<std::uint64_t>(params_.subsample * 4294967296.0);
    sb_row_sample_args sample{params_.seed, kPurposeRowSample, tree, threshold, n_rows, grower_->row_list(), &n_rows};
    call(device_, "row_sample", &sb_primitives::row_sample, sample);
  }
  std::vector<GrownNode> nodes = grower_->grow(gradients, n_rows, all_rows, features_of(tree));
  append(nodes, gradients);
  update_scores(nodes);
  if (traced) trace_tree(tree, nodes, gradients);
}

void Fit::append(const std::vector<GrownNode>& nodes, const Gradients& gradients) {
  Trees& t = result_.model.trees;
  for (const GrownNode& node : nodes) {
    const bool leaf = node.left == 0;
    const auto f = leaf ? 0u : static_cast<std::uint32_t>(node.split.feature);
    t.feature.push_back(leaf ? -1 : node.split.feature);
    t.bin.push_back(leaf ? 0 : node.split.bin);
    t.threshold.push_back(leaf ? 0.0 : mapper_->threshold(f, node.split.bin));
    t.default_left.push_back(leaf ? 0 : static_cast<std::uint8_t>(node.split.default_left));
    t.left.push_back(node.left);
    t.value.push_back(leaf ? node.value : 0.0f);
    // Normalised gains are 2^(2 eg - eh - 30) times the real ones (numerics/ops/split.h), and targets were scaled.
    const std::int32_t to_real = gradients.exponent_h + 30 - 2 * gradients.exponent_g + 2 * baseline_.scale.exponent;
    t.gain.push_back(leaf ? 0.0 : sb_scale2_f64(node.split.gain, to_real));
    t.cover.push_back(sb_scale2_f64(static_cast<double>(node.sums.hessian), -gradients.exponent_h));
    t.count.push_back(node.sums.count);
  }
  t.tree_offset.push_back(t.feature.size());
  result_.model.n_trees = static_cast<std::uint32_t>(t.tree_offset.size() - 1);
}

// Rows that took part know their leaf by their place in the row list; with a row sample, all rows walk the tree.
void Fit::update_scores(const std::vector<GrownNode>& nodes) {
  const std::vector<sb_binned_node> binned = binned_nodes(result_.model.trees, result_.model.n_trees - 1);
  if (params_.subsample < 1.0) {
    add_to_set(binned, *train_);
  } else {
    std::vector<std::uint64_t> begin, end;
    std::vector<float> value;
    for (const GrownNode& node : nodes) {
      if (node.left != 0 || node.begin == node.end) continue;
      begin.push_back(node.begin);
      end.push_back(node.end);
      value.push_back(node.value);
    }
    sb_add_leaf_values_args args{train_->score(), grower_->row_list(), static_cast<std::uint32_t>(begin.size()),
                                 begin.data(),    end.data(),          value.data()};
    call(device_, "add_leaf_values", &sb_primitives::add_leaf_values, args);
  }
  for (auto& set : evals_) add_to_set(binned, *set);
}

void Fit::add_to_set(const std::vector<sb_binned_node>& nodes, ScoredData& set) {
  sb_add_tree_binned_args args{set.bins().view(), mapper_->layout(), set.score(), nodes.data(),
                               static_cast<std::uint32_t>(nodes.size())};
  call(device_, "add_tree_binned", &sb_primitives::add_tree_binned, args);
}

// Records the losses after a tree; true: stop early.
bool Fit::evaluate(std::uint32_t tree) {
  if (params_.record_train_loss) result_.train_loss.push_back(train_->mean_loss(params_.loss, baseline_.scale));
  for (std::size_t i = 0; i < evals_.size(); ++i)
    result_.eval_loss[i].push_back(evals_[i]->mean_loss(params_.loss, baseline_.scale));
  if (evals_.empty()) return false;
  double loss = result_.eval_loss.back().back();
  if (tree == 0 || loss < best_loss_ - params_.tol) {
    best_loss_ = loss;
    result_.best_iteration = tree + 1;
    rounds_without_gain_ = 0;
  } else {
    ++rounds_without_gain_;
  }
#if defined(SAMEBITS_BREAK_DEVICE_PATIENCE)
  const std::uint32_t patience = params_.early_stopping_rounds + (device_.backend().wants_bin_columns != 0 ? 1 : 0);
#else
  const std::uint32_t patience = params_.early_stopping_rounds;
#endif
  return params_.early_stopping_rounds > 0 && rounds_without_gain_ >= patience;
}

double Fit::current_loss() const {
  return !evals_.empty()             ? result_.eval_loss.back().back()
         : params_.record_train_loss ? result_.train_loss.back()
                                     : sb_nan_f64();
}

void Fit::need_going_on(std::uint32_t tree) const {
  if (asked_to_stop(hooks_))
    throw Error(ErrorCode::interrupted, "[boosting] the fit was interrupted after " + std::to_string(tree) + " trees");
}

// Brings scores and losses to where the fit that made `start` was: the same additions in the same order. The last of its
// trees is grown again, which proves that data and parameters are the same. True: that fit stopped early.
bool Fit::replay(const Model& start) {
  check_same_beginning(result_.model, start, params_.n_estimators);
  bool stop = false;
  for (std::uint32_t tree = 0; tree < start.n_trees; ++tree) {
    need_going_on(tree);
    if (stop)
      throw Error(
          ErrorCode::invalid_argument,
          "[boosting] cannot continue the fit: with this evaluation set, early_stopping_rounds and tol it stops "
          "after " +
              std::to_string(tree) + " trees, the present model has " + std::to_string(start.n_trees));
    if (tree + 1 < start.n_trees) {
      append_tree(start.trees, tree, &result_.model);
      const std::vector<sb_binned_node> nodes = binned_nodes(start.trees, tree);
      add_to_set(nodes, *train_);
      for (auto& set : evals_) add_to_set(nodes, *set);
    } else {
      grow_tree(tree, false);
      check_same_tree(result_.model, start, tree);
    }
    result_.n_iterations = tree + 1;
    stop = evaluate(tree);
  }
  return stop;
}

FitResult Fit::run(const Model* start) {
  if (hooks_.trace != nullptr) trace_setup();
  bool stop = start != nullptr && replay(*start);
  for (std::uint32_t tree = result_.n_iterations; tree < params_.n_estimators && !stop; ++tree) {
    need_going_on(tree);
    grow_tree(tree, hooks_.trace != nullptr);
    result_.n_iterations = tree + 1;
    stop = evaluate(tree);
    report(hooks_, tree + 1, params_.n_estimators, current_loss());
  }
  if (evals_.empty()) result_.best_iteration = result_.n_iterations;
  return std::move(result_);
}

void Fit::trace_setup() {
  Trace& trace = *hooks_.trace;
  const Model& m = result_.model;
  double start[3] = {m.init_score, m.output_offset, m.output_scale};
  trace.record("baseline", "f64", {3}, start);
  trace.record("bin_edge_offsets", "u32", {m.edge_offset.size()}, m.edge_offset.data());
  trace.record("bin_edges", "f64", {m.edges.size()}, m.edges.data());
  std::vector<std::uint8_t> codes = train_->bins().canonical();
  trace.record("binned", "u8", {train_->n_rows(), m.n_features}, codes.data());
  std::vector<float> target(train_->n_rows());
  train_->targets().download(target.data(), target.size());
  trace.record("targets", "f32", {target.size()}, target.data());
}

void Fit::trace_tree(std::uint32_t tree, const std::vector<GrownNode>& nodes, const Gradients& gradients) {
  Trace& trace = *hooks_.trace;
  const std::string prefix = "tree/" + std::to_string(tree) + "/";
  std::vector<std::int32_t> gh(gh_.size());
  gh_.download(gh.data(), gh.size());
  std::int32_t exponents[2] = {gradients.exponent_g, gradients.exponent_h};
  trace.record(prefix + "gradient_exponents", "i32", {2}, exponents);
  trace.record(prefix + "gradients", "i32", {train_->n_rows(), 2}, gh.data());
  const std::uint64_t cells = mapper_->layout().n_cells;
  const std::vector<std::int64_t>& histograms = grower_->traced_histograms();
  trace.record(prefix + "histograms", "i64", {histograms.size() / (3 * cells), 3, cells}, histograms.data());
  std::vector<std::int32_t> splits;
  std::vector<float> gains, values;
  for (const GrownNode& node : nodes) {
    const bool leaf = node.left == 0;
    for (std::int32_t part :
         {leaf ? -1 : node.split.feature, leaf ? 0 : static_cast<std::int32_t>(node.split.bin),
          leaf ? 0 : static_cast<std::int32_t>(node.split.default_left), static_cast<std::int32_t>(node.left)})
      splits.push_back(part);
    gains.push_back(leaf ? 0.0f : node.split.gain);
    values.push_back(node.value);
  }
  trace.record(prefix + "splits", "i32", {nodes.size(), 4}, splits.data());
  trace.record(prefix + "gains", "f32", {nodes.size()}, gains.data());
  trace.record(prefix + "leaf_values", "f32", {nodes.size()}, values.data());
  std::vector<float> scores(train_->n_rows());
  train_->scores().download(scores.data(), scores.size());
  trace.record(prefix + "scores", "f32", {scores.size()}, scores.data());
}

FitResult checked_fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets,
                      const Params& params, const Model* start, const Hooks& hooks) {
  FpEnvGuard environment;
  check_params(params);
  check_dataset(train, params.loss, start == nullptr ? 0 : start->n_features, "training");
  for (const Dataset& d : eval_sets) check_dataset(d, params.loss, train.x.n_features, "evaluation");
  if (params.early_stopping_rounds > 0 && eval_sets.empty())
    throw Error(ErrorCode::invalid_argument, "[boosting] early_stopping_rounds needs an evaluation set");
  return Fit(device, train, eval_sets, params, hooks).run(start);
}

}  // namespace

FitResult fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets, const Params& params,
              const Hooks& hooks) {
  return checked_fit(device, train, eval_sets, params, nullptr, hooks);
}

FitResult continue_fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets,
                       const Params& params, const Model& start, const Hooks& hooks) {
  validate(start);
  return checked_fit(device, train, eval_sets, params, &start, hooks);
}

}  // namespace samebits::boosting
