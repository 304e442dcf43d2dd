/* sb_expm1_f32: e^x - 1 = 2^n (1 + r + r^2/2 + r^3 q3) - 1 (exp_core.h). Everything is kept at half its size so that
   2^128 never appears: with t = 2^(n-1) and r = rh + rl (split.h), r^2/2 = rh^2/2 + rl (r + rh)/2, rh^2/2 exact,
     t - 1/2 = a + b,  a + t r = s + e,  s + t rh^2/2 = u + v  exactly (Fast2Sum, larger operand first or a = 0),
     e^x - 1 = 2 (u + (v + e + b + t (c (1 + r) + rl (r + rh)/2 + r^3 q3))).
   Cancellation is what makes the exact steps necessary: for n = 1, r = -0.34 the result is 0.4 t, so that a plain r^2
   q costs half an ulp. For n = 0 a = b = 0 and r = x. Below 2^-25 x is the result (the next term is under a quarter
   ulp); the argument is clamped to [-40, 89], where the result is -1 and infinity. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXPM1_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXPM1_H

#include "numerics/arith/split.h"
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
  sb_f32 rh = sb_upper_f32(r), rl = r - rh;
  sb_f32 w = t * (0.5f * (rh * rh));
  sb_f32 u = s + w;
  sb_f32 v = w - (u - s);
  sb_f32 rest = (0.5f * rl) * (r + rh) + (r * (r * r)) * sb_exp_tail3_f32(r);
  sb_f32 y = u + ((v + (e + b)) + t * ((c + c * r) + rest));
  y = sb_abs_f32(x) < 0x1p-25f ? x : y + y;
  return x == x ? y : sb_nan_f32();
}

#endif
