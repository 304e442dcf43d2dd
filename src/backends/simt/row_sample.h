/* row_sample/1: a pass counts the kept rows of each tile, the counts are scanned, a second pass draws again (a draw is a
   function of the row alone) and writes. Within a tile a thread owns neighbouring rows, which keeps the order.
   Floor: 4 bytes a kept row; two Philox blocks a row. */
#ifndef SAMEBITS_BACKENDS_SIMT_ROW_SAMPLE_H
#define SAMEBITS_BACKENDS_SIMT_ROW_SAMPLE_H

#include "backends/simt/block.h"
#include "numerics/random/philox.h"

#define SB_SAMPLE_OWN 8u
#define SB_SAMPLE_TILE (SB_BLOCK * SB_SAMPLE_OWN)

/* Bit k: row i + k is kept. */
SB_DEVICE sb_u32 sb_sample_mask(sb_u64 seed, sb_u32 purpose, sb_u32 draw, sb_u64 threshold, sb_u64 i, sb_u64 n) {
  sb_u32 mask = 0;
  for (sb_u32 k = 0; k < SB_SAMPLE_OWN; ++k) {
    const sb_u64 element = sb_drawn_element(i + k, (sb_u64)sb_block() * SB_SAMPLE_TILE);
    sb_u32 kept = (sb_u32)(i + k < n) & (sb_u32)((sb_u64)sb_philox_u32(seed, purpose, element, draw) < threshold);
    mask |= kept << k;
  }
  return mask;
}

SB_DEVICE sb_u32 sb_mask_bits(sb_u32 mask) {
  sb_u32 bits = 0;
  for (sb_u32 k = 0; k < SB_SAMPLE_OWN; ++k) bits += (mask >> k) & 1u;
  return bits;
}

SB_KERNEL(256)
sb_sample_count(sb_u64 seed, sb_u32 purpose, sb_u32 draw, sb_u64 threshold, sb_u64 n, SB_GLOBAL sb_u32* count) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  sb_u64 i = (sb_u64)sb_block() * SB_SAMPLE_TILE + (sb_u64)sb_thread() * SB_SAMPLE_OWN;
  sb_u32 kept = sb_block_sum_u32(s, sb_mask_bits(sb_sample_mask(seed, purpose, draw, threshold, i, n)));
  if (sb_thread() == 0) count[sb_block()] = kept;
}

SB_KERNEL(256)
sb_sample_write(sb_u64 seed, sb_u32 purpose, sb_u32 draw, sb_u64 threshold, sb_u64 n, const SB_GLOBAL sb_u32* start,
                SB_GLOBAL sb_u32* rows) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  SB_SHARED(sb_u32, kept, SB_SAMPLE_TILE);
  sb_u64 i = (sb_u64)sb_block() * SB_SAMPLE_TILE + (sb_u64)sb_thread() * SB_SAMPLE_OWN;
  sb_u32 mask = sb_sample_mask(seed, purpose, draw, threshold, i, n);
  sb_u32 bits = sb_mask_bits(mask);
  sb_u32 at = sb_block_scan_u32(s, bits) - bits;
  for (sb_u32 k = 0; k < SB_SAMPLE_OWN; ++k) {
    if ((mask >> k) & 1u) kept[at++] = (sb_u32)(i + k);
  }
  SB_BARRIER();
  const sb_u32 n_kept = s[SB_BLOCK - 1];
  for (sb_u32 k = sb_thread(); k < n_kept; k += SB_BLOCK) rows[start[sb_block()] + k] = kept[k];
}

#endif
