/* The shape of a floating-point sum (C4), a function of its length n alone.

   Tile. 4096 consecutive elements; the last tile of an array may be shorter. Lane l of 64 adds the elements
   l, l + 64, l + 128, ... of the tile in ascending order to a start value of +0. The 64 lanes are folded by halving:
   lane l += lane l + w for l < w, w = 32, 16, 8, 4, 2, 1. Lane 0 is the tile's sum.
   Array. The sums of the tiles, in order, are an array that is reduced by the same rule until one value is left.

   A lane that starts at +0 is never -0 under round-to-nearest (x + -x = +0, +0 + -0 = +0), so adding +0 for a missing
   element changes nothing: an implementation may pad a short tile with +0 or skip, the bits are the same. The sum of
   nothing is +0; a sum of -0s is +0. Infinities and NaN follow IEEE; a NaN result is canonical. A sum may overflow to
   infinity in a lane although the true sum is finite.

   Error: at most ceil(m / 64) + 6 roundings on the way of any element per level of m elements, so for n <= 2^24 two
   levels and 140 roundings: |error| <= 140 * 2^-24 * sum |x| (first order), where a serial sum has n of them. */
#ifndef SAMEBITS_NUMERICS_REDUCE_REDUCE_H
#define SAMEBITS_NUMERICS_REDUCE_REDUCE_H

#include "numerics/arith/arith.h"

#define SB_REDUCE_LANES 64
#define SB_REDUCE_TILE 4096

/* Number of tiles of n elements: the length of the scratch that the whole-array functions need. */
SB_FN sb_u64 sb_reduce_tiles(sb_u64 n) { return n / SB_REDUCE_TILE + (sb_u64)(n % SB_REDUCE_TILE != 0u); }

/* What lane l takes of a fold to w lanes: itself and the lane w places on. */
#if defined(SAMEBITS_BREAK_FOLD_ORDER)
#define SB_REDUCE_PAIR(lane, l, w) ((lane)[2 * (l)] + (lane)[2 * (l) + 1])
#else
#define SB_REDUCE_PAIR(lane, l, w) ((lane)[l] + (lane)[(l) + (w)])
#endif

/* Folds 64 lanes in place, result in lane[0]. SPACE: the address space of the lanes (dialect/simt.h), or nothing. */
#define SB_DEFINE_REDUCE_FOLD(NAME, TYPE, SPACE)                           \
  SB_FN void NAME(SPACE TYPE* lane) {                                      \
    for (sb_i32 w = SB_REDUCE_LANES / 2; w > 0; w >>= 1) {                 \
      for (sb_i32 l = 0; l < w; ++l) lane[l] = SB_REDUCE_PAIR(lane, l, w); \
    }                                                                      \
  }
SB_DEFINE_REDUCE_FOLD(sb_reduce_fold_f32, sb_f32, )
SB_DEFINE_REDUCE_FOLD(sb_reduce_fold_f64, sb_f64, )

/* Sum of one tile of n <= 4096 elements. */
SB_FN sb_f32 sb_reduce_tile_f32(const sb_f32* x, sb_u32 n) {
  sb_f32 lane[SB_REDUCE_LANES];
  for (sb_i32 l = 0; l < SB_REDUCE_LANES; ++l) lane[l] = 0.0f;
  sb_u32 full = n - n % SB_REDUCE_LANES;
  for (sb_u32 i = 0; i < full; i += SB_REDUCE_LANES) {
    for (sb_u32 l = 0; l < SB_REDUCE_LANES; ++l) lane[l] = lane[l] + x[i + l];
  }
  for (sb_u32 l = 0; l < n - full; ++l) lane[l] = lane[l] + x[full + l];
  sb_reduce_fold_f32(lane);
  return lane[0];
}
SB_FN sb_f64 sb_reduce_tile_f64(const sb_f64* x, sb_u32 n) {
  sb_f64 lane[SB_REDUCE_LANES];
  for (sb_i32 l = 0; l < SB_REDUCE_LANES; ++l) lane[l] = 0.0;
  sb_u32 full = n - n % SB_REDUCE_LANES;
  for (sb_u32 i = 0; i < full; i += SB_REDUCE_LANES) {
    for (sb_u32 l = 0; l < SB_REDUCE_LANES; ++l) lane[l] = lane[l] + x[i + l];
  }
  for (sb_u32 l = 0; l < n - full; ++l) lane[l] = lane[l] + x[full + l];
  sb_reduce_fold_f64(lane);
  return lane[0];
}

/* Combines n partial sums of tiles in place (what remains after a parallel pass over the tiles). The write to place t
   comes after the reads of places t * 4096 and above, so it destroys nothing that is still needed. */
SB_FN sb_f32 sb_reduce_partials_f32(sb_f32* partial, sb_u64 n) {
  while (n > 1u) {
    sb_u64 tiles = sb_reduce_tiles(n);
    for (sb_u64 t = 0; t < tiles; ++t) {
      sb_u64 left = n - t * SB_REDUCE_TILE;
      partial[t] =
          sb_reduce_tile_f32(partial + t * SB_REDUCE_TILE, (sb_u32)(left < SB_REDUCE_TILE ? left : SB_REDUCE_TILE));
    }
    n = tiles;
  }
  return n == 0u ? 0.0f : sb_canonical_nan_f32(partial[0]);
}
SB_FN sb_f64 sb_reduce_partials_f64(sb_f64* partial, sb_u64 n) {
  while (n > 1u) {
    sb_u64 tiles = sb_reduce_tiles(n);
    for (sb_u64 t = 0; t < tiles; ++t) {
      sb_u64 left = n - t * SB_REDUCE_TILE;
      partial[t] =
          sb_reduce_tile_f64(partial + t * SB_REDUCE_TILE, (sb_u32)(left < SB_REDUCE_TILE ? left : SB_REDUCE_TILE));
    }
    n = tiles;
  }
  return n == 0u ? 0.0 : sb_canonical_nan_f64(partial[0]);
}

/* Sum of n elements; scratch holds sb_reduce_tiles(n) values and is overwritten. */
SB_FN sb_f32 sb_reduce_sum_f32(const sb_f32* x, sb_u64 n, sb_f32* scratch) {
  sb_u64 tiles = sb_reduce_tiles(n);
  for (sb_u64 t = 0; t < tiles; ++t) {
    sb_u64 left = n - t * SB_REDUCE_TILE;
    scratch[t] = sb_reduce_tile_f32(x + t * SB_REDUCE_TILE, (sb_u32)(left < SB_REDUCE_TILE ? left : SB_REDUCE_TILE));
  }
  return sb_reduce_partials_f32(scratch, tiles);
}
SB_FN sb_f64 sb_reduce_sum_f64(const sb_f64* x, sb_u64 n, sb_f64* scratch) {
  sb_u64 tiles = sb_reduce_tiles(n);
  for (sb_u64 t = 0; t < tiles; ++t) {
    sb_u64 left = n - t * SB_REDUCE_TILE;
    scratch[t] = sb_reduce_tile_f64(x + t * SB_REDUCE_TILE, (sb_u32)(left < SB_REDUCE_TILE ? left : SB_REDUCE_TILE));
  }
  return sb_reduce_partials_f64(scratch, tiles);
}

#endif
