#include "support/nodes.hpp"

#include <algorithm>
#include <utility>

namespace samebits::test {
namespace {

template <class T>
void shuffle(Random& random, std::vector<T>* x) {
  for (std::size_t i = x->size(); i > 1; --i) std::swap((*x)[i - 1], (*x)[random.below(i)]);
}

}  // namespace

HostNodes draw_nodes(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_nodes) {
  Random random(seed);
  HostNodes nodes;
  for (std::uint64_t i = 0; i < n_rows; ++i) nodes.rows.push_back(static_cast<std::uint32_t>(i));
  shuffle(random, &nodes.rows);
  std::vector<std::uint64_t> cut;
  for (std::uint32_t j = 0; j < n_nodes; ++j) {
    cut.push_back(random.below(n_rows + 1));
    if (j % 3 == 0) cut.push_back(cut.back());                                  // an empty node
    if (j % 3 == 1) cut.push_back(std::min(n_rows, cut.back() + 1));            // a node of one row
  }
  std::sort(cut.begin(), cut.end());
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
  for (std::size_t i = 1; i < cut.size(); ++i) pieces.emplace_back(cut[i - 1], cut[i]);
  shuffle(random, &pieces);
  pieces.resize(std::min<std::size_t>(pieces.size(), n_nodes));
  std::vector<std::uint32_t> slots;
  for (std::uint32_t s = 0; s < 2 * n_nodes; ++s) slots.push_back(s);
  shuffle(random, &slots);
  if (n_nodes == 1) pieces.assign(1, {0, n_rows});
  for (std::size_t j = 0; j < pieces.size(); ++j) {
    nodes.begin.push_back(pieces[j].first);
    nodes.end.push_back(pieces[j].second);
    nodes.slot.push_back(slots[j]);
  }
  return nodes;
}

}  // namespace samebits::test
