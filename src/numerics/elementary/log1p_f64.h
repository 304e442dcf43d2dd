/* sb_log1p_f64: log(1 + x) as log1p.h does it in f32; below 2^-55 x is the result. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG1P_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG1P_F64_H

#include "numerics/elementary/log_core_f64.h"

SB_FN sb_f64 sb_log1p_f64(sb_f64 x) {
  sb_f64 u = 1.0 + x;
  sb_f64 large = x > 1.0 ? x : 1.0, small = x > 1.0 ? 1.0 : x;
  sb_f64 c = small - (u - large);
  sb_i32 k;
  sb_f64 m = sb_log_split_f64(u, &k);
  /* 2^-k; k >= 1023 gives 0 instead, and there c / u is nothing. u is 0 or at least 2^-53. */
  sb_f64 g = c * sb_f64_bits((sb_u64)(sb_u32)(1023 - sb_min_i32(k, 1023)) << 52);
  sb_f64 f = k == 0 ? x : m - 1.0;
  sb_f64 correction = k == 0 ? 0.0 : g / m;
  sb_f64 s, low;
  sb_log_parts_f64((sb_f64)k, f, correction, &s, &low);
  sb_f64 r = sb_log_special_f64(u, s + low);
  return sb_abs_f64(x) < 0x1p-55 ? x : r;
}

#endif
