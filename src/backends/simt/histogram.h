/* histogram_build/1 and histogram_subtract/1. A block adds the rows of one piece of one node, for one panel of features.

   Lanes. 32 neighbouring threads (a group) take 32 consecutive bytes of a panel: one row of 32 features, 2 rows of 16 or 4
   of 8. Lane l adds to the words [code * 32 + l], so the 32 lanes always hit 32 different banks and never each other.
   With fewer lanes than features in a panel a block takes a part of the panel's columns, as many as there are lanes.
   Words. Five 32-bit words a cell: gradient and hessian each cut into 16 low bits (unsigned) and the signed rest, and the
   count. For a piece of at most 65536 rows: low sum <= 65536 * 65535 < 2^32; |rest| <= 2^14, its sum <= 2^30 < 2^31.
   So every addition is one native shared atomic; the piece's exact sums, rest * 2^16 + low, are added to the pool by
   64-bit atomics at the end, turned through shared memory so that neighbouring threads own neighbouring cells.
   Floor: 5 shared atomics a row and group on every multiprocessor; memory moves 44 to 68 bytes a row and is below it. */
#ifndef SAMEBITS_BACKENDS_SIMT_HISTOGRAM_H
#define SAMEBITS_BACKENDS_SIMT_HISTOGRAM_H

#include "backends/simt/block.h"
#include "numerics/ops/histogram.h"

/* How the work is cut; a backend whose devices have less shared memory sets both (5 KB a lane of 256 cells). */
#if !defined(SB_HISTOGRAM_LANES)
#define SB_HISTOGRAM_BLOCK 1024u
#define SB_HISTOGRAM_LANES 32u
#endif
#if SB_HISTOGRAM_LANES % 8u != 0u || SB_HISTOGRAM_LANES > 32u || \
    SB_HISTOGRAM_BLOCK < SB_HISTOGRAM_LANES * SB_HISTOGRAM_LANES
#error "histogram: need 8, 16 or 32 lanes and a block of at least lanes * lanes threads"
#endif
#define SB_HISTOGRAM_WORDS 5u
#define SB_HISTOGRAM_MOST_ROWS 65536u
#define SB_HISTOGRAM_OWN 8u /* rows in flight per lane */
#define SB_HISTOGRAM_TURN (SB_HISTOGRAM_LANES * (SB_HISTOGRAM_LANES + 1u))

/* The words of a lane's cell are 32 (LANES) apart: [(code * 5 + word) * 32 + lane]. */
#define SB_HISTOGRAM_CELL (SB_HISTOGRAM_WORDS * SB_HISTOGRAM_LANES)

/* Columns of a panel that a block takes. */
SB_FN sb_u32 sb_histogram_columns(sb_u32 width) { return width < SB_HISTOGRAM_LANES ? width : SB_HISTOGRAM_LANES; }

/* One row's part of a lane. */
SB_DEVICE void sb_histogram_add(SB_LOCAL sb_u32* cell, sb_i32x2 gh) {
  sb_local_add_u32(cell, (sb_u32)gh.x & 0xffffu);
  sb_local_add_u32(cell + SB_HISTOGRAM_LANES, (sb_u32)(gh.x >> 16));
  sb_local_add_u32(cell + 2 * SB_HISTOGRAM_LANES, (sb_u32)gh.y & 0xffffu);
  sb_local_add_u32(cell + 3 * SB_HISTOGRAM_LANES, (sb_u32)(gh.y >> 16));
  sb_local_add_u32(cell + 4 * SB_HISTOGRAM_LANES, 1u);
}

/* Adds the exact sums of a cell and lane. */
SB_DEVICE void sb_histogram_read(const SB_LOCAL sb_u32* cell, sb_i64* g, sb_i64* h, sb_u32* count) {
  sb_i64 high_g = (sb_i64)(sb_i32)cell[SB_HISTOGRAM_LANES] * 65536;
  sb_i64 high_h = (sb_i64)(sb_i32)cell[3 * SB_HISTOGRAM_LANES] * 65536;
  *g = sb_sum_add(*g, sb_sum_add(high_g, (sb_i64)cell[0]));
  *h = sb_sum_add(*h, sb_sum_add(high_h, (sb_i64)cell[2 * SB_HISTOGRAM_LANES]));
  *count += cell[4 * SB_HISTOGRAM_LANES];
}

/* The words of 32 codes at a time go to the pool, through three arrays of SB_HISTOGRAM_TURN elements. Inactive lanes hold
   zeros, codes beyond a feature's cells too. first: the first of the block's `columns` features. */
