// What gradient boosting refuses, by name, before it computes; and its hooks.
#include "support/boosting_data.hpp"

#include <cmath>

namespace samebits::test {
namespace {

using boosting::Loss;
using boosting::Params;

// The message must name what was wrong.
template <class Change>
void refused(const Device& device, Loss loss, const std::string& word, Change change) {
  Data d = draw_data(31, 60, 4, loss, true);
  Params p;
  p.loss = loss;
  p.n_estimators = 2;
  change(d, p);
  const std::string text = error_of(ErrorCode::invalid_argument, [&] { boosting::fit(device, d.view(), {}, p); });
  EXPECT_NE(text.find(word), std::string::npos) << "'" << text << "' does not name " << word;
}

TEST(BoostingErrors, Params) {
  const auto bad = [](const std::string& word, auto change) {
    refused(reference(), Loss::squared_error, word, [&](Data&, Params& p) { change(p); });
  };
  bad("n_estimators", [](Params& p) { p.n_estimators = 0; });
  for (double rate : std::initializer_list<double>{0.0, -1.0, NAN, HUGE_VAL}) {
    bad("learning_rate", [&](Params& p) { p.learning_rate = rate; });
  }
  bad("max_leaf_nodes", [](Params& p) { p.max_leaf_nodes = 1; });
  bad("min_samples_leaf", [](Params& p) { p.min_samples_leaf = 0; });
  for (double value : std::initializer_list<double>{-1.0, NAN, HUGE_VAL}) {
    bad("min_child_weight", [&](Params& p) { p.min_child_weight = value; });
    bad("l2_regularization", [&](Params& p) { p.l2_regularization = value; });
    bad("tol", [&](Params& p) { p.tol = value; });
  }
  for (std::uint32_t bins : {0u, 1u, 256u}) bad("max_bins", [&](Params& p) { p.max_bins = bins; });
  for (double share : std::initializer_list<double>{0.0, -0.5, 1.5, NAN}) {
    bad("subsample", [&](Params& p) { p.subsample = share; });
    bad("colsample_bytree", [&](Params& p) { p.colsample_bytree = share; });
  }
  bad("max_depth", [](Params& p) { p.grow_policy = boosting::GrowPolicy::symmetric, p.max_depth = 0; });
  bad("max_depth", [](Params& p) { p.grow_policy = boosting::GrowPolicy::symmetric, p.max_depth = 17; });
  bad("early_stopping_rounds", [](Params& p) { p.early_stopping_rounds = 3; });
}

TEST(BoostingErrors, Data) {
  everywhere([&](const Device& device) {
    for (float bad : {HUGE_VALF, -HUGE_VALF}) {
      refused(device, Loss::squared_error, "infinite", [&](Data& d, Params&) { d.x.at(59, 2) = bad; });
    }
    for (double bad : std::initializer_list<double>{NAN, HUGE_VAL}) {
      refused(device, Loss::squared_error, "target", [&](Data& d, Params&) { d.target[7] = bad; });
      refused(device, Loss::squared_error, "weight", [&](Data& d, Params&) { d.weight[7] = bad; });
    }
    refused(device, Loss::squared_error, "weight", [](Data& d, Params&) { d.weight[7] = -1.0; });
    refused(device, Loss::squared_error, "weight", [](Data& d, Params&) { d.weight.assign(60, 0.0); });
    refused(device, Loss::log_loss, "target", [](Data& d, Params&) { d.target[0] = 2.0; });
    refused(device, Loss::log_loss, "one class", [](Data& d, Params&) { d.target.assign(60, 1.0); });
    refused(device, Loss::squared_error, "60", [](Data& d, Params&) { d.x.n_features = 0; });
    refused(device, Loss::squared_error, "0 x 4", [](Data& d, Params&) { d.x.n_rows = 0; });
  });
}

TEST(BoostingErrors, EvaluationSets) {
  const Data train = draw_data(32, 50, 4, Loss::squared_error, false);
  Data other = draw_data(33, 20, 3, Loss::squared_error, false);
  Params p;
  p.n_estimators = 2;
  everywhere([&](const Device& device) {
    error_of(ErrorCode::invalid_argument, [&] { boosting::fit(device, train.view(), {other.view()}, p); });
    Data infinite = draw_data(34, 20, 4, Loss::squared_error, false);
    infinite.x.at(3, 1) = HUGE_VALF;
    error_of(ErrorCode::invalid_argument, [&] { boosting::fit(device, train.view(), {infinite.view()}, p); });
  });
}

// Targets too far apart for f64 sums: an error with a text, not a model of NaN.
TEST(BoostingErrors, TargetsThatOverflow) {
  everywhere([&](const Device& device) {
    Data d = draw_data(35, 60, 4, Loss::squared_error, false);
    d.target[0] = d.target[1] = 1.7e308;
    Params p;
    p.n_estimators = 2;
    error_of(ErrorCode::invalid_argument, [&] { boosting::fit(device, d.view(), {}, p); });
  });
}

TEST(BoostingHooks, InterruptAndProgress) {
  const Data d = draw_data(36, 300, 4, Loss::squared_error, false);
  Params p;
  p.n_estimators = 10;
  everywhere([&](const Device& device) {
    std::vector<std::uint32_t> done;
    boosting::Hooks hooks;
    hooks.progress = [&](std::uint32_t n, std::uint32_t total, double) {
      EXPECT_EQ(total, 10u);
      done.push_back(n);
    };
    boosting::fit(device, d.view(), {}, p, hooks);
    EXPECT_EQ(done, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    done.clear();
    hooks.interrupted = [&] { return done.size() >= 3; };
    error_of(ErrorCode::interrupted, [&] { boosting::fit(device, d.view(), {}, p, hooks); });
    EXPECT_EQ(done.size(), 3u);
  });
}

}  // namespace
}  // namespace samebits::test
