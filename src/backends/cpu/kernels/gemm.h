/* Blocks of a matrix product (numerics/product has the order). Operands are packed: a panel of A is SB_GEMM_ROWS rows, a
   panel of B two vector registers of columns, both stored term after term, so that one chain of a tile of C reads two
   streams and runs in registers: 12 x 2 accumulators of 32 registers, 6 x 2 of 16. Rows and columns beyond the end are
   packed as zeros and their results dropped; terms never are. */
#include "backends/cpu/kernels/kernels.h"
#include "backends/cpu/kernels/vector_fma.h"
#include "numerics/product/product.h"

#define SB_GEMM_ROWS (SB_VECTOR_REGISTERS == 32 ? 12 : 6)
#define SB_GEMM_PACK 32 /* terms that are transposed together, so that they stay in the first-level cache */
#define SB_GEMM_COLUMNS(TYPE) (2 * SB_VECTOR_BYTES / sizeof(sb_##TYPE))

/* The step of product.h in every lane. */
#if defined(SAMEBITS_BREAK_UNFUSED_PRODUCT)
#define SB_GEMM_STEP(TYPE, a, b, s) ((a) * (b) + (s))
#else
#define SB_GEMM_STEP(TYPE, a, b, s) sb_vector_fma_##TYPE(a, b, s)
#endif

