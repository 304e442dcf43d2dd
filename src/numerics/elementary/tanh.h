/* sb_tanh_f32. For |x| < 0.625: x + x^3 P(x^2), P of degree 5 (minimax, relative error of tanh below 2^-32). Above:
   tanh |x| = 1 - 2 E / (1 + E), E = e^(-2|x|) <= 0.29 (logistic_core.h); 1 - 2 t q is split exactly before the
   correction is taken off. Odd by construction; from |x| = 9.02 on the result is 1. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_TANH_H
#define SAMEBITS_NUMERICS_ELEMENTARY_TANH_H

#include "numerics/elementary/logistic_core.h"

/* P(u) = (tanh x - x) / x^3, u = x^2 <= 0.391. */
SB_FN sb_f32 sb_tanh_tail_f32(sb_f32 u) {
  sb_f32 p = 0x1.1abac8p-9f;
  p = p * u - 0x1.0c84eep-7f;
  p = p * u + 0x1.63ac7p-6f;
  p = p * u - 0x1.b9f218p-5f;
  p = p * u + 0x1.11107cp-3f;
  return p * u - 0x1.555554p-2f;
}

SB_FN sb_f32 sb_tanh_f32(sb_f32 x) {
  sb_f32 a = sb_abs_f32(x);
  sb_f32 u = a * a;
  sb_f32 near = a + (a * u) * sb_tanh_tail_f32(u);
  sb_f32 b = a > 32.0f ? 32.0f : a;
  sb_odds_f32 o = sb_odds_parts_f32(-2.0f * b);
  sb_f32 w = 2.0f * (o.t * o.q);
  sb_f32 s = 1.0f - w;
  sb_f32 e = (1.0f - s) - w;
  sb_f32 far = s + (e - 2.0f * (o.t * o.correction));
  sb_f32 r = sb_copysign_f32(a < 0.625f ? near : far, x);
  return x == x ? r : sb_nan_f32();
}

#endif
