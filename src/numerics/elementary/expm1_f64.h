/* sb_expm1_f64: e^x - 1 as expm1.h does it in f32; below 2^-54 x is the result; the argument is clamped to [-80, 710].
   */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXPM1_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXPM1_F64_H

#include "numerics/arith/split.h"
#include "numerics/elementary/exp_core_f64.h"

SB_FN sb_f64 sb_expm1_f64(sb_f64 x) {
  sb_f64 z = x > -80.0 ? x : -80.0;
  z = z > 710.0 ? 710.0 : z;
  sb_i32 n;
  sb_f64 r, c;
  sb_exp_reduce_f64(z, &n, &r, &c);
  sb_f64 t = sb_pow2_f64(n - 1);
  sb_f64 a = t - 0.5;
  sb_f64 b = n < 0 ? t - (a + 0.5) : -0.5 - (a - t);
  sb_f64 tr = t * r;
  sb_f64 s = a + tr;
  sb_f64 e = tr - (s - a);
  sb_f64 rh = sb_upper_f64(r), rl = r - rh;
  sb_f64 w = t * (0.5 * (rh * rh));
  sb_f64 u = s + w;
  sb_f64 v = w - (u - s);
  sb_f64 rest = (0.5 * rl) * (r + rh) + (r * (r * r)) * sb_exp_tail3_f64(r);
  sb_f64 y = u + ((v + (e + b)) + t * ((c + c * r) + rest));
  y = sb_abs_f64(x) < 0x1p-54 ? x : y + y;
  return x == x ? y : sb_nan_f64();
}

#endif
