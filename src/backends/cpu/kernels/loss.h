/* Loss kernels: the loss is chosen outside the loop so that each loop vectorises. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/arith/fixed_point.h"
#include "numerics/ops/loss.h"

#define SB_GRADIENT_LOOP(LOSS, WEIGHT)                                           \
  for (sb_u64 i = 0; i < n; ++i) {                                               \
    sb_f32 g, h;                                                                 \
    sb_loss_gradient(LOSS, score[i], target[i], &g, &h);                         \
    g = g * (WEIGHT);                                                            \
    h = h * (WEIGHT);                                                            \
    gh[2 * i] = g;                                                               \
    gh[2 * i + 1] = h;                                                           \
    sb_u32 bg = sb_bits_f32(g) & 0x7fffffffu, bh = sb_bits_f32(h) & 0x7fffffffu; \
    mg = bg > mg ? bg : mg;                                                      \
    mh = bh > mh ? bh : mh;                                                      \
  }

static void gradients(sb_i32 loss, const sb_f32* score, const sb_f32* target, const sb_f32* weight, sb_u64 n,
                      sb_f32* gh, sb_u32* max_g, sb_u32* max_h) {
  sb_u32 mg = 0, mh = 0;
  if (loss == SB_LOSS_LOG_LOSS && weight) {
    SB_GRADIENT_LOOP(SB_LOSS_LOG_LOSS, weight[i])
  } else if (loss == SB_LOSS_LOG_LOSS) {
    SB_GRADIENT_LOOP(SB_LOSS_LOG_LOSS, 1.0f)
  } else if (weight) {
    SB_GRADIENT_LOOP(SB_LOSS_SQUARED_ERROR, weight[i])
  } else {
    SB_GRADIENT_LOOP(SB_LOSS_SQUARED_ERROR, 1.0f)
  }
  *max_g = mg;
  *max_h = mh;
}

static void quantise_gradients(sb_i32* gh, sb_u64 n, sb_i32 exponent_g, sb_i32 exponent_h) {
  for (sb_u64 i = 0; i < n; ++i) {
    sb_f32 g = sb_f32_bits((sb_u32)gh[2 * i]), h = sb_f32_bits((sb_u32)gh[2 * i + 1]);
    gh[2 * i] = sb_to_fixed_f32(g, exponent_g);
    gh[2 * i + 1] = sb_to_fixed_f32(h, exponent_h);
  }
}

static sb_u32 loss_max(sb_i32 loss, const sb_f32* score, const sb_f32* target, const sb_f32* weight, sb_u64 n) {
  sb_u32 most = 0;
  for (sb_u64 i = 0; i < n; ++i) {
    sb_f32 l = sb_loss_value(loss, score[i], target[i]) * (weight ? weight[i] : 1.0f);
    sb_u32 bits = sb_bits_f32(l) & 0x7fffffffu;
    most = bits > most ? bits : most;
  }
  return most;
}

static sb_i64 loss_sum(sb_i32 loss, const sb_f32* score, const sb_f32* target, const sb_f32* weight, sb_u64 n,
                       sb_i32 exponent) {
  sb_i64 sum = 0;
  for (sb_u64 i = 0; i < n; ++i) {
    sb_f32 l = sb_loss_value(loss, score[i], target[i]) * (weight ? weight[i] : 1.0f);
    sum += sb_to_fixed_f32(l, exponent);
  }
  return sum;
}
