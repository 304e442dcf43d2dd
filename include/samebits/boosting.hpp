// Gradient boosting: plain parameter and model structs, free functions. All data pointers are host memory.
#pragma once

#include "samebits/device.hpp"
#include "samebits/error.hpp"
#include "samebits/trace.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] samebits {
namespace boosting {

enum class DType { f32, f64 };

// n_rows x n_features, strides in elements. NaN is "missing"; infinities are refused.
struct Matrix {
  const void* data = nullptr;
  DType dtype = DType::f32;
  std::uint64_t n_rows = 0;
  std::uint32_t n_features = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
};

// target: for log_loss 0 or 1; weight: nullptr or n_rows values >= 0.
struct Dataset {
  Matrix x;
  const double* target = nullptr;
  const double* weight = nullptr;
};

enum class Loss { squared_error = 0, log_loss = 1 };
enum class GrowPolicy { symmetric, depthwise, lossguide };

struct Params {
  Loss loss = Loss::squared_error;
  GrowPolicy grow_policy = GrowPolicy::lossguide;
  std::uint32_t n_estimators = 100;
  double learning_rate = 0.1;
  std::uint32_t max_depth = 0;       // 0: no limit
  std::uint32_t max_leaf_nodes = 31; // 0: no limit
  std::uint32_t min_samples_leaf = 20;
  double min_child_weight = 1e-3;
  double l2_regularization = 0.0;
  std::uint32_t max_bins = 255;
  double subsample = 1.0;
  double colsample_bytree = 1.0;
  std::uint64_t seed = 0;
  std::uint32_t early_stopping_rounds = 0;  // 0: off; else patience on the last eval set
  double tol = 0.0;                         // an improvement smaller than this does not count
  bool record_train_loss = false;           // also evaluate the training set every iteration
};

// Trees as flat arrays, node k of tree t at tree_offset[t] + k; right child = left + 1 (numbers within the tree).
struct Trees {
  std::vector<std::uint64_t> tree_offset{0};
  std::vector<std::int32_t> feature;  // -1: leaf
  std::vector<double> threshold;      // x <= threshold goes left
  std::vector<std::uint32_t> bin;
  std::vector<std::uint8_t> default_left;
  std::vector<std::uint32_t> left;
  std::vector<float> value;           // of leaves, learning rate included
  std::vector<double> gain;           // of inner nodes, real units
  std::vector<double> cover;          // sum of hessians, real units
  std::vector<std::uint32_t> count;   // training rows
};

struct Model {
  Loss loss = Loss::squared_error;
  std::uint32_t n_features = 0;
  std::uint32_t n_trees = 0;
  // raw prediction = output_offset + output_scale * (init_score + leaf values in f32, trees ascending)
  float init_score = 0.0f;
  double output_offset = 0.0;
  double output_scale = 1.0;  // a power of two
  std::vector<double> edges;  // bin edges of all features
  std::vector<std::uint32_t> edge_offset;  // n_features + 1
  Trees trees;
};

struct FitResult {
  Model model;
  std::vector<double> train_loss;               // one per iteration when recorded
  std::vector<std::vector<double>> eval_loss;   // [eval set][iteration]
  std::uint32_t n_iterations = 0;               // trees grown (the model keeps all of them)
  std::uint32_t best_iteration = 0;  // number of trees of the best last-eval-set loss; n_iterations when no eval set
};

struct Hooks {
  std::function<bool()> interrupted;  // asked between steps; true: stop with Error(interrupted)
  std::function<void(std::uint32_t done, std::uint32_t total, double loss)> progress;  // after each tree
  Trace* trace = nullptr;  // nullptr: tracing off
};

FitResult fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets, const Params& params,
              const Hooks& hooks = {});

// Goes on from `start`, the model of an earlier fit of the same data with the same parameters (n_estimators,
// early_stopping_rounds, tol and record_train_loss apart): the result, its losses included, has the bits of one fit with
// params.n_estimators trees. hooks.trace gets the stages before the first tree and those of the new trees. When `start`
// cannot have come from these data and parameters, throws Error(invalid_argument) that names the first difference.
FitResult continue_fit(const Device& device, const Dataset& train, const std::vector<Dataset>& eval_sets,
                       const Params& params, const Model& start, const Hooks& hooks = {});

// Raw predictions of trees [0, n_trees): n_rows values. Independent of how rows are batched.
void predict_raw(const Device& device, const Model& model, const Matrix& x, std::uint32_t n_trees, double* out);

// Raw predictions after every tree: out[s * n_rows + i] uses trees [0, s + 1), s = 0 .. n_trees - 1.
void staged_predict_raw(const Device& device, const Model& model, const Matrix& x, std::uint32_t n_trees, double* out);

// Leaf numbers: out[i * n_trees + t].
void apply(const Device& device, const Model& model, const Matrix& x, std::uint32_t n_trees, std::int32_t* out);

// Checks that a model read from outside is well formed (indices, orders, sizes); throws Error(invalid_argument).
void validate(const Model& model);

// logistic of raw predictions in f64, element by element.
void logistic(const double* raw, std::uint64_t n, double* out);

}  // namespace boosting
}  // namespace samebits
