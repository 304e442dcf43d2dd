#include "estimators/boosting/check.hpp"

#include "numerics/arith/arith.h"

#include <charconv>
#include <string>

namespace samebits::boosting {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::invalid_argument, "[boosting] " + text); }

void need(bool ok, const std::string& what, const std::string& got, const std::string& required) {
  if (!ok) refuse(what + " is " + got + ", need " + required);
}

// Shortest text that reads back as the same number.
std::string text(double x) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), x).ptr);
}

bool within(double x, double low, double high) { return x >= low && x <= high; }

void check_target(const Dataset& d, Loss loss, const char* name) {
  for (std::uint64_t i = 0; i < d.x.n_rows; ++i) {
    double y = d.target[i];
    if (sb_isfinite_f64(y) == 0)
      refuse(std::string(name) + " target " + std::to_string(i) + " is " + text(y) + ", need finite values");
    if (loss == Loss::log_loss && y != 0.0 && y != 1.0)
      refuse(std::string(name) + " target " + std::to_string(i) + " is " + text(y) + ", need 0 or 1 for log_loss");
  }
}

void check_weight(const Dataset& d, const char* name) {
  if (d.weight == nullptr) return;
  bool positive = false;
  for (std::uint64_t i = 0; i < d.x.n_rows; ++i) {
    double w = d.weight[i];
    if (!within(w, 0.0, 3.4028234663852886e38))
      refuse(std::string(name) + " weight " + std::to_string(i) + " is " + text(w) + ", need finite values >= 0");
    positive = positive || static_cast<float>(w) > 0.0f;
  }
  if (!positive) refuse(std::string("all ") + name + " weights are 0, need at least one above 0");
}

}  // namespace

void check_matrix(const Matrix& x, std::uint32_t n_features, const char* name) {
  need(x.n_rows >= 1 && x.n_features >= 1, std::string(name) + " matrix",
       std::to_string(x.n_rows) + " x " + std::to_string(x.n_features), "at least 1 x 1");
  need(x.n_rows < kMaxRows, std::string(name) + " row count", std::to_string(x.n_rows), "fewer than 2^31");
  need(x.n_rows * x.n_features <= kMaxCells, std::string(name) + " matrix",
       std::to_string(x.n_rows) + " x " + std::to_string(x.n_features), "at most 2^31 cells");
  need(n_features == 0 || x.n_features == n_features, std::string(name) + " feature count",
       std::to_string(x.n_features), std::to_string(n_features) + " as in the fit");
  need(x.data != nullptr, std::string(name) + " data", "null", "a pointer");
}

void check_dataset(const Dataset& d, Loss loss, std::uint32_t n_features, const char* name) {
  check_matrix(d.x, n_features, name);
  need(d.target != nullptr, std::string(name) + " target", "null", "a pointer");
  check_target(d, loss, name);
  check_weight(d, name);
}

void check_params(const Params& p) {
  need(p.n_estimators >= 1, "n_estimators", std::to_string(p.n_estimators), "at least 1");
  need(p.learning_rate > 0 && sb_isfinite_f64(p.learning_rate) != 0, "learning_rate", text(p.learning_rate),
       "a finite number above 0");
  need(p.max_leaf_nodes != 1, "max_leaf_nodes", "1", "0 (no limit) or at least 2");
  need(p.min_samples_leaf >= 1, "min_samples_leaf", std::to_string(p.min_samples_leaf), "at least 1");
  need(within(p.min_child_weight, 0, 1e300), "min_child_weight", text(p.min_child_weight), "a finite number >= 0");
  need(within(p.l2_regularization, 0, 1e300), "l2_regularization", text(p.l2_regularization), "a finite number >= 0");
  need(p.max_bins >= 2 && p.max_bins <= 255, "max_bins", std::to_string(p.max_bins), "2 to 255");
  need(p.subsample > 0 && p.subsample <= 1, "subsample", text(p.subsample), "above 0 and at most 1");
  need(p.colsample_bytree > 0 && p.colsample_bytree <= 1, "colsample_bytree", text(p.colsample_bytree),
       "above 0 and at most 1");
  need(within(p.tol, 0, 1e300), "tol", text(p.tol), "a finite number >= 0");
  bool symmetric = p.grow_policy == GrowPolicy::symmetric;
  need(!symmetric || (p.max_depth >= 1 && p.max_depth <= 16), "max_depth of a symmetric tree",
       std::to_string(p.max_depth), "1 to 16");
}

}  // namespace samebits::boosting
