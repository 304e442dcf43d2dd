/* sb_log1pexp_f64: log(1 + e^x) as log1pexp.h does it in f32. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG1PEXP_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG1PEXP_F64_H

#include "numerics/elementary/exp_core_f64.h"
#include "numerics/elementary/log_core_f64.h"

SB_FN sb_f64 sb_log1pexp_f64(sb_f64 x) {
  sb_f64 a = -sb_abs_f64(x);
  a = a > -746.0 ? a : -746.0;
  sb_i32 n;
  sb_f64 s, lo;
  sb_exp_parts_f64(a, &n, &s, &lo);
  sb_f64 y = s + lo, z = lo - (y - s);
  sb_f64 h = sb_exp_scale_f64(y, n);
  sb_f64 l = z * sb_pow2_f64(n < -1022 ? -1022 : n);
  sb_i32 upper = h > 0x1.a827999fcef34p-2;
  sb_f64 shifted = h - 1.0;
  sb_f64 lost = h - (shifted + 1.0);
  sb_f64 f = upper ? 0.5 * shifted : h;
  sb_f64 g = upper ? 0.5 * (l + lost) : l;
  sb_f64 p, low;
  sb_log_parts_f64(upper ? 1.0 : 0.0, f, g * (1.0 - (f - f * f)), &p, &low);
  sb_f64 m = x > 0.0 ? x : 0.0;
  sb_f64 sum = m + p;
  sb_f64 back = sum - m;
  sb_f64 error = (m - (sum - back)) + (p - back);
  sb_f64 r = sum + (error + low);
  r = x > 64.0 ? x : r;
  return x == x ? r : sb_nan_f64();
}

#endif
