/* e^x in three parts, for every function built on it. Argument reduction (Cody and Waite 1980):
     n = RN(x / ln 2),  r = x - n ln 2,  |r| <= 0.3466,  e^x = 2^n e^r.
   ln 2 = H + L, H = 0x1.62e4p-1 has 15 bits, |n| <= 150 has 8: n H is exact, and so is x - n H (a difference of nearby
   multiples of a common ulp). r is that minus n L, rounded, with its rounding error kept in c (Fast2Sum; where x - n H
   is so small that the order of the operands is wrong, r is tiny and c does not matter).
     e^r = 1 + r + r^2 q(r),  q of degree 5 (minimax with f32 coefficients, error of e^r below 2^-33).
   1 + r = s + e exactly, so e^x = 2^n (s + lo), lo = e + (c + r^2 q), s in [0.65, 1.42], |lo| < 0.07. Lost are the
   roundings of r^2 q and of lo and the term c r, together below 2^-26, a quarter of an ulp of a result near 0.7; the
   caller's s + lo rounds once more. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXP_CORE_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXP_CORE_H

#include "numerics/arith/arith.h"

/* (q(r) - 1/2) / r, q(r) = (e^r - 1 - r) / r^2, on |r| <= 0.3466. */
SB_FN sb_f32 sb_exp_tail3_f32(sb_f32 r) {
  sb_f32 q = 0x1.a27418p-13f;
  q = q * r + 0x1.6d514cp-10f;
  q = q * r + 0x1.110feep-7f;
  q = q * r + 0x1.5554e4p-5f;
#if defined(SAMEBITS_BREAK_COEFFICIENT)
  return q * r + 0x1.555558p-3f; /* one ulp beside */
#else
  return q * r + 0x1.555556p-3f;
#endif
}

/* q(r); its constant term is exactly 1/2. */
SB_FN sb_f32 sb_exp_tail_f32(sb_f32 r) { return sb_exp_tail3_f32(r) * r + 0x1p-1f; }

/* n, r and c of above. Precondition: |x| <= 104 or NaN (then all parts are NaN or arbitrary). Adding 1.5 * 2^23 rounds
   to an integer that can be read from the bits. */
SB_FN void sb_exp_reduce_f32(sb_f32 x, sb_i32* n, sb_f32* r, sb_f32* c) {
  sb_f32 t = x * 0x1.715476p0f + 0x1.8p23f;
  sb_f32 k = t - 0x1.8p23f;
  sb_f32 a = x - k * 0x1.62e4p-1f;
  sb_f32 b = k * 0x1.7f7d1cp-20f;
  *n = (sb_i32)(sb_bits_f32(t) - 0x4b400000u);
  *r = a - b;
  *c = (a - *r) - b;
}

SB_FN void sb_exp_parts_f32(sb_f32 x, sb_i32* n, sb_f32* s, sb_f32* lo) {
  sb_f32 r, c;
  sb_exp_reduce_f32(x, n, &r, &c);
  *s = 1.0f + r;
  *lo = (r - (*s - 1.0f)) + (c + (r * r) * sb_exp_tail_f32(r));
}

/* y * 2^n in two factors, of which the first is exact and the second rounds once; -252 <= n <= 254, y in [1/4, 4). */
SB_FN sb_f32 sb_exp_scale_f32(sb_f32 y, sb_i32 n) {
  sb_i32 first_half = n >> 1;
  return (y * sb_pow2_f32(first_half)) * sb_pow2_f32(n - first_half);
}

#endif
