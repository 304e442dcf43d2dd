/* bin_assign/1: neighbouring threads take neighbouring features of a panel, so rows are read and codes written in whole
   sectors; a branch-free binary search over 255 edges (padded with +infinity) in shared memory, edge e of lane l at
   [e * 32 + l], so that 32 searches never meet in a bank. f32 data is compared with edges rounded down to f32, which
   decides x > edge in the same way (sb_floor_f32).
   Floor: 8 shared reads a value; memory moves 4 (8) bytes in and 1 out a value. */
#ifndef SAMEBITS_BACKENDS_SIMT_BIN_ASSIGN_H
#define SAMEBITS_BACKENDS_SIMT_BIN_ASSIGN_H

#include "backends/simt/block.h"
#include "numerics/arith/arith.h"

#define SB_EDGES 255u
/* How the work is cut; a backend whose devices have less shared memory sets both (2 KB a lane of f64 edges). */
#if !defined(SB_EDGE_LANES)
#define SB_EDGE_LANES 32u
#define SB_ASSIGN_BLOCK 1024u
#endif
#define SB_ASSIGN_OWN 4u
#define SB_COLUMN_ROWS 128u

/* Columns of a panel that a block takes. */
SB_FN sb_u32 sb_assign_columns_of(sb_u32 width) { return width < SB_EDGE_LANES ? width : SB_EDGE_LANES; }

/* Lanes without a feature hold the edges of the last one: nothing reads them, but no lane stays unwritten.
   SB_DEFINE_ASSIGN(name, type, is infinite): edges[f * SB_EDGES + e], n_edges[f]; grid (blocks, parts of panels). */
#define SB_DEFINE_ASSIGN(NAME, TYPE, IS_INFINITE)                                                                \
  SB_KERNEL(SB_ASSIGN_BLOCK)                                                                                     \
  NAME(const SB_GLOBAL TYPE* x, sb_u64 n_rows, sb_u32 n_features, sb_i64 row_stride, sb_i64 column_stride,       \
       const SB_GLOBAL TYPE* edges, const SB_GLOBAL sb_u32* n_edges, SB_GLOBAL sb_u8* bins, sb_u32 width,        \
       SB_GLOBAL sb_i64* n_infinite) {                                                                           \
    SB_SHARED_DYNAMIC(shared);                                                                                   \
    SB_LOCAL TYPE* near_edge = (SB_LOCAL TYPE*)shared;                                                           \
    const sb_u32 t = sb_thread(), columns = sb_assign_columns_of(width), rows = SB_ASSIGN_BLOCK / columns;       \
    const sb_u32 panel = sb_block_y() / (width / columns), first = sb_block_y() % (width / columns) * columns;   \
    const sb_u32 column = first + t % columns;                                                                   \
    const sb_u32 f = panel * width + column, inside = f < n_features;                                            \
    const SB_LOCAL TYPE* mine = near_edge + t % SB_EDGE_LANES;                                                   \
    for (sb_u32 k = t; k < SB_EDGES * SB_EDGE_LANES; k += SB_ASSIGN_BLOCK) {                                     \
      sb_u32 of = panel * width + first + k % columns;                                                           \
      of = of < n_features ? of : n_features - 1u; /* every lane is filled */                                    \
      near_edge[k] = edges[(sb_u64)of * SB_EDGES + k / SB_EDGE_LANES];                                           \
    }                                                                                                            \
    const sb_u32 missing = inside ? n_edges[f] + 1u : 0u;                                                        \
    const sb_u64 step = (sb_u64)sb_blocks() * rows;                                                              \
    sb_u64 infinite = 0;                                                                                         \
    SB_BARRIER();                                                                                                \
    for (sb_u64 i = (sb_u64)sb_block() * rows + t / columns; i < n_rows; i += step * SB_ASSIGN_OWN) {            \
      TYPE v[SB_ASSIGN_OWN];                                                                                     \
      SB_UNROLL                                                                                                  \
      for (sb_u32 u = 0; u < SB_ASSIGN_OWN; ++u) {                                                               \
        sb_u64 r = i + u * step;                                                                                 \
        v[u] = inside && r < n_rows ? x[(sb_i64)r * row_stride + (sb_i64)f * column_stride] : (TYPE)0;           \
      }                                                                                                          \
      SB_UNROLL                                                                                                  \
      for (sb_u32 u = 0; u < SB_ASSIGN_OWN; ++u) {                                                               \
        sb_u32 code = 0;                                                                                         \
        if (inside) {                                                                                            \
          SB_UNROLL                                                                                              \
          for (sb_u32 d = 128; d > 0; d >>= 1) {                                                                 \
            code += v[u] > mine[(code + d - 1u) * SB_EDGE_LANES] ? d : 0u;                                       \
          }                                                                                                      \
          code = v[u] != v[u] ? missing : code;                                                                  \
        }                                                                                                        \
        infinite += (sb_u64)IS_INFINITE(v[u]);                                                                   \
        if (i + u * step < n_rows) bins[((sb_u64)panel * n_rows + i + u * step) * width + column] = (sb_u8)code; \
      }                                                                                                          \
    }                                                                                                            \
    if (infinite != 0) sb_global_add_i64(n_infinite, (sb_i64)infinite);                                          \
  }

SB_DEFINE_ASSIGN(sb_assign_f32, sb_f32, sb_isinf_f32)
SB_DEFINE_ASSIGN(sb_assign_f64, sb_f64, sb_isinf_f64)

/* The same codes by feature: 128 rows of a panel turn in shared memory. Grid (blocks, panels). */
SB_KERNEL(256)
sb_assign_columns(const SB_GLOBAL sb_u8* bins, sb_u64 n_rows, sb_u32 n_features, sb_u32 width,
                  SB_GLOBAL sb_u8* columns) {
  SB_SHARED(sb_u8, turn, SB_COLUMN_ROWS * 33u); /* rows of 32 codes and a byte of padding */
  const sb_u32 t = sb_thread(), panel = sb_block_y();
  const sb_u64 from = (sb_u64)sb_block() * SB_COLUMN_ROWS;
  const sb_u32 n = n_rows - from < SB_COLUMN_ROWS ? (sb_u32)(n_rows - from) : SB_COLUMN_ROWS;
  const SB_GLOBAL sb_u8* in = bins + ((sb_u64)panel * n_rows + from) * width;
  for (sb_u32 k = t; k < n * width; k += SB_BLOCK) turn[k / width * 33u + k % width] = in[k];
  SB_BARRIER();
  for (sb_u32 k = t; k < width * SB_COLUMN_ROWS; k += SB_BLOCK) {
    sb_u32 f = panel * width + k / SB_COLUMN_ROWS, row = k % SB_COLUMN_ROWS;
    if (f < n_features && row < n) columns[(sb_u64)f * n_rows + from + row] = turn[row * 33u + k / SB_COLUMN_ROWS];
  }
}

#endif
