/* e^x in three parts in f64, as exp_core.h does it in f32. ln 2 = H + L with H of 40 bits, |n| <= 1076 has 11: n H and
   x - n H are exact. q has degree 11 (minimax with f64 coefficients, error of e^r below 2^-67). */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXP_CORE_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXP_CORE_F64_H

#include "numerics/arith/arith.h"

/* (q(r) - 1/2) / r, q(r) = (e^r - 1 - r) / r^2, on |r| <= 0.3466. */
SB_FN sb_f64 sb_exp_tail3_f64(sb_f64 r) {
  sb_f64 q = 0x1.6dff609441918p-33;
  q = q * r + 0x1.1f8bb27323b46p-29;
  q = q * r + 0x1.ae5a8edd1297dp-26;
  q = q * r + 0x1.27e4cc280f5aap-22;
  q = q * r + 0x1.71de3d3d9ca52p-19;
  q = q * r + 0x1.a01a01ad76d5ep-16;
  q = q * r + 0x1.a01a019f47a6fp-13;
  q = q * r + 0x1.6c16c16c1500bp-10;
  q = q * r + 0x1.11111111112cdp-7;
  q = q * r + 0x1.5555555555558p-5;
  return q * r + 0x1.5555555555555p-3;
}

/* q(r); its constant term is exactly 1/2. */
SB_FN sb_f64 sb_exp_tail_f64(sb_f64 r) { return sb_exp_tail3_f64(r) * r + 0x1p-1; }

/* n, r and its rounding error c. Precondition: |x| <= 746 or NaN. */
SB_FN void sb_exp_reduce_f64(sb_f64 x, sb_i32* n, sb_f64* r, sb_f64* c) {
  sb_f64 t = x * 0x1.71547652b82fep0 + 0x1.8p52;
  sb_f64 k = t - 0x1.8p52;
  sb_f64 a = x - k * 0x1.62e42fefa4p-1;
  sb_f64 b = k * -0x1.8432a1b0e2634p-43;
  *n = (sb_i32)(sb_u32)sb_bits_f64(t);
  *r = a - b;
  *c = (a - *r) - b;
}

SB_FN void sb_exp_parts_f64(sb_f64 x, sb_i32* n, sb_f64* s, sb_f64* lo) {
  sb_f64 r, c;
  sb_exp_reduce_f64(x, n, &r, &c);
  *s = 1.0 + r;
  *lo = (r - (*s - 1.0)) + (c + (r * r) * sb_exp_tail_f64(r));
}

/* y * 2^n in two factors, of which the first is exact and the second rounds once; -2044 <= n <= 2046, y in [1/4, 4). */
SB_FN sb_f64 sb_exp_scale_f64(sb_f64 y, sb_i32 n) {
  sb_i32 first_half = n >> 1;
  return (y * sb_pow2_f64(first_half)) * sb_pow2_f64(n - first_half);
}

#endif
