/* histogram_build/1 and histogram_subtract/1. A block adds the rows of one piece of one node, for one panel of features.

   Lanes. 32 neighbouring threads (a group) take 32 consecutive bytes of a panel: one row of 32 features, 2 rows of 16 or 4
   of 8. Lane l adds to the words [code * 32 + l], so the 32 lanes always hit 32 different banks and never each other.
   Words. Five 32-bit words a cell: gradient and hessian each cut into 16 low bits (unsigned) and the signed rest, and the
   count. For a piece of at most 65536 rows: low sum <= 65536 * 65535 < 2^32; |rest| <= 2^14, its sum <= 2^30 < 2^31.
   So every addition is one native shared atomic; the piece's exact sums, rest * 2^16 + low, are added to the pool by
   64-bit atomics at the end, turned through shared memory so that neighbouring threads own neighbouring cells.
   Floor: 5 shared atomics a row and group on every multiprocessor; memory moves 44 to 68 bytes a row and is below it. */
#ifndef SAMEBITS_BACKENDS_SIMT_HISTOGRAM_H
#define SAMEBITS_BACKENDS_SIMT_HISTOGRAM_H

#include "backends/simt/block.h"
#include "numerics/ops/histogram.h"

#define SB_HISTOGRAM_BLOCK 1024u
#define SB_HISTOGRAM_LANES 32u
#define SB_HISTOGRAM_WORDS 5u
#define SB_HISTOGRAM_MOST_ROWS 65536u
#define SB_HISTOGRAM_OWN 8u /* rows in flight per lane */
#define SB_HISTOGRAM_TURN (SB_HISTOGRAM_LANES * (SB_HISTOGRAM_LANES + 1u))

/* One row's part of a lane. `words` counts the words of one of the five arrays. */
SB_DEVICE void sb_histogram_add(SB_LOCAL sb_u32* cell, sb_u32 words, sb_i32 g, sb_i32 h) {
  sb_local_add_u32(cell, (sb_u32)g & 0xffffu);
  sb_local_add_u32(cell + words, (sb_u32)(g >> 16));
  sb_local_add_u32(cell + 2 * words, (sb_u32)h & 0xffffu);
  sb_local_add_u32(cell + 3 * words, (sb_u32)(h >> 16));
  sb_local_add_u32(cell + 4 * words, 1u);
}

/* The exact sums of a cell and lane. */
SB_DEVICE void sb_histogram_read(const SB_LOCAL sb_u32* cell, sb_u32 words, sb_i64* g, sb_i64* h, sb_u32* count) {
  sb_i64 high_g = (sb_i64)(sb_i32)cell[words] * 65536, high_h = (sb_i64)(sb_i32)cell[3 * words] * 65536;
  *g = sb_sum_add(*g, sb_sum_add(high_g, (sb_i64)cell[0]));
  *h = sb_sum_add(*h, sb_sum_add(high_h, (sb_i64)cell[2 * words]));
  *count += cell[4 * words];
}

