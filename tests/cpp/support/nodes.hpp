// Row lists cut into nodes, in arbitrary order.
#pragma once

#include "support/random.hpp"

#include <cstdint>
#include <vector>

namespace samebits::test {

struct HostNodes {
  std::vector<std::uint32_t> rows;  // a permutation of the rows, each node's rows together
  std::vector<std::uint64_t> begin, end;
  std::vector<std::uint32_t> slot;  // a permutation of some of 0 .. 2 n - 1

  std::uint32_t count() const { return static_cast<std::uint32_t>(begin.size()); }
};

// Sizes are uneven, with empty and one-row nodes among them; the nodes are listed in random order and leave some rows
// out.
HostNodes draw_nodes(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_nodes);

}  // namespace samebits::test
