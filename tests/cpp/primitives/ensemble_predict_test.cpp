// ensemble_predict/1; rows are independent of each other (C10).
#include "support/forest.hpp"
#include "support/same_bits.hpp"

#include <algorithm>

namespace samebits::test {
namespace {

struct Predicted {
  std::vector<float> score;
  std::vector<std::int32_t> leaf;
};

enum class Wanted { score, leaf, both };

template <class T>
Predicted predict(const Device& device, const HostMatrix<T>& x, const HostForest& forest, std::uint32_t begin,
                  std::uint32_t end, Wanted wanted, const std::vector<float>& start) {
  const DeviceArray<T> data(device, x.storage);
  const DeviceArray<float> score(device, start);
  const DeviceArray<std::int32_t> leaf(device, wanted == Wanted::score ? 0 : x.n_rows * (end - begin));
  sb_ensemble_predict_args args{x.view(data.data()),
                                forest.node.data(),
                                forest.offset.data(),
                                begin,
                                end,
                                wanted == Wanted::leaf ? nullptr : score.data(),
                                wanted == Wanted::score ? nullptr : leaf.data()};
  call(device, "ensemble_predict", &sb_primitives::ensemble_predict, args);
  return {score.read(), leaf.read()};
}

template <class T>
void sweep(std::uint64_t n, std::uint32_t n_features, Layout layout, std::uint32_t n_trees,
           Values leaves = Values::uniform) {
  constexpr Values kKinds[] = {Values::uniform,    Values::some_nan,  Values::huge_range, Values::infinite,
                               Values::small_ints, Values::subnormal, Values::all_nan,    Values::adjacent};
  const HostMatrix<T> x = draw_matrix<T>(n + n_trees, n, n_features, layout, kKinds, std::size(kKinds));
  HostForest forest = draw_forest(n, x, n_trees);
  Random random(n);
  for (sb_tree_node& node : forest.node) node.value = leaves == Values::uniform ? node.value : draw_f32(random, leaves);
  const std::vector<float> start = draw_array<float>(n, Values::uniform, n);
  const std::uint32_t skip = n_trees > 2 ? 1 : 0;  // a range that is not all trees
  for (Wanted wanted : {Wanted::score, Wanted::leaf, Wanted::both}) {
    SCOPED_TRACE(testing::Message() << n << " x " << n_features << ", layout " << static_cast<int>(layout) << ", "
                                    << n_trees << " trees, element size " << sizeof(T));
    expect_same_everywhere([&](const Device& device) {
      const Predicted p = predict(device, x, forest, skip, n_trees - skip, wanted, start);
      Outputs o;
      o.add("score", p.score);
      o.add("leaf", p.leaf);
      return o;
    });
  }
}

TEST(EnsemblePredict, SameBits) {
  for (std::uint64_t n : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 65u, 1000u, 1025u, 4097u}) {
    for (std::uint32_t n_features : {1u, 9u, 33u}) {
      for (std::uint32_t n_trees : {0u, 1u, 12u}) {
        sweep<float>(n, n_features, Layout::c_order, n_trees);
        sweep<double>(n, n_features, Layout::f_order, n_trees);
      }
    }
  }
}

TEST(EnsemblePredict, SameBitsOfEveryLayout) {
  for (Layout layout : kLayouts) {
    sweep<float>(300, 9, layout, 12);
    sweep<double>(300, 9, layout, 12);
  }
}

// Leaves of every kind; a NaN sum is canonical (C2).
TEST(EnsemblePredict, SameBitsOfSpecialValues) {
  for (Values leaves : {Values::huge_range, Values::subnormal, Values::signed_zero, Values::infinite, Values::some_nan,
                        Values::all_nan}) {
    sweep<float>(65, 9, Layout::c_order, 12, leaves);
    sweep<double>(300, 3, Layout::c_order, 5, leaves);
  }
}

TEST(EnsemblePredict, SameBitsUnaligned) {
  const Unaligned shifted(1);
  sweep<float>(1001, 9, Layout::c_order, 12);
  sweep<double>(1001, 9, Layout::f_order, 12);
}

TEST(EnsemblePredict, SameBitsOfManyRowsAndTrees) {
  sweep<float>(70000, 17, Layout::c_order, 12);
  sweep<double>(70000, 17, Layout::c_order, 12);
  sweep<float>(300000, 3, Layout::f_order, 6);
  sweep<float>(1000, 28, Layout::c_order, 300);
}

TEST(EnsemblePredict, DeepTree) {
  const HostMatrix<float> x = draw_matrix<float>(3, 500, 9, Layout::c_order);
  Random random(4);
  HostForest forest;
  add_tree(random, x, 400, true, &forest);
  const std::vector<float> start(500, 0.0f);
  expect_same_everywhere([&](const Device& device) {
    Outputs o;
    o.add("leaf", predict(device, x, forest, 0, 1, Wanted::leaf, start).leaf);
    return o;
  });
}

// A row alone, in a small batch, and among all rows.
TEST(EnsemblePredict, RowAloneEqualsRowInBatch) {
  const HostMatrix<float> x = draw_matrix<float>(5, 200, 9, Layout::c_order);
  const HostForest forest = draw_forest(6, x, 20);
  everywhere([&](const Device& device) {
    const Predicted all = predict(device, x, forest, 0, 20, Wanted::both, std::vector<float>(200, 0.125f));
    for (std::uint64_t row = 0; row < 200; row += 7) {
      const std::uint64_t n = std::min<std::uint64_t>(200 - row, 1 + row % 3);
      HostMatrix<float> part = empty_matrix<float>(n, 9, Layout::c_order);
      for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint32_t f = 0; f < 9; ++f) part.at(i, f) = x.at(row + i, f);
      }
      const Predicted some = predict(device, part, forest, 0, 20, Wanted::both, std::vector<float>(n, 0.125f));
      for (std::uint64_t i = 0; i < n; ++i) {
        EXPECT_EQ(some.score[i], all.score[row + i]);
        for (std::uint64_t t = 0; t < 20; ++t) EXPECT_EQ(some.leaf[i * 20 + t], all.leaf[(row + i) * 20 + t]);
      }
    }
  });
}

