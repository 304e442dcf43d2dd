#include "numerics/ops/split.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

struct Candidate {
  std::uint32_t feature, bin, direction;  // direction 1: missing goes left
};

std::uint64_t first_cell(const sb_split_find_args& a, std::uint32_t node, std::uint32_t f) {
  return static_cast<std::uint64_t>(a.slot[node]) * a.layout.n_cells + a.layout.offset_host[f];
}

std::uint64_t missing_count(const sb_split_find_args& a, std::uint32_t node, std::uint32_t f) {
  return a.pool.count[first_cell(a, node, f) + missing_cell(a.layout, f)];
}

void add_cell(const sb_split_find_args& a, std::uint64_t cell, sb_node_sums* sums) {
  sums->gradient += a.pool.gradient[cell];
  sums->hessian += a.pool.hessian[cell];
  sums->count += a.pool.count[cell];
}

sb_node_sums left_sums(const sb_split_find_args& a, std::uint32_t node, const Candidate& c) {
  const std::uint64_t first = first_cell(a, node, c.feature);
  sb_node_sums left{};
  for (std::uint32_t b = 0; b <= c.bin; ++b) add_cell(a, first + b, &left);
  if (c.direction == 1) add_cell(a, first + missing_cell(a.layout, c.feature), &left);
  return left;
}

bool side_valid(const sb_split_parameters& p, std::int64_t hessian, std::uint32_t count) {
  return sb_side_valid(hessian, count, p.min_samples_leaf, p.min_child_weight) != 0;
}

// The gain of a candidate at one node; false when a side is too small.
bool gain_at(const sb_split_find_args& a, std::uint32_t node, const Candidate& c, float* gain) {
  const sb_split_parameters& p = a.parameters;
  const sb_node_sums& all = a.sums[node];
  const sb_node_sums left = left_sums(a, node, c);
  const std::int64_t right_gradient = all.gradient - left.gradient, right_hessian = all.hessian - left.hessian;
  if (!side_valid(p, left.hessian, left.count) || !side_valid(p, right_hessian, all.count - left.count)) return false;
  const float parent = sb_parent_score(all.gradient, all.hessian, p.l2);
  *gain = sb_split_gain(left.gradient, left.hessian, right_gradient, right_hessian, parent, p.l2);
  return true;
}

// The gain of a candidate summed over nodes [begin, end) in ascending order; false when it is valid for none.
bool gain_of(const sb_split_find_args& a, std::uint32_t begin, std::uint32_t end, const Candidate& c, float* gain) {
  if (end - begin == 1 && a.shared == 0) return gain_at(a, begin, c, gain);
  bool valid = false;
  *gain = 0.0f;
  for (std::uint32_t j = begin; j < end; ++j) {
    float own;
    if (!gain_at(a, j, c, &own)) continue;
    *gain = *gain + own;
    valid = true;
  }
  return valid;
}

std::uint64_t missing_of(const sb_split_find_args& a, std::uint32_t begin, std::uint32_t end, std::uint32_t f) {
  std::uint64_t missing = 0;
  for (std::uint32_t j = begin; j < end; ++j) missing += missing_count(a, j, f);
  return missing;
}

// Writes what every node of [begin, end) gets from the chosen candidate.
void apply(const sb_split_find_args& a, std::uint32_t begin, std::uint32_t end, const Candidate& c, float gain) {
  std::uint64_t left = 0, all = 0;
  for (std::uint32_t j = begin; j < end; ++j) {
    a.best[j] = {gain, static_cast<std::int32_t>(c.feature), c.bin, c.direction, left_sums(a, j, c)};
    left += a.best[j].left.count;
    all += a.sums[j].count;
  }
  if (missing_of(a, begin, end, c.feature) > 0) return;
  for (std::uint32_t j = begin; j < end; ++j) a.best[j].default_left = left >= all - left ? 1 : 0;
}

// One split for the nodes [begin, end): candidates in ascending feature, bin, direction.
void find(const sb_split_find_args& a, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t j = begin; j < end; ++j) a.best[j] = {0.0f, -1, 0, 0, {}};
  Candidate best{};
  float best_gain = 0.0f;
  bool found = false;
  for (std::uint32_t i = 0; i < a.n_active; ++i) {
    const std::uint32_t f = a.feature[i];
    const std::uint32_t directions = missing_of(a, begin, end, f) > 0 ? 2 : 1;
    for (std::uint32_t bin = 0; bin < missing_cell(a.layout, f); ++bin) {
      for (std::uint32_t direction = 0; direction < directions; ++direction) {
        const Candidate c{f, bin, direction};
        float gain;
        if (!gain_of(a, begin, end, c, &gain) || !(gain > 0.0f) || sb_gain_better(gain, best_gain) == 0) continue;
        best = c;
        best_gain = gain;
        found = true;
      }
    }
  }
  if (found) apply(a, begin, end, best, best_gain);
}

}  // namespace

sb_status split_find(const sb_split_find_args& a) {
  if (a.shared != 0) {
    find(a, 0, a.n_nodes);
  } else {
    for (std::uint32_t j = 0; j < a.n_nodes; ++j) find(a, j, j + 1);
  }
  return SB_OK;
}

}  // namespace samebits::reference
