/* fill_f32/1 and iota_u32/1 and the zeroing of histogram slots: plain writes, one thread an element.
   Floor: bytes written over memory bandwidth.
   May include: numerics, simt. */
#ifndef SAMEBITS_BACKENDS_SIMT_BASIC_H
#define SAMEBITS_BACKENDS_SIMT_BASIC_H

#include "backends/simt/block.h"

SB_KERNEL(256) sb_fill(SB_GLOBAL sb_f32* out, sb_f32 value, sb_u64 n) {
  sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread();
  if (i < n) out[i] = value;
}

SB_KERNEL(256) sb_iota(SB_GLOBAL sb_u32* out, sb_u64 n) {
  sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread();
  if (i < n) out[i] = (sb_u32)i;
}

#endif
