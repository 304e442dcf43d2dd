#include "backends/gpu/primitives.hpp"

#include <algorithm>

namespace samebits::gpu {
namespace {

constexpr std::uint64_t kFewestRows = 4096;  // of a piece: below it, clearing and adding a block's cells costs more

// About two pieces a multiprocessor (one runs there at a time), within the bound on rows that histogram.h proves.
std::uint32_t rows_of_piece(const Context& context, std::uint64_t rows, std::uint64_t panels) {
  const std::uint64_t pieces =
      std::max<std::uint64_t>(2 * static_cast<std::uint64_t>(context.multiprocessors()) / panels, 1);
  const std::uint64_t wanted = ceil_div(ceil_div(rows, pieces), SB_HISTOGRAM_BLOCK) * SB_HISTOGRAM_BLOCK;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, kFewestRows, SB_HISTOGRAM_MOST_ROWS));
}

// Calls f(first, n) for the items in runs of at most kGridY.
template <class F>
void in_runs(std::uint32_t n, F f) {
  for (std::uint32_t first = 0; first < n; first += std::min(kGridY, n - first)) f(first, std::min(kGridY, n - first));
}

std::uint32_t most_cells(const sb_histogram_build_args& a) {
  std::uint32_t cells = 1;
  for (std::uint32_t i = 0; i < a.n_active; ++i) {
    cells = std::max(cells, a.layout.offset_host[a.feature[i] + 1] - a.layout.offset_host[a.feature[i]]);
  }
  return cells;
}

}  // namespace

void histogram_build(Context& context, const sb_histogram_build_args& a) {
  if (a.n_nodes == 0) return;
  std::vector<std::uint32_t> active(ceil_div(a.layout.n_features, 32) + 1);
  for (std::uint32_t i = 0; i < a.n_active; ++i) active[a.feature[i] / 32] |= 1u << (a.feature[i] % 32);
  std::uint64_t rows = 0;
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) rows += a.end[j] - a.begin[j];
  const std::uint32_t parts = a.bins.width / sb_histogram_columns(a.bins.width),
                      panels = static_cast<std::uint32_t>(ceil_div(a.bins.n_features, a.bins.width)) * parts,
                      cells = most_cells(a);
  const std::uint32_t piece_rows = rows_of_piece(context, rows, panels);
  const std::vector<std::uint32_t> first = first_tiles(a.begin, a.end, a.n_nodes, piece_rows);

  Upload up(context);
  const auto on = up.add(active);
  const auto first_piece = up.add(first);
  const auto begin = up.add(a.begin, a.n_nodes);
  const auto end = up.add(a.end, a.n_nodes);
  const auto slot = up.add(a.slot, a.n_nodes);
  up.send();
  in_runs(a.n_nodes, [&](std::uint32_t from, std::uint32_t n) {
    SB_LAUNCH(context, sb_histogram_zero, (Grid{ceil_div(a.layout.n_cells, SB_BLOCK), n}), a.pool.gradient,
              a.pool.hessian, a.pool.count, a.layout.n_cells, up[slot] + from);
  });
  const std::size_t shared = std::size_t{cells} * SB_HISTOGRAM_LANES * SB_HISTOGRAM_WORDS * sizeof(std::uint32_t);
  SB_LAUNCH(context, sb_histogram_pieces, (Grid{first[a.n_nodes], panels, shared}), a.bins.data, a.bins.n_rows,
            a.bins.width, reinterpret_cast<const sb_i32x2*>(a.gh), a.rows, a.layout.offset, a.layout.n_features,
            a.layout.n_cells, cells, up[on], a.n_nodes, up[first_piece], up[begin], up[end], up[slot], piece_rows,
            a.pool.gradient, a.pool.hessian, a.pool.count);
}

void histogram_subtract(Context& context, const sb_histogram_subtract_args& a) {
  if (a.n_pairs == 0) return;
  Upload up(context);
  const auto parent = up.add(a.parent, a.n_pairs);
  const auto child = up.add(a.child, a.n_pairs);
  const auto out = up.add(a.out, a.n_pairs);
  up.send();
  in_runs(a.n_pairs, [&](std::uint32_t from, std::uint32_t n) {
    SB_LAUNCH(context, sb_histogram_difference, (Grid{ceil_div(a.n_cells, SB_BLOCK), n}), a.pool.gradient,
              a.pool.hessian, a.pool.count, a.n_cells, up[parent] + from, up[child] + from, up[out] + from);
  });
}

}  // namespace samebits::gpu
