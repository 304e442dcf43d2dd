/* gemm/1: blocks of 256 threads walk over tiles of 128 x 128 elements of C; a thread holds 8 x 8 of them in registers, four
   neighbours and four 64 further on in either direction, so that shared memory is read in 16-byte pieces without
   conflicts. Eight terms of both operands at a time go through shared memory while the next eight are on their way.
   A chain (numerics/product) ends in registers; subtrees that wait for their partner lie in global memory, a block's own
   levels of its tile, written and read once in 256 terms. Rows and columns beyond the end repeat the last one
   and are dropped; terms are never padded.
   Floor: 2 m n k operations. */
#ifndef SAMEBITS_BACKENDS_SIMT_GEMM_H
#define SAMEBITS_BACKENDS_SIMT_GEMM_H

#include "backends/simt/block.h"
#include "numerics/product/product.h"

/* A thread owns 8 x 8 elements; a backend whose devices have fewer registers (or whose compiler needs more) sets 4. */
#if !defined(SB_GEMM_OWN)
#define SB_GEMM_OWN 8u
#endif
#define SB_GEMM_TILE (16u * SB_GEMM_OWN)
#define SB_GEMM_TERMS 8u /* of a step; divides SB_CHAIN */
#define SB_GEMM_LINE (SB_GEMM_TILE + 4u) /* shared memory of a term, padded against conflicts */
#define SB_GEMM_LOADS (SB_GEMM_TILE * SB_GEMM_TERMS / SB_BLOCK)
#define SB_GEMM_HALF (SB_GEMM_TILE / 2u)

/* Place of a thread's element number e (0 .. 7) along one direction, for thread t (0 .. 15) of it. */
SB_DEVICE sb_u32 sb_gemm_place(sb_u32 t, sb_u32 e) { return e / 4u * SB_GEMM_HALF + t * 4u + e % 4u; }

/* Number (line, term) of load r of a thread: neighbouring threads take what is neighbours in memory. */
SB_DEVICE sb_u32 sb_gemm_line(sb_u32 r, sb_u32 terms_first) {
  const sb_u32 e = r * SB_BLOCK + sb_thread();
  return terms_first ? e / SB_GEMM_TERMS : e % SB_GEMM_TILE;
}
SB_DEVICE sb_u32 sb_gemm_term(sb_u32 r, sb_u32 terms_first) {
  const sb_u32 e = r * SB_BLOCK + sb_thread();
  return terms_first ? e % SB_GEMM_TERMS : e / SB_GEMM_TILE;
}