/* The words of 32 codes at a time go to the pool. Inactive lanes hold zeros, codes beyond a feature's cells too. */
SB_DEVICE void sb_histogram_flush(const SB_LOCAL sb_u32* words, sb_u32 cells, sb_u32 width, sb_u32 panel,
                                  const SB_GLOBAL sb_u32* offset, sb_u32 n_features, sb_u64 slot_cell,
                                  SB_GLOBAL sb_i64* gradient, SB_GLOBAL sb_i64* hessian, SB_GLOBAL sb_u32* count) {
  SB_SHARED(sb_i64, turn_g, SB_HISTOGRAM_TURN);
  SB_SHARED(sb_i64, turn_h, SB_HISTOGRAM_TURN);
  SB_SHARED(sb_u32, turn_c, SB_HISTOGRAM_TURN);
  const sb_u32 row = sb_thread() / SB_HISTOGRAM_LANES, column = sb_thread() % SB_HISTOGRAM_LANES;
  const sb_u32 size = cells * SB_HISTOGRAM_LANES, feature = panel * width + row;
  for (sb_u32 base = 0; base < cells; base += SB_HISTOGRAM_LANES) {
    sb_i64 g = 0, h = 0;
    sb_u32 c = 0;
    if (column < width && base + row < cells) {
      for (sb_u32 copy = column; copy < SB_HISTOGRAM_LANES; copy += width) {
        sb_histogram_read(words + (base + row) * SB_HISTOGRAM_LANES + copy, size, &g, &h, &c);
      }
    }
    const sb_u32 place = column * (SB_HISTOGRAM_LANES + 1) + row;
    turn_g[place] = g;
    turn_h[place] = h;
    turn_c[place] = c;
    SB_BARRIER();
    const sb_u32 mine = row * (SB_HISTOGRAM_LANES + 1) + column;
    if (row < width && feature < n_features && turn_c[mine] != 0u) {
      sb_u64 cell = slot_cell + offset[feature] + base + column;
      sb_global_add_i64(&gradient[cell], turn_g[mine]);
      sb_global_add_i64(&hessian[cell], turn_h[mine]);
      sb_global_add_u32(&count[cell], turn_c[mine]);
    }
    SB_BARRIER();
  }
}

/* The number of a node's row `i`, and the row staged for its group; a row past the end adds nothing (w = 0). */
SB_DEVICE sb_u32 sb_histogram_row(const SB_GLOBAL sb_u32* rows, sb_u64 i, sb_u64 end) {
  return i >= end ? 0u : rows ? rows[i] : (sb_u32)i;
}
SB_DEVICE sb_u32x4 sb_histogram_stage(const SB_GLOBAL sb_i32x2* gh, sb_u32 row, sb_u32 inside) {
  sb_u32x4 staged = {row, 0u, 0u, inside};
  if (inside) {
    sb_i32x2 v = gh[row];
    staged.y = (sb_u32)v.x;
    staged.z = (sb_u32)v.y;
  }
  return staged;
}

/* Adds the 32 rows that a group staged. `step` rows at a time; this lane takes row `first` of each step. */
SB_DEVICE void sb_histogram_group(const SB_LOCAL sb_u32x4* staged, const SB_GLOBAL sb_u8* lane_bins, sb_u32 width,
                                  sb_u32 first, sb_u32 step, SB_LOCAL sb_u32* lane_words, sb_u32 words) {
  for (sb_u32 k = first; k < SB_HISTOGRAM_LANES; k += step * SB_HISTOGRAM_OWN) {
    sb_u32 code[SB_HISTOGRAM_OWN];
    SB_UNROLL
    for (sb_u32 u = 0; u < SB_HISTOGRAM_OWN; ++u) {
      sb_u32 at = k + u * step;
      code[u] = at < SB_HISTOGRAM_LANES ? lane_bins[(sb_u64)staged[at].x * width] : 0u;
    }
    SB_UNROLL
    for (sb_u32 u = 0; u < SB_HISTOGRAM_OWN; ++u) {
      sb_u32 at = k + u * step;
      if (at < SB_HISTOGRAM_LANES) {
        sb_u32x4 row = staged[at];
        if (row.w != 0u)
          sb_histogram_add(lane_words + code[u] * SB_HISTOGRAM_LANES, words, (sb_i32)row.y, (sb_i32)row.z);
      }
    }
  }
}

