/* Pieces of the logarithm in f64, as log_core.h has them in f32: H of 40 bits, R of degree 21 (error of log(1 + f)
   below 2^-66). No sweep can prove f64, so f^2/2 is kept exactly here: f32 spends up to 0.4 ulp on it. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG_CORE_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG_CORE_F64_H

#include "numerics/arith/split.h"

#define SB_LN2_HIGH_F64 0x1.62e42fefa4p-1
#define SB_LN2_LOW_F64 (-0x1.8432a1b0e2634p-43)

/* R(f) for sqrt(1/2) - 1 <= f <= sqrt(2) - 1. */
SB_FN sb_f64 sb_log_tail_f64(sb_f64 f) {
  sb_f64 q = -0x1.572cdfce7ad65p-6;
  q = q * f + 0x1.aa8fe2795befcp-5;
  q = q * f - 0x1.e51083f8c88ep-5;
  q = q * f + 0x1.990936253cc87p-5;
  q = q * f - 0x1.83a52c35eb4eep-5;
  q = q * f + 0x1.a72bbc1b2571p-5;
  q = q * f - 0x1.c917f494295b2p-5;
  q = q * f + 0x1.e314b68f9c73ap-5;
  q = q * f - 0x1.ffedbc057e5ep-5;
  q = q * f + 0x1.11043821e2bdep-4;
  q = q * f - 0x1.2492094fd2c25p-4;
  q = q * f + 0x1.3b145b9fc7051p-4;
  q = q * f - 0x1.55555f4a16ce1p-4;
  q = q * f + 0x1.745d11ab2aa71p-4;
  q = q * f - 0x1.9999992ca10acp-4;
  q = q * f + 0x1.c71c71e497d6ap-4;
  q = q * f - 0x1.000000012688cp-3;
  q = q * f + 0x1.24924924649abp-3;
  q = q * f - 0x1.55555555524c1p-3;
  q = q * f + 0x1.9999999999e29p-3;
  q = q * f - 0x1.0000000000018p-2;
  return q * f + 0x1.5555555555554p-2;
}

/* k and m of a positive finite x; sqrt(1/2) has bits 0x3fe6a09e667f3bcd. */
SB_FN sb_f64 sb_log_split_f64(sb_f64 x, sb_i32* k) {
  sb_i32 tiny = x < 0x1p-1022;
  sb_u64 u = sb_bits_f64(tiny ? x * 0x1p54 : x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  *k = (sb_i32)(u >> 52) - (tiny ? 1077 : 1023);
  return sb_f64_bits((u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
}

/* s + low = k ln 2 + log(1 + f) + extra, extra a small correction. f = fh + fl (split.h), f^2/2 = fh^2/2 + fl (f +
   fh)/2: k H + f = p + e and p - fh^2/2 = s + d exactly (Fast2Sum, larger operand first or k = 0). */
SB_FN void sb_log_parts_f64(sb_f64 k, sb_f64 f, sb_f64 extra, sb_f64* s, sb_f64* low) {
  sb_f64 fh = sb_upper_f64(f), fl = f - fh;
  sb_f64 kh = k * SB_LN2_HIGH_F64;
  sb_f64 p = kh + f;
  sb_f64 e = f - (p - kh);
  sb_f64 h = 0.5 * (fh * fh);
  *s = p - h;
  sb_f64 d = (p - *s) - h;
  sb_f64 rest = (f * (f * f)) * sb_log_tail_f64(f) - (0.5 * fl) * (f + fh);
  *low = (d + e) + (rest + (extra + k * SB_LN2_LOW_F64));
}

SB_FN sb_f64 sb_log_special_f64(sb_f64 z, sb_f64 r) {
  r = z > 0.0 ? r : sb_nan_f64();
  r = z == 0.0 ? -sb_infinity_f64() : r;
  return z == sb_infinity_f64() ? z : r;
}

#endif
