/* sb_tanh_f64: as tanh.h does it in f32; P of degree 12 (relative error of tanh below 2^-64). */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_TANH_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_TANH_F64_H

#include "numerics/elementary/logistic_core_f64.h"

/* P(u) = (tanh x - x) / x^3, u = x^2 <= 0.391. */
SB_FN sb_f64 sb_tanh_tail_f64(sb_f64 u) {
  sb_f64 q = -0x1.2c9d181ea900dp-19;
  q = q * u + 0x1.88f13f44960b2p-17;
  q = q * u - 0x1.326ab0a95ad0ap-15;
  q = q * u + 0x1.91546e209336dp-14;
  q = q * u - 0x1.f4ad533139257p-13;
  q = q * u + 0x1.354c76129c666p-11;
  q = q * u - 0x1.7da2751bd4551p-10;
  q = q * u + 0x1.d6d3c369027eep-9;
  q = q * u - 0x1.226e351bdc9d9p-7;
  q = q * u + 0x1.664f4881123e3p-6;
  q = q * u - 0x1.ba1ba1ba15076p-5;
  q = q * u + 0x1.11111111110a4p-3;
  return q * u - 0x1.5555555555555p-2;
}

SB_FN sb_f64 sb_tanh_f64(sb_f64 x) {
  sb_f64 a = sb_abs_f64(x);
  sb_f64 u = a * a;
  sb_f64 near = a + (a * u) * sb_tanh_tail_f64(u);
  sb_f64 b = a < 32.0 ? a : 32.0;
  sb_odds_f64 o = sb_odds_parts_f64(-2.0 * b);
  sb_f64 w = 2.0 * (o.t * o.q);
  sb_f64 s = 1.0 - w;
  sb_f64 e = (1.0 - s) - w;
  sb_f64 far = s + (e - 2.0 * (o.t * o.correction));
  sb_f64 r = sb_copysign_f64(a < 0.625 ? near : far, x);
  return x == x ? r : sb_nan_f64();
}

#endif
