/* sb_exp2_f32: 2^x. n = RN(x) and r = x - n, |r| <= 1/2, are exact; 2^r = 1 + r ln 2 + r^2 q(r), q of degree 5
   (minimax, error of 2^r below 2^-33). The product r ln 2 carries most of the result and is kept in two parts: with r
   = rh + rl (split.h) and ln 2 = H + L, H of 12 bits, p = rh H is exact and rl H + r L is small. 1 + p = s + e
   exactly. The argument is clamped to [-151, 129], where the result is 0 and infinity. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXP2_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXP2_H

#include "numerics/arith/split.h"
#include "numerics/elementary/exp_core.h"

/* q(r) = (2^r - 1 - r ln 2) / r^2 on |r| <= 1/2. */
SB_FN sb_f32 sb_exp2_tail_f32(sb_f32 r) {
  sb_f32 q = 0x1.0112d4p-16f;
  q = q * r + 0x1.4424bp-13f;
  q = q * r + 0x1.5d86f8p-10f;
  q = q * r + 0x1.3b2a48p-7f;
  q = q * r + 0x1.c6b08ep-5f;
  return q * r + 0x1.ebfbep-3f;
}

SB_FN sb_f32 sb_exp2_f32(sb_f32 x) {
  sb_f32 a = x < -151.0f ? -151.0f : x;
  a = a > 129.0f ? 129.0f : a;
  sb_f32 t = a + 0x1.8p23f;
  sb_i32 n = (sb_i32)(sb_bits_f32(t) - 0x4b400000u);
  sb_f32 r = a - (t - 0x1.8p23f);
  sb_f32 rh = sb_upper_f32(r);
  sb_f32 p = rh * 0x1.62ep-1f;
  sb_f32 pl = (r - rh) * 0x1.62ep-1f + r * 0x1.0bfbe8p-15f;
  sb_f32 s = 1.0f + p;
  sb_f32 lo = (p - (s - 1.0f)) + (pl + (r * r) * sb_exp2_tail_f32(r));
  sb_f32 y = sb_exp_scale_f32(s + lo, n);
  return x == x ? y : sb_nan_f32();
}

#endif
