/* Pieces of the logarithm, for every function built on it. x = 2^k m with sqrt(1/2) <= m < sqrt(2), f = m - 1 exact,
     log x = k ln 2 + log(1 + f),  log(1 + f) = f - f^2/2 + f^3 R(f),
   R of degree 8 (minimax with f32 coefficients; relative error of log(1 + f) below 2^-30). */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG_CORE_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG_CORE_H

#include "numerics/arith/arith.h"

/* ln 2 = H + L; H has 15 bits, so that k H is exact for |k| < 2^9. */
#define SB_LN2_HIGH_F32 0x1.62e4p-1f
#define SB_LN2_LOW_F32 0x1.7f7d1cp-20f

/* R(f) for sqrt(1/2) - 1 <= f <= sqrt(2) - 1. */
SB_FN sb_f32 sb_log_tail_f32(sb_f32 f) {
  sb_f32 q = 0x1.13be0cp-4f;
  q = q * f - 0x1.dd992ap-4f;
  q = q * f + 0x1.e6dd24p-4f;
  q = q * f - 0x1.fc3e3ap-4f;
  q = q * f + 0x1.233af6p-3f;
  q = q * f - 0x1.555b8cp-3f;
  q = q * f + 0x1.99a478p-3f;
  q = q * f - 0x1.000008p-2f;
  return q * f + 0x1.555548p-2f;
}

/* f^3 R(f) - f^2/2. Its rounding error, for |f| <= 0.42 below 2^-26.6, is what the logarithms lose beside their last
   rounding: a third of an ulp of the smallest results with k != 0, near 0.35. */
SB_FN sb_f32 sb_log_low_f32(sb_f32 f) {
  sb_f32 f2 = f * f;
  return (f * f2) * sb_log_tail_f32(f) - 0.5f * f2;
}

/* k (as an f32 as well as through m) and m of a positive finite x. The integer addition moves the cut between two
   exponents from 1 to sqrt(1/2), bits 0x3f3504f3. Other x give arbitrary but defined values. */
SB_FN sb_f32 sb_log_split_f32(sb_f32 x, sb_i32* k) {
  sb_i32 tiny = x < 0x1p-126f;
  sb_u32 u = sb_bits_f32(tiny ? x * 0x1p25f : x) + (0x3f800000u - 0x3f3504f3u);
  *k = (sb_i32)(u >> 23) - (tiny ? 152 : 127);
  return sb_f32_bits((u & 0x007fffffu) + 0x3f3504f3u);
}

/* k ln 2 + f + low: k H + f = s + e exactly (Fast2Sum: k = 0, or |k H| > 0.69 > |f|). */
SB_FN sb_f32 sb_log_join_f32(sb_f32 k, sb_f32 f, sb_f32 low) {
  sb_f32 kh = k * SB_LN2_HIGH_F32;
  sb_f32 s = kh + f;
  sb_f32 e = f - (s - kh);
  return s + (e + (low + k * SB_LN2_LOW_F32));
}

/* The special cases of a logarithm whose argument is z (1 + x for log1p): finite r stays, log 0 = -inf, log of a
   negative number is NaN, log inf = inf. */
SB_FN sb_f32 sb_log_special_f32(sb_f32 z, sb_f32 r) {
  r = z > 0.0f ? r : sb_nan_f32();
  r = z == 0.0f ? -sb_infinity_f32() : r;
  return z == sb_infinity_f32() ? z : r;
}

#endif
