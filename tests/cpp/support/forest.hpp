// Random trees.
#pragma once

#include "primitives/contract/table.h"
#include "support/binned.hpp"
#include "support/matrix.hpp"

#include <cmath>
#include <vector>

namespace samebits::test {

// Where a new pair of children is put: nodes numbered in growth order, like the engine's. `chain`: always split the
// last leaf, so that the tree is as deep as it has inner nodes.
struct Shape {
  std::vector<std::uint32_t> left;  // 0: leaf
};
Shape draw_shape(Random& random, std::uint32_t n_inner, bool chain);

std::vector<sb_binned_node> draw_binned_tree(Random& random, const HostBins& bins, std::uint32_t n_inner, bool chain);

struct HostForest {
  std::vector<sb_tree_node> node;
  std::vector<std::uint64_t> offset{0};
};

// Thresholds are values of the matrix (equality is met), values just beside them, and infinities.
template <class T>
void add_tree(Random& random, const HostMatrix<T>& x, std::uint32_t n_inner, bool chain, HostForest* forest) {
  const Shape shape = draw_shape(random, n_inner, chain);
  for (std::uint32_t left : shape.left) {
    sb_tree_node node{0.0, draw_f32(random, random.below(5) == 0 ? Values::huge_range : Values::uniform), -1, 0, 0};
    if (left != 0) {
      node.feature = static_cast<std::int32_t>(random.below(x.n_features));
      node.left = left;
      node.default_left = static_cast<std::uint32_t>(random.below(2));
      double v = static_cast<double>(x.at(random.below(x.n_rows), static_cast<std::uint32_t>(node.feature)));
      if (v != v) v = random.between(-1, 1);
      const std::uint64_t kind = random.below(8);
      node.threshold = kind == 0 ? HUGE_VAL : kind < 4 ? v : std::nextafter(v, kind < 6 ? -HUGE_VAL : HUGE_VAL);
    }
    forest->node.push_back(node);
  }
  forest->offset.push_back(forest->node.size());
}

template <class T>
HostForest draw_forest(std::uint64_t seed, const HostMatrix<T>& x, std::uint32_t n_trees) {
  Random random(seed);
  HostForest forest;
  for (std::uint32_t t = 0; t < n_trees; ++t) {
    const std::uint32_t n_inner = t % 5 == 1 ? 0 : t % 5 == 2 ? 1 : static_cast<std::uint32_t>(1 + random.below(60));
    add_tree(random, x, n_inner, t % 5 == 3, &forest);
  }
  return forest;
}

}  // namespace samebits::test
