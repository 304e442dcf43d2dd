#include "backends/gpu/primitives.hpp"

namespace samebits::gpu {

void partition_rows(Context& context, const sb_partition_rows_args& a) {
  std::vector<sb_part_node> nodes(a.n_nodes);
  for (std::uint32_t j = 0; j < a.n_nodes; ++j) {
    const std::uint32_t f = a.feature[j], missing = a.layout.offset_host[f + 1] - a.layout.offset_host[f] - 1;
    nodes[j] = {a.begin[j], a.end[j], f, a.bin[j], missing, a.default_left[j]};
  }
  const std::vector<std::uint32_t> first = first_tiles(a.begin, a.end, a.n_nodes, SB_PART_TILE);
  const std::uint32_t tiles = first[a.n_nodes];
  if (tiles == 0) return;
  Upload up(context);
  const auto node = up.add(nodes);
  const auto first_tile = up.add(first);
  up.send();
  Scratch<std::uint8_t> decision(context, static_cast<std::uint64_t>(tiles) * SB_PART_TILE);
  Scratch<std::uint32_t> count(context, tiles), n_left(context, a.n_nodes);
  const Grid grid{tiles};
  SB_LAUNCH(context, sb_part_decide, grid, a.bins.data, a.bins.columns, a.bins.n_rows, a.bins.width, a.rows, up[node],
            up[first_tile], a.n_nodes, decision.data(), count.data());
  SB_LAUNCH(context, sb_segment_scan, Grid{a.n_nodes}, count.data(), up[first_tile], n_left.data());
  SB_LAUNCH(context, sb_part_move, grid, a.rows, a.scratch, up[node], up[first_tile], a.n_nodes,
            reinterpret_cast<const sb_u32x4*>(decision.data()), count.data(), n_left.data());
  SB_LAUNCH(context, sb_part_copy, grid, a.rows, a.scratch, up[node], up[first_tile], a.n_nodes);
}

void row_sample(Context& context, const sb_row_sample_args& a) {
  const std::uint64_t tiles = ceil_div(a.n, SB_SAMPLE_TILE);
  *a.n_kept = 0;
  if (tiles == 0) return;
  Upload up(context);
  const std::vector<std::uint32_t> first{0, static_cast<std::uint32_t>(tiles)};
  const auto first_tile = up.add(first);
  up.send();
  Scratch<std::uint32_t> count(context, tiles), kept(context, 1);
  SB_LAUNCH(context, sb_sample_count, Grid{tiles}, a.seed, a.purpose, a.draw, a.threshold, a.n, count.data());
  SB_LAUNCH(context, sb_segment_scan, Grid{1}, count.data(), up[first_tile], kept.data());
  SB_LAUNCH(context, sb_sample_write, Grid{tiles}, a.seed, a.purpose, a.draw, a.threshold, a.n, count.data(), a.rows);
  std::uint32_t n_kept = 0;
  context.download(&n_kept, kept.data(), sizeof(n_kept));
  *a.n_kept = n_kept;
}

void fill_f32(Context& context, const sb_fill_f32_args& a) {
  SB_LAUNCH(context, sb_fill, Grid{ceil_div(a.n, SB_BLOCK)}, a.out, a.value, a.n);
}

void iota_u32(Context& context, const sb_iota_u32_args& a) {
  SB_LAUNCH(context, sb_iota, Grid{ceil_div(a.n, SB_BLOCK)}, a.out, a.n);
}

}  // namespace samebits::gpu
