#include "numerics/ops/tree.h"
#include "primitives/reference/reference.hpp"

#include <vector>

namespace samebits::reference {

sb_status partition_rows(const sb_partition_rows_args& a) {
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    const std::uint32_t f = a.feature[j], missing = missing_cell(a.layout, f);
    std::vector<std::uint32_t> left, right;
    for (std::uint64_t i = a.begin[j]; i < a.end[j]; ++i) {
      const std::uint32_t code = code_at(a.bins, a.rows[i], f);
      (sb_code_goes_left(code, a.bin[j], missing, a.default_left[j]) != 0 ? left : right).push_back(a.rows[i]);
    }
    if (left.size() != a.n_left[j]) {
      return refuse("partition_rows: " + std::to_string(left.size()) + " rows of node " + std::to_string(j) +
                    " go left, n_left says " + std::to_string(a.n_left[j]));
    }
    std::uint64_t i = a.begin[j];
    for (std::uint32_t row : left) a.rows[i++] = row;
    for (std::uint32_t row : right) a.rows[i++] = row;
  }
  return SB_OK;
}

}  // namespace samebits::reference
