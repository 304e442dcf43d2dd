/* Sums of whole tiles, by the shape of numerics/reduce; with y the products are summed. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/reduce/reduce.h"

static void reduce_tiles(const sb_f64* x, const sb_f64* y, sb_u64 n, sb_f64* partials) {
  sb_f64 product[SB_REDUCE_TILE];
  for (sb_u64 t = 0; t < sb_reduce_tiles(n); ++t) {
    sb_u64 begin = t * SB_REDUCE_TILE, left = n - begin;
    sb_u32 m = (sb_u32)(left < SB_REDUCE_TILE ? left : SB_REDUCE_TILE);
    const sb_f64* tile = x + begin;
    if (y) {
      for (sb_u32 i = 0; i < m; ++i) product[i] = x[begin + i] * y[begin + i];
      tile = product;
    }
    partials[t] = sb_reduce_tile_f64(tile, m);
  }
}
