/* sb_logistic_f32: 1 / (1 + e^-x). With w = E / (1 + E), E = e^-|x| (logistic_core.h), the value is w for x < 0,
   scaled at the very end so that a subnormal result is rounded there once, and 1 - w for x >= 0, where 1 - t q is
   split exactly (Fast2Sum) before the correction is taken off. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOGISTIC_H

#include "numerics/elementary/logistic_core.h"

SB_FN sb_f32 sb_logistic_f32(sb_f32 x) {
  sb_f32 a = -sb_abs_f32(x);
  a = a < -104.0f ? -104.0f : a;
  sb_odds_f32 o = sb_odds_parts_f32(a);
  sb_f32 low = sb_exp_scale_f32(o.q + o.correction, o.n);
  sb_f32 e = (1.0f - o.one_minus) - o.t * o.q;
  sb_f32 high = o.one_minus + (e - o.t * o.correction);
  sb_f32 r = x < 0.0f ? low : high;
  return x == x ? r : sb_nan_f32();
}

#endif
