/* The code of a value is the number of edges below it: a branch-free binary search over edges padded to 256 with +infinity,
   for 64 rows at a time, so that the search runs in vector lanes. */
#include "backends/cpu/kernels/kernels.h"

#define SB_SEARCH_ROWS 64

#define SB_DEFINE_ASSIGN(NAME, TYPE, INFINITE)                                                                         \
  static sb_u64 NAME(const TYPE* column, sb_i64 row_stride, sb_u64 n, const TYPE* edges, sb_u32 n_edges, sb_u8* codes, \
                     sb_u64 stride, sb_u8* in_column) {                                                                \
    TYPE x[SB_SEARCH_ROWS];                                                                                            \
    sb_u32 position[SB_SEARCH_ROWS];                                                                                   \
    sb_u64 infinite = 0;                                                                                               \
    sb_u32 first_step = 1;                                                                                             \
    while (first_step * 2 <= n_edges) first_step *= 2;                                                                 \
    for (sb_u64 begin = 0; begin < n; begin += SB_SEARCH_ROWS) {                                                       \
      sb_u64 m = n - begin < SB_SEARCH_ROWS ? n - begin : SB_SEARCH_ROWS;                                              \
      for (sb_u64 i = 0; i < m; ++i) x[i] = column[(sb_i64)(begin + i) * row_stride];                                  \
      for (sb_u64 i = m; i < SB_SEARCH_ROWS; ++i) x[i] = 0;                                                            \
      for (sb_u32 i = 0; i < SB_SEARCH_ROWS; ++i) position[i] = 0;                                                     \
      for (sb_u32 step = first_step; step > 0; step /= 2) {                                                            \
        for (sb_u32 i = 0; i < SB_SEARCH_ROWS; ++i) {                                                                  \
          sb_u32 next = position[i] + step;                                                                            \
          position[i] = x[i] > edges[next - 1] ? next : position[i];                                                   \
        }                                                                                                              \
      }                                                                                                                \
      sb_u32 odd = 0;                                                                                                  \
      for (sb_u32 i = 0; i < SB_SEARCH_ROWS; ++i) {                                                                    \
        TYPE magnitude = x[i] < 0 ? -x[i] : x[i];                                                                      \
        position[i] = x[i] != x[i] ? n_edges + 1 : position[i];                                                        \
        odd += magnitude == (INFINITE);                                                                                \
      }                                                                                                                \
      infinite += odd;                                                                                                 \
      for (sb_u64 i = 0; i < m; ++i) codes[(begin + i) * stride] = (sb_u8)position[i];                                 \
      if (in_column) {                                                                                                 \
        for (sb_u64 i = 0; i < m; ++i) in_column[begin + i] = (sb_u8)position[i];                                      \
      }                                                                                                                \
    }                                                                                                                  \
    return infinite;                                                                                                   \
  }

SB_DEFINE_ASSIGN(assign_f32, sb_f32, sb_f32_bits(0x7f800000u))
SB_DEFINE_ASSIGN(assign_f64, sb_f64, sb_f64_bits(0x7ff0000000000000ull))
