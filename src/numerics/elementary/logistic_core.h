/* E / (1 + E) with E = e^x, x <= 0, in two parts: the common piece of logistic and tanh.
   E = 2^n (y + z), y = RN(s + lo), z its rounding error (exp_core.h), and with t = 2^max(n, -64)
     1 + t y = d + e exactly up to t z (Fast2Sum, t y <= 1); below 2^-64 E changes neither 1 + E nor 1 - E / (1 + E).
   q = RN(y / d) has the remainder y - q d (split.h), so that to first order
     (y + z) / (1 + E) = q + correction,  correction = (remainder + z - q e) / (1 + E),
   which is about an ulp of q and needs few bits: 1 / (1 + E) = 1 - E / (1 + E) = 1 - q t is good enough. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_CORE_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_CORE_H

#include "numerics/arith/split.h"
#include "numerics/elementary/exp_core.h"

typedef struct sb_odds_f32 {
  sb_i32 n;          /* E / (1 + E) = 2^n (q + correction) */
  sb_f32 q;          /* in [0.35, 1.42] */
  sb_f32 correction; /* about an ulp of q */
  sb_f32 t;          /* 2^max(n, -64) */
  sb_f32 one_minus;  /* RN(1 - t q) */
} sb_odds_f32;

/* Precondition: -104 <= x <= 0. */
SB_FN sb_odds_f32 sb_odds_parts_f32(sb_f32 x) {
  sb_odds_f32 o;
  sb_f32 s, lo;
  sb_exp_parts_f32(x, &o.n, &s, &lo);
  sb_f32 y = s + lo, z = lo - (y - s);
  o.t = sb_pow2_f32(o.n < -64 ? -64 : o.n);
  sb_f32 ty = o.t * y;
  sb_f32 d = 1.0f + ty;
  sb_f32 e = (ty - (d - 1.0f)) + o.t * z;
  o.q = y / d;
  o.one_minus = 1.0f - o.t * o.q;
  o.correction = ((sb_remainder_f32(y, o.q, d) + z) - o.q * e) * o.one_minus;
  return o;
}

#endif
