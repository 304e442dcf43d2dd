/* center_to_f32/1: a pass for the largest magnitude (bits of a non-negative f64 order like integers, and anything not finite
   comes out on top), a pass that centres, scales by the power of two and rounds to f32.
   Floor: 20 bytes an element. */
#ifndef SAMEBITS_BACKENDS_SIMT_CENTER_H
#define SAMEBITS_BACKENDS_SIMT_CENTER_H

#include "backends/simt/block.h"
#include "numerics/arith/arith.h"

/* The exponent of the largest magnitude; an array of zeros keeps its scale. */
SB_FN sb_i32 sb_center_exponent(sb_f64 most) { return most == 0.0 ? 0 : sb_exponent_f64(most); }

SB_KERNEL(256) sb_center_max(const SB_GLOBAL sb_f64* x, sb_u64 n, sb_f64 offset, SB_GLOBAL sb_u64* most) {
  SB_SHARED(sb_u64, s, SB_BLOCK);
  sb_u64 own = 0;
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    sb_u64 bits = sb_bits_f64(sb_abs_f64(x[i] - offset));
    own = bits > own ? bits : own;
  }
  own = sb_block_max_u64(s, own);
  if (sb_thread() == 0) sb_global_max_u64(most, own);
}

SB_KERNEL(256)
sb_center_write(const SB_GLOBAL sb_f64* x, sb_u64 n, sb_f64 offset, sb_i32 normalise, sb_i32 exponent,
                const SB_GLOBAL sb_u64* most, SB_GLOBAL sb_f32* out) {
  const sb_i32 e = normalise ? sb_center_exponent(sb_f64_bits(*most)) : exponent;
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    out[i] = (sb_f32)sb_scale2_f64(x[i] - offset, -e);
  }
}

#endif
