/* sb_exp2_f64: 2^x as exp2.h does it in f32: ln 2 = H + L with H of 26 bits, q of degree 11 (error below 2^-63).
   The argument is clamped to [-1076, 1025], where the result is 0 and infinity. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXP2_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXP2_F64_H

#include "numerics/arith/split.h"
#include "numerics/elementary/exp_core_f64.h"

/* q(r) = (2^r - 1 - r ln 2) / r^2 on |r| <= 1/2. */
SB_FN sb_f64 sb_exp2_tail_f64(sb_f64 r) {
  sb_f64 q = 0x1.74627abe19a4bp-40;
  q = q * r + 0x1.c0ed3d86018adp-36;
  q = q * r + 0x1.e8d5c4fedc70dp-32;
  q = q * r + 0x1.e4d1fa2330f69p-28;
  q = q * r + 0x1.b52539c020087p-24;
  q = q * r + 0x1.62c0216540dfep-20;
  q = q * r + 0x1.ffcbfc59933ebp-17;
  q = q * r + 0x1.430912f8a8d2fp-13;
  q = q * r + 0x1.5d87fe78a64eap-10;
  q = q * r + 0x1.3b2ab6fba4d81p-7;
  q = q * r + 0x1.c6b08d704a0cp-5;
  return q * r + 0x1.ebfbdff82c58fp-3;
}

SB_FN sb_f64 sb_exp2_f64(sb_f64 x) {
  sb_f64 a = x > -1076.0 ? x : -1076.0; /* NaN too: replaced at the end */
  a = a > 1025.0 ? 1025.0 : a;
  sb_f64 t = a + 0x1.8p52;
  sb_i32 n = (sb_i32)(sb_u32)sb_bits_f64(t);
  sb_f64 r = a - (t - 0x1.8p52);
  sb_f64 rh = sb_upper_f64(r);
  sb_f64 p = rh * 0x1.62e43p-1;
  sb_f64 pl = (r - rh) * 0x1.62e43p-1 - r * 0x1.05c610ca86c39p-29;
  sb_f64 s = 1.0 + p;
  sb_f64 lo = (p - (s - 1.0)) + (pl + (r * r) * sb_exp2_tail_f64(r));
  sb_f64 y = sb_exp_scale_f64(s + lo, n);
  return x == x ? y : sb_nan_f64();
}

#endif
