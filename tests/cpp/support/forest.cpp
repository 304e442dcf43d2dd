#include "support/forest.hpp"

namespace samebits::test {

Shape draw_shape(Random& random, std::uint32_t n_inner, bool chain) {
  Shape shape{{0}};
  std::vector<std::uint32_t> leaves = {0};
  for (std::uint32_t i = 0; i < n_inner; ++i) {
    const std::size_t pick = chain ? leaves.size() - 1 : random.below(leaves.size());
    const std::uint32_t node = leaves[pick];
    leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(pick));
    const auto left = static_cast<std::uint32_t>(shape.left.size());
    shape.left[node] = left;
    shape.left.insert(shape.left.end(), 2, 0);
    leaves.push_back(left + static_cast<std::uint32_t>(i % 2));
    leaves.push_back(left + 1 - static_cast<std::uint32_t>(i % 2));
  }
  return shape;
}

std::vector<sb_binned_node> draw_binned_tree(Random& random, const HostBins& bins, std::uint32_t n_inner, bool chain) {
  std::vector<sb_binned_node> nodes;
  for (std::uint32_t left : draw_shape(random, n_inner, chain).left) {
    sb_binned_node node{-1, 0, 0, 0, draw_f32(random, Values::uniform)};
    if (left != 0) {
      node.feature = static_cast<std::int32_t>(random.below(bins.n_features));
      node.bin = static_cast<std::uint32_t>(random.below(bins.missing(static_cast<std::uint32_t>(node.feature))));
      node.default_left = static_cast<std::uint32_t>(random.below(2));
      node.left = left;
    }
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace samebits::test
