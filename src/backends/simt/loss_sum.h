/* loss_sum/1: a pass for the largest loss, a pass that adds the fixed-point losses (exact integers: a partial sum per
   thread, then per block, then one 64-bit atomic).
   Floor: two reads of score and target, 16 bytes a row. */
#ifndef SAMEBITS_BACKENDS_SIMT_LOSS_SUM_H
#define SAMEBITS_BACKENDS_SIMT_LOSS_SUM_H

#include "backends/simt/block.h"
#include "numerics/arith/fixed_point.h"
#include "numerics/ops/loss.h"

SB_DEVICE sb_f32 sb_row_loss(sb_i32 loss, const SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_f32* target,
                             const SB_GLOBAL sb_f32* weight, sb_u64 i) {
  return sb_loss_value(loss, score[i], target[i]) * (weight ? weight[i] : 1.0f);
}

SB_KERNEL(256)
sb_loss_max(sb_i32 loss, const SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_f32* target, const SB_GLOBAL sb_f32* weight,
            sb_u64 n, SB_GLOBAL sb_u32* most) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  sb_u32 own = 0;
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    sb_u32 bits = sb_bits_f32(sb_row_loss(loss, score, target, weight, i)) & 0x7fffffffu;
    own = bits > own ? bits : own;
  }
  own = sb_block_max_u32(s, own);
  if (sb_thread() == 0) sb_global_max_u32(most, own);
}

SB_KERNEL(256)
sb_loss_total(sb_i32 loss, const SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_f32* target,
              const SB_GLOBAL sb_f32* weight, sb_u64 n, const SB_GLOBAL sb_u32* most, SB_GLOBAL sb_i64* sum) {
  SB_SHARED(sb_i64, s, SB_BLOCK);
  const sb_i32 exponent = sb_fixed_exponent(sb_f32_bits(*most));
  sb_i64 own = 0;
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    own += sb_to_fixed_f32(sb_row_loss(loss, score, target, weight, i), exponent);
  }
  own = sb_block_sum_i64(s, own);
  if (sb_thread() == 0) sb_global_add_i64(sum, own);
}

#endif
