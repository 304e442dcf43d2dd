#include "backends/cpu/context.hpp"
#include "numerics/ops/split.h"

#include <cstring>

namespace samebits::cpu {
namespace {

struct Gains {
  float right[256];
  float left[256];
};

// What one feature offers one node.
struct Offer {
  float gain;
  std::uint32_t bin;
  std::uint32_t direction;
};

std::uint32_t value_cells(const sb_histogram_layout& layout, std::uint32_t f) {
  return layout.offset_host[f + 1] - layout.offset_host[f] - 1;
}

sb_histogram_pool cells_of(const sb_split_find_args& a, std::uint32_t node, std::uint32_t f) {
  std::uint64_t cell = static_cast<std::uint64_t>(a.slot[node]) * a.layout.n_cells + a.layout.offset_host[f];
  return {a.pool.gradient + cell, a.pool.hessian + cell, a.pool.count + cell};
}

// Candidates in ascending (bin, direction); gains <= 0 never win.
Offer best_offer(const float* right, const float* left, std::uint32_t m, bool both) {
  Offer best{0.0f, 0, 0};
  for (std::uint32_t b = 0; b < m; ++b) {
    if (sb_gain_better(right[b], best.gain)) best = {right[b], b, 0};
    if (both && sb_gain_better(left[b], best.gain)) best = {left[b], b, 1};
  }
  return best;
}

Offer offer_of(const Context& c, const sb_split_find_args& a, std::uint32_t node, std::uint32_t f, float parent_score) {
  Gains gains;
  const std::uint32_t m = value_cells(a.layout, f);
  const sb_histogram_pool h = cells_of(a, node, f);
  c.kernels->split_feature(h.gradient, h.hessian, h.count, m, &a.sums[node], parent_score, &a.parameters, gains.right,
                           gains.left, nullptr, nullptr);
  return best_offer(gains.right, gains.left, m, h.count[m] != 0);
}

sb_node_sums left_sums(const sb_split_find_args& a, std::uint32_t node, std::uint32_t f, std::uint32_t bin,
                       std::uint32_t direction) {
  const sb_histogram_pool h = cells_of(a, node, f);
  sb_node_sums left{};
  for (std::uint32_t b = 0; b <= bin; ++b) {
    left.gradient += h.gradient[b];
    left.hessian += h.hessian[b];
    left.count += h.count[b];
  }
  const std::uint32_t m = value_cells(a.layout, f);
  if (direction == 1) {
    left.gradient += h.gradient[m];
    left.hessian += h.hessian[m];
    left.count += h.count[m];
  }
  return left;
}

sb_split no_split() {
  sb_split s{};
  s.feature = -1;
  return s;
}

void finish_node(const sb_split_find_args& a, std::uint32_t node, const Offer* offers, sb_split* best) {
  *best = no_split();
  Offer chosen{0.0f, 0, 0};
  for (std::uint32_t i = 0; i < a.n_active; ++i) {
    if (offers[i].gain > 0.0f && sb_gain_better(offers[i].gain, chosen.gain)) {
      chosen = offers[i];
      best->feature = static_cast<std::int32_t>(a.feature[i]);
    }
  }
  if (best->feature < 0) return;
  auto f = static_cast<std::uint32_t>(best->feature);
  best->gain = chosen.gain;
  best->bin = chosen.bin;
  best->left = left_sums(a, node, f, chosen.bin, chosen.direction);
  bool none_missing = cells_of(a, node, f).count[value_cells(a.layout, f)] == 0;
  best->default_left =
      none_missing ? (best->left.count >= a.sums[node].count - best->left.count ? 1 : 0) : chosen.direction;
}

// One split for all nodes: gains are added over the nodes in ascending order, invalid ones (negative marks) left out.
Offer shared_offer(const Context& c, const sb_split_find_args& a, std::uint32_t f, const float* parent_score) {
  const std::uint32_t m = value_cells(a.layout, f);
  bool both = false;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) both = both || cells_of(a, j, f).count[m] != 0;
  Gains sum{};
  std::uint8_t any_right[256] = {0}, any_left[256] = {0};
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    Gains gains;
    std::uint8_t valid_right[256], valid_left[256];
    const sb_histogram_pool h = cells_of(a, j, f);
    c.kernels->split_feature(h.gradient, h.hessian, h.count, m, &a.sums[j], parent_score[j], &a.parameters, gains.right,
                             gains.left, valid_right, valid_left);
    bool own = h.count[m] != 0;
    for (std::uint32_t b = 0; b < m; ++b) {
      sum.right[b] = valid_right[b] ? sum.right[b] + gains.right[b] : sum.right[b];
      any_right[b] |= valid_right[b];
      std::uint8_t valid = own ? valid_left[b] : valid_right[b];
      float gain = own ? gains.left[b] : gains.right[b];
      sum.left[b] = valid ? sum.left[b] + gain : sum.left[b];
      any_left[b] |= valid;
    }
  }
  for (std::uint32_t b = 0; b < m; ++b) {
    sum.right[b] = any_right[b] ? sum.right[b] : -1.0f;
    sum.left[b] = any_left[b] ? sum.left[b] : -1.0f;
  }
  return best_offer(sum.right, sum.left, m, both);
}