/* Grid: (pieces of all nodes, panels). active: one bit a feature. cells: most cells of any feature. */
SB_KERNEL(1024)
sb_histogram_pieces(const SB_GLOBAL sb_u8* bins, sb_u64 n_rows, sb_u32 width, const SB_GLOBAL sb_i32x2* gh,
                    const SB_GLOBAL sb_u32* rows, const SB_GLOBAL sb_u32* offset, sb_u32 n_features, sb_u32 n_cells,
                    sb_u32 cells, const SB_GLOBAL sb_u32* active, sb_u32 n_nodes, const SB_GLOBAL sb_u32* first_piece,
                    const SB_GLOBAL sb_u64* begin, const SB_GLOBAL sb_u64* end, const SB_GLOBAL sb_u32* slot,
                    sb_u32 piece_rows, SB_GLOBAL sb_i64* gradient, SB_GLOBAL sb_i64* hessian, SB_GLOBAL sb_u32* count) {
  SB_SHARED_DYNAMIC(words);
  SB_SHARED(sb_u32x4, staged, SB_HISTOGRAM_BLOCK);
  const sb_u32 t = sb_thread(), lane = t % SB_HISTOGRAM_LANES, group = t / SB_HISTOGRAM_LANES;
  const sb_u32 size = cells * SB_HISTOGRAM_LANES, panel = sb_block_y();
  for (sb_u32 i = t; i < size * SB_HISTOGRAM_WORDS; i += SB_HISTOGRAM_BLOCK) words[i] = 0u;

  const sb_u32 node = sb_segment_of(first_piece, n_nodes, sb_block());
  const sb_u64 from = begin[node] + (sb_u64)(sb_block() - first_piece[node]) * piece_rows;
  const sb_u64 to = from + piece_rows < end[node] ? from + piece_rows : end[node];
  const sb_u32 feature = panel * width + lane % width;
  const sb_u32 on = feature < n_features ? (active[feature / 32u] >> (feature % 32u)) & 1u : 0u;
  const SB_GLOBAL sb_u8* lane_bins = bins + (sb_u64)panel * n_rows * width + lane % width;

  /* Gathers run a tile ahead, row numbers two, so that neither is waited for. */
  sb_u32x4 next = sb_histogram_stage(gh, sb_histogram_row(rows, from + t, to), from + t < to);
  sb_u32 ahead = sb_histogram_row(rows, from + SB_HISTOGRAM_BLOCK + t, to);
  for (sb_u64 base = from; base < to; base += SB_HISTOGRAM_BLOCK) {
    SB_BARRIER();
    staged[t] = next;
    SB_BARRIER();
    next = sb_histogram_stage(gh, ahead, base + SB_HISTOGRAM_BLOCK + t < to);
    ahead = sb_histogram_row(rows, base + 2 * SB_HISTOGRAM_BLOCK + t, to);
    if (on) {
      sb_histogram_group(staged + group * SB_HISTOGRAM_LANES, lane_bins, width, lane / width,
                         SB_HISTOGRAM_LANES / width, words + lane, size);
    }
  }
  SB_BARRIER();
  sb_histogram_flush(words, cells, width, panel, offset, n_features, (sb_u64)slot[node] * n_cells, gradient, hessian,
                     count);
}

/* Grid: (blocks of cells, nodes). */
SB_KERNEL(256)
sb_histogram_zero(SB_GLOBAL sb_i64* gradient, SB_GLOBAL sb_i64* hessian, SB_GLOBAL sb_u32* count, sb_u32 n_cells,
                  const SB_GLOBAL sb_u32* slot) {
  sb_u32 i = sb_block() * SB_BLOCK + sb_thread();
  if (i < n_cells) {
    sb_u64 cell = (sb_u64)slot[sb_block_y()] * n_cells + i;
    gradient[cell] = 0;
    hessian[cell] = 0;
    count[cell] = 0;
  }
}

/* Grid: (blocks of cells, pairs). */
SB_KERNEL(256)
sb_histogram_difference(SB_GLOBAL sb_i64* gradient, SB_GLOBAL sb_i64* hessian, SB_GLOBAL sb_u32* count, sb_u32 n_cells,
                        const SB_GLOBAL sb_u32* parent, const SB_GLOBAL sb_u32* child, const SB_GLOBAL sb_u32* out) {
  sb_u32 i = sb_block() * SB_BLOCK + sb_thread();
  if (i < n_cells) {
    sb_u64 p = (sb_u64)parent[sb_block_y()] * n_cells + i, c = (sb_u64)child[sb_block_y()] * n_cells + i;
    sb_u64 o = (sb_u64)out[sb_block_y()] * n_cells + i;
    gradient[o] = gradient[p] - gradient[c];
    hessian[o] = hessian[p] - hessian[c];
    count[o] = count[p] - count[c];
  }
}

#endif
