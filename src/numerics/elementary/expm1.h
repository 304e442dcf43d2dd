/* sb_expm1_f32: e^x - 1 = 2^n (1 + r + r^2 q) - 1 (exp_core.h). Everything is kept at half its size so that 2^128 never
   appears: with t = 2^(n-1),
     t - 1/2 = a + b exactly (Fast2Sum, larger operand first),  a + t r = s + e exactly (|a| >= |t r|, or a = 0),
     e^x - 1 = 2 (s + (e + b + t (c + r^2 q))).
   There is no cancellation beyond a factor 2: the worst are n = 1, r < 0 and n = -1, r > 0. For n = 0 a = b = 0 and the
   result is r + r^2 q with r = x. Below 2^-25 x is the result (the next term is under a quarter ulp); the argument is
   clamped to [-40, 89], where the result is -1 and infinity. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXPM1_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXPM1_H

#include "numerics/elementary/exp_core.h"

SB_FN sb_f32 sb_expm1_f32(sb_f32 x) {
  sb_f32 z = x < -40.0f ? -40.0f : x;
  z = z > 89.0f ? 89.0f : z;
  sb_i32 n;
  sb_f32 r, c;
  sb_exp_reduce_f32(z, &n, &r, &c);
  sb_f32 t = sb_pow2_f32(n - 1);
  sb_f32 a = t - 0.5f;
  sb_f32 b = n < 0 ? t - (a + 0.5f) : -0.5f - (a - t);
  sb_f32 tr = t * r;
  sb_f32 s = a + tr;
  sb_f32 e = tr - (s - a);
  sb_f32 y = s + ((e + b) + t * (c + (r * r) * sb_exp_tail_f32(r)));
  y = sb_abs_f32(x) < 0x1p-25f ? x : y + y;
  return x == x ? y : sb_nan_f32();
}

#endif
