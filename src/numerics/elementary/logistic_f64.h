/* sb_logistic_f64: 1 / (1 + e^-x) as logistic.h does it in f32. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_F64_H

#include "numerics/elementary/logistic_core_f64.h"

SB_FN sb_f64 sb_logistic_f64(sb_f64 x) {
  sb_f64 a = -sb_abs_f64(x);
  a = a > -746.0 ? a : -746.0;
  sb_odds_f64 o = sb_odds_parts_f64(a);
  sb_f64 low = sb_exp_scale_f64(o.q + o.correction, o.n);
  sb_f64 e = (1.0 - o.one_minus) - o.t * o.q;
  sb_f64 high = o.one_minus + (e - o.t * o.correction);
  sb_f64 r = x < 0.0 ? low : high;
  return x == x ? r : sb_nan_f64();
}

#endif
