/* E / (1 + E) in two parts in f64, as logistic_core.h does it in f32. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_CORE_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_CORE_F64_H

#include "numerics/arith/split.h"
#include "numerics/elementary/exp_core_f64.h"

typedef struct sb_odds_f64 {
  sb_i32 n;          /* E / (1 + E) = 2^n (q + correction) */
  sb_f64 q;          /* in [0.35, 1.42] */
  sb_f64 correction; /* about an ulp of q */
  sb_f64 t;          /* 2^max(n, -128) */
  sb_f64 one_minus;  /* RN(1 - t q) */
} sb_odds_f64;

/* Precondition: -746 <= x <= 0. */
SB_FN sb_odds_f64 sb_odds_parts_f64(sb_f64 x) {
  sb_odds_f64 o;
  sb_f64 s, lo;
  sb_exp_parts_f64(x, &o.n, &s, &lo);
  sb_f64 y = s + lo, z = lo - (y - s);
  o.t = sb_pow2_f64(o.n < -128 ? -128 : o.n);
  sb_f64 ty = o.t * y;
  sb_f64 d = 1.0 + ty;
  sb_f64 e = (ty - (d - 1.0)) + o.t * z;
  o.q = y / d;
  o.one_minus = 1.0 - o.t * o.q;
  o.correction = ((sb_remainder_f64(y, o.q, d) + z) - o.q * e) * o.one_minus;
  return o;
}

#endif
