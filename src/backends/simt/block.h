/* Work of one block of threads: scans and sums through shared memory, and the table that maps blocks to segments.
   Integers only, so the order of adding is free (C6). Every function is called by all threads of the block and leaves
   behind a barrier. May include: numerics. */
#ifndef SAMEBITS_BACKENDS_SIMT_BLOCK_H
#define SAMEBITS_BACKENDS_SIMT_BLOCK_H

#include "numerics/dialect/simt.h"

#define SB_BLOCK 256u

/* Inclusive scan over the SB_BLOCK threads; s holds SB_BLOCK values. */
SB_DEVICE sb_u32 sb_block_scan_u32(SB_LOCAL sb_u32* s, sb_u32 value) {
  const sb_u32 t = sb_thread();
  s[t] = value;
  SB_BARRIER();
  for (sb_u32 d = 1; d < SB_BLOCK; d <<= 1) {
    sb_u32 before = t >= d ? s[t - d] : 0u;
    SB_BARRIER();
    s[t] += before;
    SB_BARRIER();
  }
  return s[t];
}

/* The sum over the SB_BLOCK threads, known to all of them. */
SB_DEVICE sb_u32 sb_block_sum_u32(SB_LOCAL sb_u32* s, sb_u32 value) {
  const sb_u32 t = sb_thread();
  s[t] = value;
  SB_BARRIER();
  for (sb_u32 d = SB_BLOCK / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    SB_BARRIER();
  }
  return s[0];
}
SB_DEVICE sb_i64 sb_block_sum_i64(SB_LOCAL sb_i64* s, sb_i64 value) {
  const sb_u32 t = sb_thread();
  s[t] = value;
  SB_BARRIER();
  for (sb_u32 d = SB_BLOCK / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    SB_BARRIER();
  }
  return s[0];
}
SB_DEVICE sb_u32 sb_block_max_u32(SB_LOCAL sb_u32* s, sb_u32 value) {
  const sb_u32 t = sb_thread();
  s[t] = value;
  SB_BARRIER();
  for (sb_u32 d = SB_BLOCK / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = s[t] > s[t + d] ? s[t] : s[t + d];
    SB_BARRIER();
  }
  return s[0];
}
SB_DEVICE sb_u64 sb_block_max_u64(SB_LOCAL sb_u64* s, sb_u64 value) {
  const sb_u32 t = sb_thread();
  s[t] = value;
  SB_BARRIER();
  for (sb_u32 d = SB_BLOCK / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = s[t] > s[t + d] ? s[t] : s[t + d];
    SB_BARRIER();
  }
  return s[0];
}

/* Segments cut into tiles: segment j owns the tiles first[j] .. first[j + 1). Returns the segment of a tile: the last j
   with first[j] <= tile (segments without tiles own none). */
SB_DEVICE sb_u32 sb_segment_of(const SB_GLOBAL sb_u32* first, sb_u32 n, sb_u32 tile) {
  sb_u32 low = 0, high = n;
  while (high - low > 1u) {
    sb_u32 middle = low + (high - low) / 2u;
    if (first[middle] <= tile) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* segment_scan: in place exclusive scan of count[first[j] .. first[j + 1]) for segment j = block; total[j] = its sum. */
SB_KERNEL(256)
sb_segment_scan(SB_GLOBAL sb_u32* count, const SB_GLOBAL sb_u32* first, SB_GLOBAL sb_u32* total) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  const sb_u32 t = sb_thread(), j = sb_block(), end = first[j + 1];
  sb_u32 carry = 0;
  for (sb_u32 base = first[j]; base < end; base += SB_BLOCK) {
    sb_u32 value = base + t < end ? count[base + t] : 0u;
    sb_u32 inclusive = sb_block_scan_u32(s, value);
    sb_u32 sum = s[SB_BLOCK - 1];
    if (base + t < end) count[base + t] = carry + inclusive - value;
    carry += sum;
    SB_BARRIER();
  }
  if (t == 0) total[j] = carry;
}

#endif
