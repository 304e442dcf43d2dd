// Gradient boosting: the same stages, model and losses on every place.
#include "support/boosting_data.hpp"

#include <cmath>

namespace samebits::test {
namespace {

using boosting::GrowPolicy;
using boosting::Loss;
using boosting::Params;

constexpr GrowPolicy kPolicies[] = {GrowPolicy::symmetric, GrowPolicy::depthwise, GrowPolicy::lossguide};
constexpr Loss kLosses[] = {Loss::squared_error, Loss::log_loss};

Params params_of(GrowPolicy policy, Loss loss) {
  Params p;
  p.loss = loss;
  p.grow_policy = policy;
  p.n_estimators = 6;
  p.max_depth = policy == GrowPolicy::lossguide ? 0 : 5;
  p.max_leaf_nodes = policy == GrowPolicy::symmetric ? 0 : 20;
  p.min_samples_leaf = 5;
  p.record_train_loss = true;
  return p;
}

void compare(const Data& train, const std::vector<const Data*>& evals, const Params& params) {
  const FitRun want = fit_on(reference(), train, evals, params);
  add_to_digest(want);
  for (const Place& place : places()) {
    SCOPED_TRACE(place.name);
    expect_same_run(want, fit_on(place.device, train, evals, params));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Boosting, SameStagesOfEveryPolicyAndLoss) {
  for (GrowPolicy policy : kPolicies) {
    for (Loss loss : kLosses) {
      for (bool weighted : {false, true}) {
        SCOPED_TRACE(testing::Message() << "policy " << static_cast<int>(policy) << ", loss " << static_cast<int>(loss)
                                        << (weighted ? ", weighted" : ""));
        const Data train = draw_data(1, 700, 11, loss, weighted), eval = draw_data(2, 130, 11, loss, weighted);
        compare(train, {&eval}, params_of(policy, loss));
      }
    }
  }
}

TEST(Boosting, SameStagesWithSamplingAndRegularisation) {
  for (GrowPolicy policy : kPolicies) {
    const Data train = draw_data(3, 1500, 17, Loss::log_loss, true);
    Params p = params_of(policy, Loss::log_loss);
    p.subsample = 0.6;
    p.colsample_bytree = 0.5;
    p.l2_regularization = 1.5;
    p.min_child_weight = 0.3;
    p.max_bins = 32;
    p.seed = 0xabcdef0123456789u;
    SCOPED_TRACE(testing::Message() << "policy " << static_cast<int>(policy));
    compare(train, {}, p);
  }
}

TEST(Boosting, SameStagesOfSmallData) {
  for (GrowPolicy policy : kPolicies) {
    for (std::uint64_t n : {1u, 2u, 3u, 40u}) {
      Params p = params_of(policy, Loss::squared_error);
      p.min_samples_leaf = 1;
      p.n_estimators = 3;
      SCOPED_TRACE(testing::Message() << "policy " << static_cast<int>(policy) << ", n " << n);
      compare(draw_data(n, n, 3, Loss::squared_error, false), {}, p);
      compare(draw_data(n, n, 1, Loss::squared_error, n > 2), {}, p);
    }
  }
}

TEST(Boosting, SameStagesOfWideData) {
  for (GrowPolicy policy : kPolicies) {
    Params p = params_of(policy, Loss::squared_error);
    p.n_estimators = 2;
    compare(draw_data(4, 400, 70, Loss::squared_error, false), {}, p);
  }
}

// More rows than one block, one panel part or one share of a thread anywhere; more than the rows bins are cut from.
TEST(Boosting, SameStagesOfManyRows) {
  Params p = params_of(GrowPolicy::lossguide, Loss::log_loss);
  p.n_estimators = 2;
  compare(draw_data(5, 70000, 11, Loss::log_loss, false), {}, p);
  p.loss = Loss::squared_error;
  p.subsample = 0.5;
  compare(draw_data(6, 210000, 3, Loss::squared_error, false), {}, p);
}

// Many leaves: batches of hundreds of nodes, one-row nodes.
TEST(Boosting, SameStagesOfDeepTrees) {
  for (GrowPolicy policy : kPolicies) {
    Params p = params_of(policy, Loss::squared_error);
    p.n_estimators = 2;
    p.max_depth = policy == GrowPolicy::symmetric ? 8 : 0;
    p.max_leaf_nodes = policy == GrowPolicy::lossguide ? 300 : 0;
    p.min_samples_leaf = 1;
    p.min_child_weight = 0.0;
    SCOPED_TRACE(testing::Message() << "policy " << static_cast<int>(policy));
    compare(draw_data(7, 2000, 5, Loss::squared_error, false), {}, p);
  }
}

// Every split takes one row off: a symmetric level has far more nodes than rows.
TEST(Boosting, SymmetricTreeWithMoreNodesThanRows) {
  Data d{empty_matrix<float>(12, 1, Layout::c_order), {}, {}};
  for (std::uint64_t i = 0; i < 12; ++i) {
    d.x.at(i, 0) = static_cast<float>(i);
    d.target.push_back(std::ldexp(1.0, static_cast<int>(3 * i)));
  }
  Params p = params_of(GrowPolicy::symmetric, Loss::squared_error);
  p.max_depth = 8;
  p.min_samples_leaf = 1;
  p.n_estimators = 2;
  compare(d, {}, p);
}

TEST(Boosting, EarlyStoppingIsTheSame) {
  const Data train = draw_data(8, 500, 6, Loss::log_loss, false), first = draw_data(9, 200, 6, Loss::log_loss, false),
             last = draw_data(10, 150, 6, Loss::log_loss, true);
  Params p = params_of(GrowPolicy::lossguide, Loss::log_loss);
  p.n_estimators = 60;
  p.learning_rate = 0.7;
  p.early_stopping_rounds = 3;
  compare(train, {&first, &last}, p);
  const boosting::FitResult r = fit_on(reference(), train, {&first, &last}, p).result;
  EXPECT_LT(r.n_iterations, 60u);
  EXPECT_EQ(r.n_iterations, r.best_iteration + 3);
  ASSERT_EQ(r.eval_loss.size(), 2u);
  EXPECT_EQ(r.eval_loss[1].size(), r.n_iterations);
  for (double loss : r.eval_loss[1]) EXPECT_GE(loss, r.eval_loss[1][r.best_iteration - 1]);
}

// The layout in memory is no part of the data; nor is the type, when the values are f32 values.
TEST(Boosting, LayoutAndTypeChangeNothing) {
  const Params p = params_of(GrowPolicy::depthwise, Loss::squared_error);
  const FitRun want = fit_on(reference(), draw_data(11, 300, 9, Loss::squared_error, false), {}, p);
  everywhere([&](const Device& device) {
    for (Layout layout : kLayouts) {
      const Data d = draw_data(11, 300, 9, Loss::squared_error, false, layout);
      SCOPED_TRACE(static_cast<int>(layout));
      expect_same_run(want, fit_on(device, d, {}, p));
      HostMatrix<double> wide = empty_matrix<double>(300, 9, layout);
      for (std::uint64_t i = 0; i < 300; ++i) {
        for (std::uint32_t f = 0; f < 9; ++f) wide.at(i, f) = static_cast<double>(d.x.at(i, f));
      }
      FitRun got;
      boosting::Hooks hooks;
      hooks.trace = &got.trace;
      got.result = boosting::fit(device, {view_of(wide), d.target.data(), nullptr}, {}, p, hooks);
      expect_same_run(want, got);
    }
  });
}

TEST(Boosting, TracingChangesNothing) {
  const Data d = draw_data(12, 400, 7, Loss::log_loss, false);
  const Params p = params_of(GrowPolicy::lossguide, Loss::log_loss);
  everywhere([&](const Device& device) {
    expect_same(outputs_of(fit_on(device, d, {}, p).result), outputs_of(boosting::fit(device, d.view(), {}, p)));
  });
}

// By hand: y = 0 for x = 1, 2 and 8 for x = 3, 5. Mean 4; one tree with rate 1 and no penalty splits at (2 + 3) / 2
// and its leaves are -4 and +4: the predictions are the targets, bit for bit.
TEST(Boosting, OneStumpByHand) {
  Data d{empty_matrix<float>(4, 1, Layout::c_order), {8, 0, 8, 0}, {}};
  for (std::uint64_t i = 0; i < 4; ++i) d.x.at(i, 0) = std::vector<float>{3, 1, 5, 2}[i];
  Params p = params_of(GrowPolicy::lossguide, Loss::squared_error);
  p.n_estimators = 1;
  p.learning_rate = 1.0;
  p.min_samples_leaf = 1;
  p.max_leaf_nodes = 2;
  everywhere([&](const Device& device) {
    const boosting::FitResult r = boosting::fit(device, d.view(), {}, p);
    const boosting::Trees& t = r.model.trees;
    EXPECT_EQ(t.feature, (std::vector<std::int32_t>{0, -1, -1}));
    EXPECT_EQ(t.threshold[0], 2.5);
    EXPECT_EQ(t.left[0], 1u);
    EXPECT_EQ(t.count, (std::vector<std::uint32_t>{4, 2, 2}));
    EXPECT_EQ(t.gain[0], 64.0);  // 8^2 / 2 + 8^2 / 2 - 0
    EXPECT_EQ(t.cover, (std::vector<double>{4, 2, 2}));
    EXPECT_EQ(r.train_loss, std::vector<double>{0.0});
    std::vector<double> y(4);
    boosting::predict_raw(device, r.model, view_of(d.x), 1, y.data());
    EXPECT_EQ(y, d.target);
  });
}

// Two identical columns and a mirrored one: the split stays with the first.
TEST(Boosting, EqualColumnsSplitOnTheFirst) {
  Data d{empty_matrix<float>(100, 3, Layout::c_order), {}, {}};
  for (std::uint64_t i = 0; i < 100; ++i) {
    d.x.at(i, 0) = d.x.at(i, 1) = static_cast<float>(i);
    d.x.at(i, 2) = -static_cast<float>(i);
    d.target.push_back(i < 50 ? -1.0 : 1.0);
  }
  Params p = params_of(GrowPolicy::lossguide, Loss::squared_error);
  everywhere([&](const Device& device) {
    const boosting::FitResult r = boosting::fit(device, d.view(), {}, p);
    for (std::int32_t f : r.model.trees.feature) EXPECT_LE(f, 0);
  });
}

// The model learns: the recorded loss falls, and it is the loss of the predictions.
TEST(Boosting, RecordedLossIsThatOfThePredictions) {
  const Data d = draw_data(13, 1000, 6, Loss::squared_error, true);
  Params p = params_of(GrowPolicy::lossguide, Loss::squared_error);
  p.n_estimators = 30;
  everywhere([&](const Device& device) {
    const boosting::FitResult r = boosting::fit(device, d.view(), {}, p);
    for (std::size_t i = 1; i < r.train_loss.size(); ++i) EXPECT_LT(r.train_loss[i], r.train_loss[i - 1]);
    std::vector<double> y(1000);
    boosting::predict_raw(device, r.model, view_of(d.x), r.model.n_trees, y.data());
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
      sum += d.weight[i] * (y[i] - d.target[i]) * (y[i] - d.target[i]);
      weight += d.weight[i];
    }
    EXPECT_NEAR(r.train_loss.back(), sum / weight, 1e-5 * r.train_loss[0]);
  });
}

}  // namespace
}  // namespace samebits::test