#define SB_DEFINE_GEMM(TYPE, ZERO)                                                                                   \
  /* Terms [term, term + 8) of lines [line, line + 128): a thread's share, in registers. */                          \
  SB_DEVICE void sb_gemm_fetch_##TYPE(const SB_GLOBAL sb_##TYPE* x, sb_i64 line_stride, sb_i64 term_stride,          \
                                      sb_u64 line, sb_u64 lines, sb_u64 term, sb_u64 terms, sb_##TYPE* own) {        \
    const sb_u32 terms_first = line_stride != 1;                                                                     \
    SB_UNROLL                                                                                                        \
    for (sb_u32 r = 0; r < SB_GEMM_LOADS; ++r) {                                                                     \
      const sb_u64 i = line + sb_gemm_line(r, terms_first), t = term + sb_gemm_term(r, terms_first);                 \
      const sb_u64 i_in = i < lines ? i : lines - 1u, t_in = t < terms ? t : terms - 1u;                             \
      own[r] = x[(sb_i64)i_in * line_stride + (sb_i64)t_in * term_stride];                                           \
    }                                                                                                                \
  }                                                                                                                  \
  SB_DEVICE void sb_gemm_store_##TYPE(SB_LOCAL sb_##TYPE* part, sb_i64 line_stride, const sb_##TYPE* own) {          \
    const sb_u32 terms_first = line_stride != 1;                                                                     \
    SB_UNROLL                                                                                                        \
    for (sb_u32 r = 0; r < SB_GEMM_LOADS; ++r) {                                                                     \
      part[sb_gemm_term(r, terms_first) * SB_GEMM_LINE + sb_gemm_line(r, terms_first)] = own[r];                     \
    }                                                                                                                \
  }                                                                                                                  \
  /* One term of all own elements. */                                                                                \
  SB_DEVICE void sb_gemm_step_##TYPE(const SB_LOCAL sb_##TYPE* a, const SB_LOCAL sb_##TYPE* b, sb_##TYPE* s) {       \
    sb_##TYPE x[SB_GEMM_OWN], y[SB_GEMM_OWN];                                                                        \
    SB_UNROLL                                                                                                        \
    for (sb_u32 e = 0; e < SB_GEMM_OWN; ++e) {                                                                       \
      x[e] = a[sb_gemm_place(sb_thread() / 16u, e)];                                                                 \
      y[e] = b[sb_gemm_place(sb_thread() % 16u, e)];                                                                 \
    }                                                                                                                \
    SB_UNROLL                                                                                                        \
    for (sb_u32 i = 0; i < SB_GEMM_OWN; ++i) {                                                                       \
      SB_UNROLL                                                                                                      \
      for (sb_u32 j = 0; j < SB_GEMM_OWN; ++j) {                                                                     \
        s[i * SB_GEMM_OWN + j] = sb_product_step_##TYPE(x[i], y[j], s[i * SB_GEMM_OWN + j]);                         \
      }                                                                                                              \
    }                                                                                                                \
  }                                                                                                                  \
  /* The terms of one step, all eight unless the chain ends. */                                                      \
  SB_DEVICE void sb_gemm_steps_##TYPE(const SB_LOCAL sb_##TYPE* a, const SB_LOCAL sb_##TYPE* b, sb_u64 left,         \
                                      sb_##TYPE* s) {                                                                \
    if (left >= SB_GEMM_TERMS) {                                                                                     \
      SB_UNROLL                                                                                                      \
      for (sb_u32 u = 0; u < SB_GEMM_TERMS; ++u) sb_gemm_step_##TYPE(a + u * SB_GEMM_LINE, b + u * SB_GEMM_LINE, s); \
    } else {                                                                                                         \
      SB_UNROLL_BY(1)                                                                                                \
      for (sb_u32 u = 0; u < (sb_u32)left; ++u) sb_gemm_step_##TYPE(a + u * SB_GEMM_LINE, b + u * SB_GEMM_LINE, s);  \
    }                                                                                                                \
  }                                                                                                                  \
  SB_DEVICE void sb_gemm_merge_##TYPE(const SB_GLOBAL sb_##TYPE* older, sb_##TYPE* s) {                              \
    SB_UNROLL                                                                                                        \
    for (sb_u32 e = 0; e < SB_GEMM_OWN * SB_GEMM_OWN; ++e) s[e] = older[e * SB_BLOCK] + s[e];                        \
  }                                                                                                                  \
  /* The subtree waits at `place`; a new chain begins. */                                                            \
  SB_DEVICE void sb_gemm_wait_##TYPE(SB_GLOBAL sb_##TYPE* place, sb_##TYPE* s) {                                     \
    SB_UNROLL                                                                                                        \
    for (sb_u32 e = 0; e < SB_GEMM_OWN * SB_GEMM_OWN; ++e) place[e * SB_BLOCK] = s[e], s[e] = ZERO;                  \
  }                                                                                                                  \
  SB_DEVICE void sb_gemm_write_##TYPE(SB_GLOBAL sb_##TYPE* c, sb_i64 c_row, sb_i64 c_column, sb_u64 row, sb_u64 m,   \
                                      sb_u64 column, sb_u64 n, const sb_##TYPE* s) {                                 \
    SB_UNROLL                                                                                                        \
    for (sb_u32 e = 0; e < SB_GEMM_OWN * SB_GEMM_OWN; ++e) {                                                         \
      const sb_u64 i = row + sb_gemm_place(sb_thread() / 16u, e / SB_GEMM_OWN);                                      \
      const sb_u64 j = column + sb_gemm_place(sb_thread() % 16u, e % SB_GEMM_OWN);                                   \
      if (i < m && j < n) c[(sb_i64)i * c_row + (sb_i64)j * c_column] = sb_canonical_nan_##TYPE(s[e]);               \
    }                                                                                                                \
  }                                                                                                                  \
  /* waiting: levels x tile elements for every block. Any number of blocks. */                                       \
  SB_KERNEL(256)                                                                                                     \
  sb_gemm_##TYPE(const SB_GLOBAL sb_##TYPE* a, sb_i64 a_row, sb_i64 a_column, const SB_GLOBAL sb_##TYPE* b,          \
                 sb_i64 b_row, sb_i64 b_column, SB_GLOBAL sb_##TYPE* c, sb_i64 c_row, sb_i64 c_column, sb_u64 m,     \
                 sb_u64 n, sb_u64 k, sb_u32 levels, SB_GLOBAL sb_##TYPE* waiting) {                                  \
    SB_SHARED(sb_##TYPE, part_a, SB_GEMM_TERMS* SB_GEMM_LINE);                                                       \
    SB_SHARED(sb_##TYPE, part_b, SB_GEMM_TERMS* SB_GEMM_LINE);                                                       \
    const sb_u64 tiles_n = (n + SB_GEMM_TILE - 1u) / SB_GEMM_TILE;                                                   \
    const sb_u64 tiles = (m + SB_GEMM_TILE - 1u) / SB_GEMM_TILE * tiles_n;                                           \
    const sb_u64 chains = sb_product_chains(k), level = SB_GEMM_TILE * SB_GEMM_TILE;                                 \
    SB_GLOBAL sb_##TYPE* own_waiting = waiting + (sb_u64)sb_block() * levels * level + sb_thread();                  \
    for (sb_u64 tile = sb_block(); tile < tiles; tile += sb_blocks()) {                                              \
      const sb_u64 row = tile / tiles_n * SB_GEMM_TILE, column = tile % tiles_n * SB_GEMM_TILE;                      \
      sb_##TYPE s[SB_GEMM_OWN * SB_GEMM_OWN], next_a[SB_GEMM_LOADS], next_b[SB_GEMM_LOADS];                          \
      sb_u32 height = 0;                                                                                             \
      SB_UNROLL                                                                                                      \
      for (sb_u32 e = 0; e < SB_GEMM_OWN * SB_GEMM_OWN; ++e) s[e] = ZERO;                                            \
      if (k > 0u) {                                                                                                  \
        sb_gemm_fetch_##TYPE(a, a_row, a_column, row, m, 0u, k, next_a);                                             \
        sb_gemm_fetch_##TYPE(b, b_column, b_row, column, n, 0u, k, next_b);                                          \
      }                                                                                                              \
      for (sb_u64 p = 0; p < chains; ++p) {                                                                          \
        const sb_u64 end = k - p * SB_CHAIN < SB_CHAIN ? k : (p + 1u) * SB_CHAIN;                                    \
        for (sb_u64 t = p * SB_CHAIN; t < end; t += SB_GEMM_TERMS) {                                                 \
          sb_gemm_store_##TYPE(part_a, a_row, next_a);                                                               \
          sb_gemm_store_##TYPE(part_b, b_column, next_b);                                                            \
          SB_BARRIER();                                                                                              \
          if (t + SB_GEMM_TERMS < k) {                                                                               \
            sb_gemm_fetch_##TYPE(a, a_row, a_column, row, m, t + SB_GEMM_TERMS, k, next_a);                          \
            sb_gemm_fetch_##TYPE(b, b_column, b_row, column, n, t + SB_GEMM_TERMS, k, next_b);                       \
          }                                                                                                          \
          sb_gemm_steps_##TYPE(part_a, part_b, end - t, s);                                                          \
          SB_BARRIER();                                                                                              \
        }                                                                                                            \
        const sb_u32 merges = p + 1u == chains ? height : sb_product_merges(p);                                      \
        for (sb_u32 g = 0; g < merges; ++g) sb_gemm_merge_##TYPE(own_waiting + --height * level, s);                 \
        if (p + 1u < chains) sb_gemm_wait_##TYPE(own_waiting + height++ * level, s);                                 \
      }                                                                                                              \
      sb_gemm_write_##TYPE(c, c_row, c_column, row, m, column, n, s);                                                \
    }                                                                                                                \
  }

SB_DEFINE_GEMM(f32, 0.0f)
SB_DEFINE_GEMM(f64, 0.0)

#endif
