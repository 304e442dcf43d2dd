/* The addition of histogram sums: exact integers (C6). */
#ifndef SAMEBITS_NUMERICS_OPS_HISTOGRAM_H
#define SAMEBITS_NUMERICS_OPS_HISTOGRAM_H

#include "numerics/dialect/dialect.h"

SB_FN sb_i64 sb_sum_add(sb_i64 a, sb_i64 b) {
#if defined(SAMEBITS_BREAK_FLOAT_HISTOGRAM)
  return (sb_i64)((sb_f32)a + (sb_f32)b);
#else
  return a + b;
#endif
}

#endif
