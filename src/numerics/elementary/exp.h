/* sb_exp_f32: e^x. exp_core.h has the derivation. The argument is clamped to [-104, 89]: e^-104 < 2^-150 rounds to 0
   and e^89 > 2^128 overflows by itself. A subnormal result is rounded a second time by the last scaling. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXP_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXP_H

#include "numerics/elementary/exp_core.h"

SB_FN sb_f32 sb_exp_f32(sb_f32 x) {
  sb_f32 a = x < -104.0f ? -104.0f : x;
  a = a > 89.0f ? 89.0f : a;
  sb_i32 n;
  sb_f32 s, lo;
  sb_exp_parts_f32(a, &n, &s, &lo);
  sb_f32 y = sb_exp_scale_f32(s + lo, n);
  return x == x ? y : sb_nan_f32();
}

#endif
