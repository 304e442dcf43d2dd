/* gradients/1: a pass for the largest magnitudes (as the bits of non-negative floats, so that an integer maximum orders
   them and anything not finite comes out on top), a pass that computes again and writes the fixed-point integers.
   Floor: 24 bytes a row (28 with weights), which is less than keeping the floats between the passes would move. */
#ifndef SAMEBITS_BACKENDS_SIMT_GRADIENTS_H
#define SAMEBITS_BACKENDS_SIMT_GRADIENTS_H

#include "backends/simt/block.h"
#include "numerics/arith/fixed_point.h"
#include "numerics/ops/loss.h"

SB_DEVICE void sb_row_gradient(sb_i32 loss, const SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_f32* target,
                               const SB_GLOBAL sb_f32* weight, sb_u64 i, sb_f32* g, sb_f32* h) {
  sb_f32 w = weight ? weight[i] : 1.0f;
  sb_loss_gradient(loss, score[i], target[i], g, h);
  *g = *g * w;
  *h = *h * w;
}

/* most[0], most[1]: bits of max |g| and max |h|; zeroed before. */
SB_KERNEL(256)
sb_gradients_max(sb_i32 loss, const SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_f32* target,
                 const SB_GLOBAL sb_f32* weight, sb_u64 n, SB_GLOBAL sb_u32* most) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  sb_u32 most_g = 0, most_h = 0;
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    sb_f32 g, h;
    sb_row_gradient(loss, score, target, weight, i, &g, &h);
    sb_u32 bits_g = sb_bits_f32(g) & 0x7fffffffu, bits_h = sb_bits_f32(h) & 0x7fffffffu;
    most_g = bits_g > most_g ? bits_g : most_g;
    most_h = bits_h > most_h ? bits_h : most_h;
  }
  most_g = sb_block_max_u32(s, most_g);
  SB_BARRIER();
  most_h = sb_block_max_u32(s, most_h);
  if (sb_thread() == 0) {
    sb_global_max_u32(&most[0], most_g);
    sb_global_max_u32(&most[1], most_h);
  }
}

SB_KERNEL(256)
sb_gradients_fixed(sb_i32 loss, const SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_f32* target,
                   const SB_GLOBAL sb_f32* weight, sb_u64 n, const SB_GLOBAL sb_u32* most, SB_GLOBAL sb_i32x2* gh) {
  const sb_i32 exponent_g = sb_fixed_exponent(sb_f32_bits(most[0])),
               exponent_h = sb_fixed_exponent(sb_f32_bits(most[1]));
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    sb_f32 g, h;
    sb_i32x2 out;
    sb_row_gradient(loss, score, target, weight, i, &g, &h);
    out.x = sb_to_fixed_f32(g, exponent_g);
    out.y = sb_to_fixed_f32(h, exponent_h);
    gh[i] = out;
  }
}

#endif
