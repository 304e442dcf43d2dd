/* sb_log1pexp_f32: log(1 + e^x), "softplus" = max(x, 0) + log(1 + E), E = e^-|x| in (0, 1].
   E = h + l: h = RN(2^n y), l = 2^n z (exp_core.h; where h is subnormal l is 0 and the result is h). 1 + E <= 2:
     E <= sqrt(2) - 1: k = 0, f = h, g = l;   above: k = 1, f = (h - 1) / 2, g = (l + rounding error of h - 1) / 2;
     log(1 + E) = k ln 2 + f + (f^3 R - f^2/2) + g / (1 + f) (log_core.h), where g is within an ulp of f and
     1 / (1 + f) = 1 - f + f^2 is good enough.
   The large parts max(x, 0) + (k H + f) are added exactly (TwoSum, Knuth). Above 64 the result is x. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG1PEXP_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG1PEXP_H

#include "numerics/elementary/exp_core.h"
#include "numerics/elementary/log_core.h"

SB_FN sb_f32 sb_log1pexp_f32(sb_f32 x) {
  sb_f32 a = -sb_abs_f32(x);
  a = a < -104.0f ? -104.0f : a;
  sb_i32 n;
  sb_f32 s, lo;
  sb_exp_parts_f32(a, &n, &s, &lo);
  sb_f32 y = s + lo, z = lo - (y - s);
  sb_f32 h = sb_exp_scale_f32(y, n);
  sb_f32 l = z * sb_pow2_f32(n < -126 ? -126 : n);
  sb_i32 upper = h > 0x1.a8279ap-2f;
  sb_f32 shifted = h - 1.0f;
  sb_f32 lost = h - (shifted + 1.0f);
  sb_f32 f = upper ? 0.5f * shifted : h;
  sb_f32 g = upper ? 0.5f * (l + lost) : l;
  sb_f32 kh = upper ? SB_LN2_HIGH_F32 : 0.0f, kl = upper ? SB_LN2_LOW_F32 : 0.0f;
  sb_f32 low = sb_log_low_f32(f) + (g * (1.0f - (f - f * f)) + kl);
  sb_f32 p = kh + f;
  low = (f - (p - kh)) + low;
  sb_f32 m = x > 0.0f ? x : 0.0f;
  sb_f32 sum = m + p;
  sb_f32 back = sum - m;
  sb_f32 error = (m - (sum - back)) + (p - back);
  sb_f32 r = sum + (error + low);
  r = x > 64.0f ? x : r;
  return x == x ? r : sb_nan_f32();
}

#endif
