// Predictions of a boosting model: the same on every place, independent of the batch and of the number of calls.
#include "support/boosting_data.hpp"

#include <cmath>

namespace samebits::test {
namespace {

using boosting::Loss;
using boosting::Params;

struct Fitted {
  Data data;
  boosting::Model model;
};

// Fitted on the reference; NaN, ties and huge values are among the rows.
const Fitted& fitted() {
  static const Fitted f = [] {
    Params p;
    p.n_estimators = 12;
    p.min_samples_leaf = 3;
    Data d = draw_data(21, 600, 11, Loss::squared_error, false);
    boosting::Model m = boosting::fit(reference(), d.view(), {}, p).model;
    return Fitted{std::move(d), std::move(m)};
  }();
  return f;
}

std::vector<double> predict(const Device& device, const HostMatrix<float>& x, std::uint32_t n_trees) {
  std::vector<double> out = poisoned<double>(x.n_rows);
  boosting::predict_raw(device, fitted().model, view_of(x), n_trees, out.data());
  return out;
}

TEST(BoostingPredict, SameBits) {
  const HostMatrix<float> x = draw_data(22, 3000, 11, Loss::squared_error, false).x;
  expect_same_everywhere([&](const Device& device) {
    Outputs o;
    o.add("raw", predict(device, x, 12));
    o.add("raw of 5 trees", predict(device, x, 5));
    o.add("raw of no trees", predict(device, x, 0));
    std::vector<double> staged = poisoned<double>(x.n_rows * 12);
    boosting::staged_predict_raw(device, fitted().model, view_of(x), fitted().model.n_trees, staged.data());
    o.add("staged", staged);
    std::vector<std::int32_t> leaf = poisoned<std::int32_t>(x.n_rows * 12);
    boosting::apply(device, fitted().model, view_of(x), fitted().model.n_trees, leaf.data());
    o.add("leaf", leaf);
    return o;
  });
}

TEST(BoostingPredict, StagesLeavesAndTotalsAgree) {
  const HostMatrix<float>& x = fitted().data.x;
  const boosting::Model& m = fitted().model;
  everywhere([&](const Device& device) {
    std::vector<double> staged(x.n_rows * 12);
    boosting::staged_predict_raw(device, m, view_of(x), m.n_trees, staged.data());
    std::vector<std::int32_t> leaf(x.n_rows * 12);
    boosting::apply(device, m, view_of(x), m.n_trees, leaf.data());
    std::vector<float> score(x.n_rows, m.init_score);
    for (std::uint32_t t = 0; t < 12; ++t) {
      const std::vector<double> total = predict(device, x, t + 1);
      for (std::uint64_t i = 0; i < x.n_rows; ++i) {
        const std::uint64_t node = m.trees.tree_offset[t] + static_cast<std::uint64_t>(leaf[i * 12 + t]);
        ASSERT_LT(m.trees.feature[node], 0);
        score[i] = score[i] + m.trees.value[node];
        ASSERT_EQ(total[i], m.output_offset + m.output_scale * static_cast<double>(score[i]));
        ASSERT_EQ(staged[t * x.n_rows + i], total[i]);
      }
    }
  });
}

TEST(BoostingPredict, RowAloneEqualsRowInBatch) {
  const HostMatrix<float>& x = fitted().data.x;
  everywhere([&](const Device& device) {
    const std::vector<double> all = predict(device, x, 12);
    for (std::uint64_t row = 0; row < x.n_rows; row += 13) {
      HostMatrix<float> one = empty_matrix<float>(1, 11, Layout::c_order);
      for (std::uint32_t f = 0; f < 11; ++f) one.at(0, f) = x.at(row, f);
      ASSERT_EQ(predict(device, one, 12)[0], all[row]);
    }
  });
}

// Rows with infinities may be predicted even though they may not be learnt from, in every layout.
TEST(BoostingPredict, SameBitsOfEveryLayoutWithInfinities) {
  constexpr Values kKinds[] = {Values::infinite, Values::uniform, Values::some_nan};
  const std::vector<double> want = predict(reference(), draw_matrix<float>(3, 200, 11, Layout::c_order, kKinds, 3), 12);
  everywhere([&](const Device& device) {
    for (Layout layout : kLayouts) {
      ASSERT_EQ(predict(device, draw_matrix<float>(3, 200, 11, layout, kKinds, 3), 12), want)
          << static_cast<int>(layout);
    }
  });
}

TEST(BoostingPredict, RefusesWhatDoesNotFit) {
  const HostMatrix<float> narrow = draw_matrix<float>(1, 5, 10, Layout::c_order);
  everywhere([&](const Device& device) {
    const std::string text = error_of(ErrorCode::invalid_argument, [&] { predict(device, narrow, 12); });
    EXPECT_NE(text.find("10"), std::string::npos);
    EXPECT_NE(text.find("11"), std::string::npos);
    error_of(ErrorCode::invalid_argument, [&] { predict(device, fitted().data.x, 13); });
  });
}

TEST(BoostingPredict, ValidateRefusesMalformedModels) {
  boosting::validate(fitted().model);
  const auto refused = [](auto change) {
    boosting::Model m = fitted().model;
    change(m);
    error_of(ErrorCode::invalid_argument, [&] { boosting::validate(m); });
  };
  ASSERT_GE(fitted().model.trees.feature[0], 0);
  refused([](boosting::Model& m) { m.n_features = 0; });
  refused([](boosting::Model& m) { m.n_trees += 1; });
  refused([](boosting::Model& m) { m.trees.left[0] = 0; });
  refused([](boosting::Model& m) { m.trees.left[0] = 1000000; });
  refused([](boosting::Model& m) { m.trees.feature[0] = 11; });
  refused([](boosting::Model& m) { m.trees.threshold[0] = NAN; });
  refused([](boosting::Model& m) { m.trees.value.pop_back(); });
  refused([](boosting::Model& m) { m.trees.tree_offset[1] = 0; });
  refused([](boosting::Model& m) { m.trees.tree_offset[0] = 1; });
  refused([](boosting::Model& m) { m.edges.pop_back(); });
}

TEST(BoostingPredict, LogisticOfKnownValues) {
  const std::vector<double> raw = {0.0, -0.0, 1000.0, -1000.0, NAN};
  std::vector<double> p(5);
  boosting::logistic(raw.data(), 5, p.data());
  EXPECT_EQ(p[0], 0.5);
  EXPECT_EQ(p[1], 0.5);
  EXPECT_EQ(p[2], 1.0);
  EXPECT_EQ(p[3], 0.0);
  EXPECT_TRUE(std::isnan(p[4]));
}

}  // namespace
}  // namespace samebits::test
