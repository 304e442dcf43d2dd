// Continuing a fit: k trees, then the rest, is one fit to the bit; what cannot be continued is refused by name.
#include "support/boosting_data.hpp"

#include <cmath>

namespace samebits::test {
namespace {

using boosting::GrowPolicy;
using boosting::Loss;
using boosting::Params;

constexpr GrowPolicy kPolicies[] = {GrowPolicy::symmetric, GrowPolicy::depthwise, GrowPolicy::lossguide};

Params params_of(GrowPolicy policy, Loss loss, double subsample) {
  Params p;
  p.loss = loss;
  p.grow_policy = policy;
  p.n_estimators = 8;
  p.max_depth = policy == GrowPolicy::lossguide ? 0 : 4;
  p.max_leaf_nodes = policy == GrowPolicy::symmetric ? 0 : 12;
  p.min_samples_leaf = 3;
  p.subsample = subsample;
  p.colsample_bytree = 0.7;
  p.max_bins = 40;
  p.seed = 5;
  p.record_train_loss = true;
  return p;
}

FitRun continue_on(const Device& device, const Data& train, const std::vector<const Data*>& evals, const Params& params,
                   const boosting::Model& start) {
  FitRun run;
  std::vector<boosting::Dataset> sets;
  for (const Data* d : evals) sets.push_back(d->view());
  boosting::Hooks hooks;
  hooks.trace = &run.trace;
  run.result = boosting::continue_fit(device, train.view(), sets, params, start, hooks);
  return run;
}

// `got` is `whole` without the stages of its first k trees.
void expect_rest(const FitRun& whole, std::uint32_t k, const FitRun& got) {
  std::vector<Stage> want;
  for (const Stage& s : whole.trace.stages()) {
    bool old = false;
    for (std::uint32_t t = 0; t < k; ++t) old = old || s.tag.rfind("tree/" + std::to_string(t) + "/", 0) == 0;
    if (!old) want.push_back(s);
  }
  const std::vector<Stage>& stages = got.trace.stages();
  ASSERT_EQ(stages.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(stages[i].tag, want[i].tag);
    ASSERT_EQ(stages[i].sha256, want[i].sha256) << "stage " << want[i].tag;
  }
  expect_same(outputs_of(whole.result), outputs_of(got.result));
}

void compare(const Data& train, const std::vector<const Data*>& evals, const Params& params) {
  const FitRun whole = fit_on(reference(), train, evals, params);
  everywhere([&](const Device& device) {
    for (std::uint32_t k : {1u, 3u, 7u, 8u}) {
      if (k > whole.result.n_iterations) continue;
      SCOPED_TRACE(testing::Message() << "continued after " << k << " trees");
      Params some = params;
      some.n_estimators = k;
      const boosting::FitResult first = fit_on(device, train, evals, some).result;
      expect_rest(whole, k, continue_on(device, train, evals, params, first.model));
      if (testing::Test::HasFailure()) return;
    }
  });
}

TEST(BoostingContinue, IsOneFit) {
  for (GrowPolicy policy : kPolicies) {
    for (Loss loss : {Loss::squared_error, Loss::log_loss}) {
      for (double subsample : {1.0, 0.6}) {
        SCOPED_TRACE(testing::Message() << "policy " << static_cast<int>(policy) << ", loss " << static_cast<int>(loss)
                                        << ", subsample " << subsample);
        const bool weighted = subsample < 1.0;
        const Data train = draw_data(51, 500, 9, loss, weighted), eval = draw_data(52, 90, 9, loss, weighted);
        compare(train, {&eval}, params_of(policy, loss, subsample));
      }
    }
  }
}

TEST(BoostingContinue, StopsWhereOneFitStops) {
  const Data train = draw_data(8, 500, 6, Loss::log_loss, false), eval = draw_data(9, 150, 6, Loss::log_loss, true);
  Params p = params_of(GrowPolicy::lossguide, Loss::log_loss, 1.0);
  p.n_estimators = 60;
  p.learning_rate = 0.7;
  p.early_stopping_rounds = 3;
  const FitRun whole = fit_on(reference(), train, {&eval}, p);
  ASSERT_LT(whole.result.n_iterations, 60u);
  compare(train, {&eval}, p);
  // Also from its own end: no tree is added.
  const FitRun same = continue_on(reference(), train, {&eval}, p, whole.result.model);
  expect_same(outputs_of(whole.result), outputs_of(same.result));
  // More trees than it stops at: grown without early stopping.
  Params free = p;
  free.early_stopping_rounds = 0;
  const boosting::FitResult longer = fit_on(reference(), train, {&eval}, free).result;
  const std::string text =
      error_of(ErrorCode::invalid_argument, [&] { continue_on(reference(), train, {&eval}, p, longer.model); });
  EXPECT_NE(text.find("stops after " + std::to_string(whole.result.n_iterations)), std::string::npos) << text;
}

// A model of one device, continued on every other.
TEST(BoostingContinue, OnAnotherDevice) {
  const Data train = draw_data(53, 400, 7, Loss::squared_error, true);
  const Params p = params_of(GrowPolicy::depthwise, Loss::squared_error, 0.6);
  Params some = p;
  some.n_estimators = 4;
  const FitRun whole = fit_on(reference(), train, {}, p);
  const boosting::FitResult first = fit_on(reference(), train, {}, some).result;
  everywhere([&](const Device& device) { expect_rest(whole, 4, continue_on(device, train, {}, p, first.model)); });
}

TEST(BoostingContinue, RefusesOtherDataAndParameters) {
  const Data train = draw_data(54, 300, 5, Loss::squared_error, true);
  const Params p = params_of(GrowPolicy::lossguide, Loss::squared_error, 1.0);
  Params some = p;
  some.n_estimators = 3;
  const boosting::Model start = boosting::fit(reference(), train.view(), {}, some).model;
  const auto refused = [&](const std::string& word, auto change) {
    Data d = train;
    Params q = p;
    boosting::Model m = start;
    change(d, q, m);
    const std::string text =
        error_of(ErrorCode::invalid_argument, [&] { boosting::continue_fit(reference(), d.view(), {}, q, m); });
    EXPECT_NE(text.find(word), std::string::npos) << "'" << text << "' does not name " << word;
  };
  refused("n_estimators is 2", [](Data&, Params& q, boosting::Model&) { q.n_estimators = 2; });
  refused("max_bins", [](Data&, Params& q, boosting::Model&) { q.max_bins = 12; });
  refused("of feature 4", [](Data& d, Params&, boosting::Model&) {
    for (std::uint64_t i = 0; i < 300; ++i) d.x.at(i, 4) = std::nextafter(d.x.at(i, 4), 0.0f);
  });
  refused("mean of the targets", [](Data& d, Params&, boosting::Model&) { d.target[17] += 0.5; });
  refused("grown again", [](Data& d, Params&, boosting::Model&) { std::swap(d.x.at(3, 0), d.x.at(200, 0)); });
  refused("grown again", [](Data&, Params& q, boosting::Model&) { q.learning_rate = 0.2; });
  refused("grown again", [](Data&, Params& q, boosting::Model&) { q.l2_regularization = 0.5; });
  refused("grown again", [](Data&, Params& q, boosting::Model&) { q.max_leaf_nodes = 4; });
  refused("grown again", [](Data&, Params& q, boosting::Model&) { q.subsample = 0.9; });
  refused("grown again", [](Data&, Params&, boosting::Model& m) {
    m.trees.value.back() = std::nextafter(m.trees.value.back(), 9.0f);
  });
  refused("grown again", [](Data&, Params&, boosting::Model& m) { m.trees.gain.back() += 1.0; });
  refused("another loss", [](Data&, Params&, boosting::Model& m) { m.loss = Loss::log_loss; });
  refused("feature count",
          [](Data&, Params&, boosting::Model& m) { m.n_features = 6, m.edge_offset.push_back(m.edge_offset.back()); });
  refused("malformed", [](Data&, Params&, boosting::Model& m) { m.edge_offset[0] = 1; });
  refused("malformed", [](Data&, Params&, boosting::Model& m) { m.edge_offset[1] = m.edge_offset[2] + 1; });
}

TEST(BoostingContinue, InterruptAndProgress) {
  const Data d = draw_data(36, 300, 4, Loss::squared_error, false);
  Params p;
  p.n_estimators = 5;
  const boosting::Model start = boosting::fit(reference(), d.view(), {}, p).model;
  p.n_estimators = 9;
  std::vector<std::uint32_t> done;
  boosting::Hooks hooks;
  hooks.progress = [&](std::uint32_t n, std::uint32_t, double) { done.push_back(n); };
  boosting::continue_fit(reference(), d.view(), {}, p, start, hooks);
  EXPECT_EQ(done, (std::vector<std::uint32_t>{6, 7, 8, 9}));
  hooks.interrupted = [] { return true; };
  error_of(ErrorCode::interrupted, [&] { boosting::continue_fit(reference(), d.view(), {}, p, start, hooks); });
}

}  // namespace
}  // namespace samebits::test
