#include "backends/gpu/primitives.hpp"

#include <algorithm>

namespace samebits::gpu {
namespace {

// Gains of a batch of nodes that a symmetric tree keeps at a time.
constexpr std::uint64_t kGainBytes = std::uint64_t{64} << 20;

struct Arguments {
  Upload up;
  Upload::Array<std::uint32_t> feature, slot;
  Upload::Array<sb_node_sums> sums;

  Arguments(Context& context, const sb_split_find_args& a)
      : up(context),
        feature(up.add(a.feature, a.n_active)),
        slot(up.add(a.slot, a.n_nodes)),
        sums(up.add(a.sums, a.n_nodes)) {
    up.send();
  }
};

void offers_per_node(Context& context, const sb_split_find_args& a, const Arguments& u, sb_offer* offer) {
  for (std::uint32_t from = 0; from < a.n_nodes; from += std::min(kGridY, a.n_nodes - from)) {
    const Grid grid{a.n_active, std::min(kGridY, a.n_nodes - from)};
    SB_LAUNCH(context, sb_split_features, grid, a.pool.gradient, a.pool.hessian, a.pool.count, a.layout.offset,
              a.layout.n_cells, u.up[u.feature], u.up[u.slot] + from, u.up[u.sums] + from, a.parameters,
              offer + static_cast<std::uint64_t>(from) * a.n_active);
  }
}

void offers_of_all(Context& context, const sb_split_find_args& a, const Arguments& u, sb_offer* offer) {
  const std::uint64_t candidates = static_cast<std::uint64_t>(a.n_active) * SB_CANDIDATES;
  const std::uint64_t fit = std::clamp<std::uint64_t>(kGainBytes / (candidates * 4), 1, kGridY);
  const auto batch = static_cast<std::uint32_t>(std::min<std::uint64_t>(fit, a.n_nodes));
  Scratch<std::uint32_t> total(context, candidates), gain(context, candidates * batch);
  context.fill_bytes(total.data(), 0xff, candidates * 4);  // SB_NO_GAIN
  for (std::uint32_t from = 0; from < a.n_nodes; from += std::min(batch, a.n_nodes - from)) {
    const std::uint32_t n = std::min(batch, a.n_nodes - from);
    SB_LAUNCH(context, sb_split_gains, (Grid{a.n_active, n}), a.pool.gradient, a.pool.hessian, a.pool.count,
              a.layout.offset, a.layout.n_cells, u.up[u.feature], u.up[u.slot] + from, u.up[u.sums] + from,
              a.parameters, gain.data());
    SB_LAUNCH(context, sb_split_add_gains, Grid{std::uint64_t{2} * a.n_active}, gain.data(), a.n_active, n,
              total.data());
  }
  SB_LAUNCH(context, sb_split_totals, Grid{a.n_active}, total.data(), a.pool.count, a.layout.offset, a.layout.n_cells,
            u.up[u.feature], u.up[u.slot], a.n_nodes, offer);
}

// default_left of a node without missing values of its feature: the side with more rows (split_find/1).
std::uint32_t larger_side(std::uint64_t left, std::uint64_t all) { return left >= all - left ? 1u : 0u; }

void settle_directions(const sb_split_find_args& a) {
  bool any_missing = false;
  std::uint64_t left = 0, all = 0;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    any_missing = any_missing || (a.best[j].default_left & 2u) != 0;
    left += a.best[j].left.count;
    all += a.sums[j].count;
  }
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    sb_split& best = a.best[j];
    if (best.feature < 0) continue;
    const bool missing = a.shared != 0 ? any_missing : (best.default_left & 2u) != 0;
    const std::uint32_t side = a.shared != 0 ? larger_side(left, all) : larger_side(best.left.count, a.sums[j].count);
    best.default_left = missing ? best.default_left & 1u : side;
  }
}

}  // namespace

void split_find(Context& context, const sb_split_find_args& a) {
  if (a.n_nodes == 0) return;
  const Arguments u(context, a);
  const bool shared = a.shared != 0;
  const std::uint64_t n_offers = static_cast<std::uint64_t>(a.n_active) * (shared ? 1 : a.n_nodes);
  Scratch<sb_offer> offer(context, n_offers);
  Scratch<sb_split> best(context, a.n_nodes);
  if (a.n_active > 0)
    shared ? offers_of_all(context, a, u, offer.data()) : offers_per_node(context, a, u, offer.data());
  SB_LAUNCH(context, sb_split_nodes, Grid{a.n_nodes}, a.pool.gradient, a.pool.hessian, a.pool.count, a.layout.offset,
            a.layout.n_cells, u.up[u.slot], offer.data(), a.n_active, shared, best.data());
  context.download(a.best, best.data(), a.n_nodes * sizeof(sb_split));
  settle_directions(a);
}

}  // namespace samebits::gpu