#define SB_DEFINE_GEMM(TYPE)                                                                                             \
  /* `lines` lines of length k into panels of `width`: out[(panel * k + t) * width + line % width]. */                   \
  static void gemm_pack_##TYPE(const sb_##TYPE* x, sb_i64 line_stride, sb_i64 k_stride, sb_u64 lines, sb_u64 k,          \
                               sb_u32 width, sb_##TYPE* out) {                                                           \
    for (sb_u64 first = 0; first < lines; first += width, out += k * width) {                                            \
      const sb_##TYPE* panel = x + (sb_i64)first * line_stride;                                                          \
      const sb_u32 n = lines - first < width ? (sb_u32)(lines - first) : width;                                          \
      if (line_stride == 1) {                                                                                            \
        for (sb_u64 t = 0; t < k; ++t) {                                                                                 \
          __builtin_memcpy(out + t * width, panel + (sb_i64)t * k_stride, n * sizeof(sb_##TYPE));                        \
        }                                                                                                                \
      } else {                                                                                                           \
        for (sb_u64 from = 0; from < k; from += SB_GEMM_PACK) {                                                          \
          const sb_u64 to = k - from < SB_GEMM_PACK ? k : from + SB_GEMM_PACK;                                           \
          for (sb_u32 i = 0; i < n; ++i) {                                                                               \
            const sb_##TYPE* line = panel + (sb_i64)i * line_stride;                                                     \
            for (sb_u64 t = from; t < to; ++t) out[t * width + i] = line[(sb_i64)t * k_stride];                          \
          }                                                                                                              \
        }                                                                                                                \
      }                                                                                                                  \
      for (sb_u64 t = 0; n < width && t < k; ++t) {                                                                      \
        __builtin_memset(out + t * width + n, 0, (width - n) * sizeof(sb_##TYPE));                                       \
      }                                                                                                                  \
    }                                                                                                                    \
  }                                                                                                                      \
                                                                                                                         \
  /* One chain of a tile: n terms. */                                                                                    \
  static void gemm_chain_##TYPE(const sb_##TYPE* a, const sb_##TYPE* b, sb_u64 n, sb_vector_##TYPE(*tile)[2]) {          \
    sb_vector_##TYPE s[SB_GEMM_ROWS][2] = {{{0}}};                                                                       \
    for (sb_u64 t = 0; t < n; ++t, a += SB_GEMM_ROWS, b += SB_GEMM_COLUMNS(TYPE)) {                                      \
      sb_vector_##TYPE low, high;                                                                                        \
      __builtin_memcpy(&low, b, SB_VECTOR_BYTES);                                                                        \
      __builtin_memcpy(&high, b + SB_GEMM_COLUMNS(TYPE) / 2, SB_VECTOR_BYTES);                                           \
      for (sb_u32 i = 0; i < SB_GEMM_ROWS; ++i) {                                                                        \
        const sb_vector_##TYPE x = a[i] - (sb_vector_##TYPE){0}; /* in every lane; -0 stays -0 */                        \
        s[i][0] = SB_GEMM_STEP(TYPE, x, low, s[i][0]);                                                                   \
        s[i][1] = SB_GEMM_STEP(TYPE, x, high, s[i][1]);                                                                  \
      }                                                                                                                  \
    }                                                                                                                    \
    for (sb_u32 i = 0; i < SB_GEMM_ROWS; ++i) tile[i][0] = s[i][0], tile[i][1] = s[i][1];                                \
  }                                                                                                                      \
                                                                                                                         \
  /* m x n elements of C, n at most the columns of a panel: chain by chain, so that its part of the panel of B stays   \
     in cache for all rows. waiting: subtrees of every tile, [level][panel of A]. */ \
  static void gemm_strip_##TYPE(const sb_##TYPE* a, sb_u64 m, const sb_##TYPE* b, sb_u64 n, sb_u64 k, void* scratch,     \
                                sb_##TYPE* c, sb_i64 row_stride, sb_i64 column_stride) {                                 \
    sb_vector_##TYPE(*waiting)[SB_GEMM_ROWS][2] = (sb_vector_##TYPE(*)[SB_GEMM_ROWS][2])scratch;                         \
    const sb_u64 panels = (m + SB_GEMM_ROWS - 1) / SB_GEMM_ROWS, chains = sb_product_chains(k);                          \
    sb_u32 height = 0;                                                                                                   \
    for (sb_u64 p = 0; p < chains; ++p) {                                                                                \
      const sb_u64 begin = p * SB_CHAIN, terms = k - begin < SB_CHAIN ? k - begin : SB_CHAIN;                            \
      const sb_u32 merges = p + 1 == chains ? height : sb_product_merges(p);                                             \
      for (sb_u64 panel = 0; panel < panels; ++panel) {                                                                  \
        sb_vector_##TYPE tile[SB_GEMM_ROWS][2];                                                                          \
        gemm_chain_##TYPE(a + (panel * k + begin) * SB_GEMM_ROWS, b + begin * SB_GEMM_COLUMNS(TYPE), terms, tile);       \
        for (sb_u32 g = 1; g <= merges; ++g) {                                                                           \
          sb_vector_##TYPE(*older)[2] = waiting[(height - g) * panels + panel];                                          \
          for (sb_u32 i = 0; i < SB_GEMM_ROWS; ++i) {                                                                    \
            tile[i][0] = older[i][0] + tile[i][0];                                                                       \
            tile[i][1] = older[i][1] + tile[i][1];                                                                       \
          }                                                                                                              \
        }                                                                                                                \
        if (p + 1 < chains) {                                                                                            \
          __builtin_memcpy(waiting[(height - merges) * panels + panel], tile, sizeof(tile));                             \
          continue;                                                                                                      \
        }                                                                                                                \
        const sb_u64 row = panel * SB_GEMM_ROWS, rows = m - row < SB_GEMM_ROWS ? m - row : SB_GEMM_ROWS;                 \
        for (sb_u64 i = 0; i < rows; ++i) {                                                                              \
          sb_##TYPE* out = c + (sb_i64)(row + i) * row_stride;                                                           \
          const sb_##TYPE* sums = (const sb_##TYPE*)tile[i];                                                             \
          for (sb_u64 j = 0; j < n; ++j) out[(sb_i64)j * column_stride] = sb_canonical_nan_##TYPE(sums[j]);              \
        }                                                                                                                \
      }                                                                                                                  \
      height += 1u - merges;                                                                                             \
    }                                                                                                                    \
  }

SB_DEFINE_GEMM(f32)
SB_DEFINE_GEMM(f64)
