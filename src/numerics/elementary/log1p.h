/* sb_log1p_f32: log(1 + x). u = RN(1 + x) with error c (Fast2Sum, larger operand first), u = 2^k m:
     1 + x = 2^k (m + g), g = c 2^-k, |g| <= 2^-24,  log(1 + x) = k ln 2 + log(1 + f) + g / (1 + f) + O(g^2).
   For k = 0 (1 + x between sqrt(1/2) and sqrt(2)) f = x is exact and no correction is needed. Below 2^-26 x is the
   result: the next term, x^2 / 2, is under a quarter ulp. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG1P_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG1P_H

#include "numerics/elementary/log_core.h"

SB_FN sb_f32 sb_log1p_f32(sb_f32 x) {
  sb_f32 u = 1.0f + x;
  sb_f32 large = x > 1.0f ? x : 1.0f, small = x > 1.0f ? 1.0f : x;
  sb_f32 c = small - (u - large);
  sb_i32 k;
  sb_f32 m = sb_log_split_f32(u, &k);
  /* 2^-k; k >= 127 gives 0 instead, and there c / u is nothing. u is 0 or at least 2^-24. */
  sb_f32 g = c * sb_f32_bits((sb_u32)(127 - sb_min_i32(k, 127)) << 23);
  sb_f32 f = k == 0 ? x : m - 1.0f;
  sb_f32 correction = k == 0 ? 0.0f : g / m;
  sb_f32 r = sb_log_join_f32((sb_f32)k, f, sb_log_low_f32(f) + correction);
  r = sb_log_special_f32(u, r);
  return sb_abs_f32(x) < 0x1p-26f ? x : r;
}

#endif