// f32 values against an f64 threshold: 0.1f > 0.1. NaN goes where default_left says, infinities like numbers.
TEST(EnsemblePredict, Decisions) {
  HostMatrix<float> x = empty_matrix<float>(6, 1, Layout::c_order);
  const float values[] = {0.1f, std::nextafter(0.1f, 0.0f), NAN, HUGE_VALF, -HUGE_VALF, -0.0f};
  for (std::uint64_t i = 0; i < 6; ++i) x.at(i, 0) = values[i];
  for (std::uint32_t default_left : {0u, 1u}) {
    const HostForest forest{{{0.1, 0.0f, 0, 1, default_left}, {0, 1.0f, -1, 0, 0}, {0, 2.0f, -1, 0, 0}}, {0, 3}};
    everywhere([&](const Device& device) {
      const Predicted p = predict(device, x, forest, 0, 1, Wanted::both, std::vector<float>(6, 0.0f));
      const std::int32_t missing = default_left == 1 ? 1 : 2;
      EXPECT_EQ(p.leaf, (std::vector<std::int32_t>{2, 1, missing, 2, 1, 1}));
      for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(p.score[i], static_cast<float>(p.leaf[i]));
    });
  }
}

// Trees are added one by one in ascending order: (2^24 + 1) + 1 = 2^24, 1 + 1 + 2^24 = 2^24 + 2.
TEST(EnsemblePredict, TreesAreAddedInOrder) {
  HostMatrix<float> x = empty_matrix<float>(40, 1, Layout::c_order);
  for (std::uint64_t i = 0; i < 40; ++i) x.at(i, 0) = 0.0f;
  const sb_tree_node large{0, 0x1p24f, -1, 0, 0}, one{0, 1.0f, -1, 0, 0};
  const HostForest down{{large, one, one}, {0, 1, 2, 3}}, up{{one, one, large}, {0, 1, 2, 3}};
  everywhere([&](const Device& device) {
    EXPECT_EQ(predict(device, x, down, 0, 3, Wanted::score, std::vector<float>(40, 0.0f)).score,
              std::vector<float>(40, 16777216.0f));
    EXPECT_EQ(predict(device, x, up, 0, 3, Wanted::score, std::vector<float>(40, 0.0f)).score,
              std::vector<float>(40, 16777218.0f));
  });
}

}  // namespace
}  // namespace samebits::test