SB_DEVICE void sb_histogram_flush(SB_LOCAL sb_i64* turn_g, SB_LOCAL sb_i64* turn_h, SB_LOCAL sb_u32* turn_c,
                                  const SB_LOCAL sb_u32* words, sb_u32 cells, sb_u32 columns, sb_u32 first,
                                  const SB_GLOBAL sb_u32* offset, sb_u32 n_features, sb_u64 slot_cell,
                                  SB_GLOBAL sb_i64* gradient, SB_GLOBAL sb_i64* hessian, SB_GLOBAL sb_u32* count) {
  const sb_u32 row = sb_thread() / SB_HISTOGRAM_LANES, column = sb_thread() % SB_HISTOGRAM_LANES;
  const sb_u32 feature = first + row;
  for (sb_u32 base = 0; base < cells; base += SB_HISTOGRAM_LANES) {
    sb_i64 g = 0, h = 0;
    sb_u32 c = 0;
    if (row < SB_HISTOGRAM_LANES && column < columns && base + row < cells) {
      for (sb_u32 copy = column; copy < SB_HISTOGRAM_LANES; copy += columns) {
        sb_histogram_read(words + (base + row) * SB_HISTOGRAM_CELL + copy, &g, &h, &c);
      }
    }
    if (row < SB_HISTOGRAM_LANES) {
      const sb_u32 place = column * (SB_HISTOGRAM_LANES + 1) + row;
      turn_g[place] = g;
      turn_h[place] = h;
      turn_c[place] = c;
    }
    SB_BARRIER();
    const sb_u32 mine = row * (SB_HISTOGRAM_LANES + 1) + column;
    if (row < columns && feature < n_features && turn_c[mine] != 0u) {
      sb_u64 cell = slot_cell + offset[feature] + base + column;
      sb_global_add_i64(&gradient[cell], turn_g[mine]);
      sb_global_add_i64(&hessian[cell], turn_h[mine]);
      sb_global_add_u32(&count[cell], turn_c[mine]);
    }
    SB_BARRIER();
  }
}

/* The number of a node's row `i`, 0 past the end. */
SB_DEVICE sb_u32 sb_histogram_row(const SB_GLOBAL sb_u32* rows, sb_u64 i, sb_u64 end) {
  return i >= end ? 0u : rows ? rows[i] : (sb_u32)i;
}

/* Adds `columns` of a group's staged rows (one a lane): those of this lane. */
SB_DEVICE void sb_histogram_group(const SB_LOCAL sb_u32* row, const SB_LOCAL sb_i32x2* gh,
                                  const SB_GLOBAL sb_u8* lane_bins, sb_u32 width, sb_u32 columns,
                                  SB_LOCAL sb_u32* lane_words) {
  for (sb_u32 k = 0; k < columns; k += SB_HISTOGRAM_OWN) {
    sb_u32 code[SB_HISTOGRAM_OWN];
    SB_UNROLL
    for (sb_u32 u = 0; u < SB_HISTOGRAM_OWN; u += 4) {
      const sb_u32x4 r = *(const SB_LOCAL sb_u32x4*)(row + k + u);
      code[u] = lane_bins[(sb_u64)r.x * width];
      code[u + 1] = lane_bins[(sb_u64)r.y * width];
      code[u + 2] = lane_bins[(sb_u64)r.z * width];
      code[u + 3] = lane_bins[(sb_u64)r.w * width];
    }
    SB_UNROLL
    for (sb_u32 u = 0; u < SB_HISTOGRAM_OWN; u += 2) {
      const sb_u32x4 two = *(const SB_LOCAL sb_u32x4*)(gh + k + u);
      const sb_i32x2 first = {(sb_i32)two.x, (sb_i32)two.y}, second = {(sb_i32)two.z, (sb_i32)two.w};
      sb_histogram_add(lane_words + code[u] * SB_HISTOGRAM_CELL, first);
      sb_histogram_add(lane_words + code[u + 1] * SB_HISTOGRAM_CELL, second);
    }
  }
}

/* The same for a group with only n staged rows; `first` is the first row of this lane. */
SB_DEVICE void sb_histogram_rest(const SB_LOCAL sb_u32* row, const SB_LOCAL sb_i32x2* gh, sb_u32 first, sb_u32 n,
                                 const SB_GLOBAL sb_u8* lane_bins, sb_u32 width, sb_u32 columns,
                                 SB_LOCAL sb_u32* lane_words) {
  for (sb_u32 k = first; k < first + columns && k < n; ++k) {
    sb_histogram_add(lane_words + (sb_u32)lane_bins[(sb_u64)row[k] * width] * SB_HISTOGRAM_CELL, gh[k]);
  }
}