void finish_shared(const sb_split_find_args& a, const Offer* offers) {
  sb_split chosen = no_split();
  std::uint32_t direction = 0;
  for (std::uint32_t i = 0; i < a.n_active; ++i) {
    if (offers[i].gain > 0.0f && sb_gain_better(offers[i].gain, chosen.gain)) {
      chosen.gain = offers[i].gain;
      chosen.feature = static_cast<std::int32_t>(a.feature[i]);
      chosen.bin = offers[i].bin;
      direction = offers[i].direction;
    }
  }
  if (chosen.feature < 0) {
    for (std::uint32_t j = 0; j < a.n_nodes; ++j) a.best[j] = chosen;
    return;
  }
  auto f = static_cast<std::uint32_t>(chosen.feature);
  std::uint64_t left = 0, all = 0, missing = 0;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    a.best[j] = chosen;
    a.best[j].left = left_sums(a, j, f, chosen.bin, direction);
    left += a.best[j].left.count;
    all += a.sums[j].count;
    missing += cells_of(a, j, f).count[value_cells(a.layout, f)];
  }
  std::uint32_t to_left = missing == 0 ? (left >= all - left ? 1u : 0u) : direction;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) a.best[j].default_left = to_left;
}

}  // namespace

sb_status split_find(sb_context* context, const sb_split_find_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const sb_split_find_args& a = *args;
  std::vector<float> parent(a.n_nodes);
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    parent[j] = sb_parent_score(a.sums[j].gradient, a.sums[j].hessian, a.parameters.l2);
  }
  const std::uint64_t n_offers = a.shared != 0 ? a.n_active : static_cast<std::uint64_t>(a.n_nodes) * a.n_active;
  auto* offers = static_cast<Offer*>(c.gains.need(n_offers * sizeof(Offer)));
  const std::uint64_t work = static_cast<std::uint64_t>(a.n_nodes) * a.layout.n_cells * 2;
  const int threads = threads_for(c, work);
  run_team(threads, [&](int t) {
    std::uint64_t from, to;
    team_part(n_offers, threads, t, 1, &from, &to);
    for (std::uint64_t i = from; i < to; ++i) {
      auto node = static_cast<std::uint32_t>(i / a.n_active);
      std::uint32_t f = a.feature[i % a.n_active];
      offers[i] = a.shared != 0 ? shared_offer(c, a, f, parent.data()) : offer_of(c, a, node, f, parent[node]);
    }
  });
  if (a.shared != 0) {
    finish_shared(a, offers);
  } else {
    for (std::uint32_t j = 0; j < a.n_nodes; ++j)
      finish_node(a, j, offers + static_cast<std::uint64_t>(j) * a.n_active, &a.best[j]);
  }
  return SB_OK;
}

}  // namespace samebits::cpu
