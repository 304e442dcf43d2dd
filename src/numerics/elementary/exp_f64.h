/* sb_exp_f64: e^x; exp_core_f64.h. The argument is clamped to [-746, 710], where the result is 0 and infinity. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_EXP_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_EXP_F64_H

#include "numerics/elementary/exp_core_f64.h"

SB_FN sb_f64 sb_exp_f64(sb_f64 x) {
  sb_f64 a = x > -746.0 ? x : -746.0; /* NaN too: replaced at the end */
  a = a > 710.0 ? 710.0 : a;
  sb_i32 n;
  sb_f64 s, lo;
  sb_exp_parts_f64(a, &n, &s, &lo);
  sb_f64 y = sb_exp_scale_f64(s + lo, n);
  return x == x ? y : sb_nan_f64();
}

#endif