/* Grid: (pieces of all nodes, parts of panels). active: one bit a feature. cells: most cells of any feature. */
SB_KERNEL(SB_HISTOGRAM_BLOCK)
sb_histogram_pieces(const SB_GLOBAL sb_u8* bins, sb_u64 n_rows, sb_u32 width, const SB_GLOBAL sb_i32x2* gh,
                    const SB_GLOBAL sb_u32* rows, const SB_GLOBAL sb_u32* offset, sb_u32 n_features, sb_u32 n_cells,
                    sb_u32 cells, const SB_GLOBAL sb_u32* active, sb_u32 n_nodes, const SB_GLOBAL sb_u32* first_piece,
                    const SB_GLOBAL sb_u64* begin, const SB_GLOBAL sb_u64* end, const SB_GLOBAL sb_u32* slot,
                    sb_u32 piece_rows, SB_GLOBAL sb_i64* gradient, SB_GLOBAL sb_i64* hessian, SB_GLOBAL sb_u32* count) {
  SB_SHARED_DYNAMIC(words);
  SB_SHARED(sb_u32x4, staged_rows, SB_HISTOGRAM_BLOCK / 4); /* four row numbers each */
  SB_SHARED(sb_u32x4, staged_gh, SB_HISTOGRAM_BLOCK / 2); /* two (gradient, hessian) each */
  SB_SHARED(sb_i64, turn_g, SB_HISTOGRAM_TURN);
  SB_SHARED(sb_i64, turn_h, SB_HISTOGRAM_TURN);
  SB_SHARED(sb_u32, turn_c, SB_HISTOGRAM_TURN);
  SB_LOCAL sb_u32* staged_row = (SB_LOCAL sb_u32*)staged_rows;
  SB_LOCAL sb_i32x2* staged_pair = (SB_LOCAL sb_i32x2*)staged_gh;
  const sb_u32 t = sb_thread(), lane = t % SB_HISTOGRAM_LANES, group = t - lane;
  const sb_u32 columns = sb_histogram_columns(width), parts = width / columns, panel = sb_block_y() / parts;
  const sb_u32 first = sb_block_y() % parts * columns; /* of the panel's columns */
  for (sb_u32 i = t; i < cells * SB_HISTOGRAM_CELL; i += SB_HISTOGRAM_BLOCK) words[i] = 0u;

  const sb_u32 node = sb_segment_of(first_piece, n_nodes, sb_block());
  const sb_u64 from = begin[node] + (sb_u64)(sb_block() - first_piece[node]) * piece_rows;
  const sb_u64 to = from + piece_rows < end[node] ? from + piece_rows : end[node];
  const sb_u32 feature = panel * width + first + lane % columns, own = lane / columns * columns;
  const sb_u32 on = feature < n_features ? (active[feature / 32u] >> (feature % 32u)) & 1u : 0u;
  const SB_GLOBAL sb_u8* lane_bins = bins + (sb_u64)panel * n_rows * width + first + lane % columns;

  /* Gathers run a tile ahead, row numbers two, so that neither is waited for. Rows past the end gather row 0. */
  sb_u32 next_row = sb_histogram_row(rows, from + t, to),
         ahead = sb_histogram_row(rows, from + SB_HISTOGRAM_BLOCK + t, to);
  sb_i32x2 next_pair = gh[next_row];
  for (sb_u64 base = from; base < to; base += SB_HISTOGRAM_BLOCK) {
    SB_BARRIER();
    staged_row[t] = next_row;
    staged_pair[t] = next_pair;
    SB_BARRIER();
    next_row = ahead;
    next_pair = gh[next_row];
    ahead = sb_histogram_row(rows, base + 2 * SB_HISTOGRAM_BLOCK + t, to);
    if (on && base + group + SB_HISTOGRAM_LANES <= to) {
      sb_histogram_group(staged_row + group + own, staged_pair + group + own, lane_bins, width, columns, words + lane);
    } else if (on && base + group < to) {
      sb_histogram_rest(staged_row + group, staged_pair + group, own, (sb_u32)(to - base) - group, lane_bins, width,
                        columns, words + lane);
    }
  }
  SB_BARRIER();
  sb_histogram_flush(turn_g, turn_h, turn_c, words, cells, columns, panel * width + first, offset, n_features,
                     (sb_u64)slot[node] * n_cells, gradient, hessian, count);
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
