/* sb_log_f64: the natural logarithm; log_core_f64.h and log_core.h. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG_F64_H

#include "numerics/elementary/log_core_f64.h"

SB_FN sb_f64 sb_log_f64(sb_f64 x) {
  sb_i32 k;
  sb_f64 f = sb_log_split_f64(x, &k) - 1.0;
  sb_f64 s, low;
  sb_log_parts_f64((sb_f64)k, f, 0.0, &s, &low);
  return sb_log_special_f64(x, s + low);
}

#endif
