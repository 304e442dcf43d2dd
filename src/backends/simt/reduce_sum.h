/* reduce_sum/1: 64 threads are the 64 lanes of a tile (numerics/reduce), four tiles a block; one thread folds a tile's
   lanes. The host calls it level by level until one value is left.
   Floor: 8 (16) bytes an element. */
#ifndef SAMEBITS_BACKENDS_SIMT_REDUCE_SUM_H
#define SAMEBITS_BACKENDS_SIMT_REDUCE_SUM_H

#include "backends/simt/block.h"
#include "numerics/reduce/reduce.h"

#define SB_REDUCE_TILES (SB_BLOCK / SB_REDUCE_LANES)

SB_DEFINE_REDUCE_FOLD(sb_reduce_fold_local_f64, sb_f64, SB_LOCAL)

SB_KERNEL(256)
sb_reduce_level(const SB_GLOBAL sb_f64* x, const SB_GLOBAL sb_f64* y, sb_u64 n, SB_GLOBAL sb_f64* partial) {
  SB_SHARED(sb_f64, lanes, SB_BLOCK);
  const sb_u32 t = sb_thread(), lane = t % SB_REDUCE_LANES;
  const sb_u64 tile = (sb_u64)sb_block() * SB_REDUCE_TILES + t / SB_REDUCE_LANES, begin = tile * SB_REDUCE_TILE;
  const sb_u64 end = begin + SB_REDUCE_TILE < n ? begin + SB_REDUCE_TILE : n;
  sb_f64 sum = 0.0;
  SB_UNROLL_BY(8)
  for (sb_u64 i = begin + lane; i < end; i += SB_REDUCE_LANES) sum = sum + (y ? x[i] * y[i] : x[i]);
  lanes[t] = sum;
  SB_BARRIER();
  if (lane == 0 && begin < n) {
    sb_reduce_fold_local_f64(lanes + t);
    partial[tile] = lanes[t];
  }
}

#endif
