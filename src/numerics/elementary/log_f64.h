/* sb_log_f64: the natural logarithm; log_core_f64.h and log_core.h. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG_F64_H

#include "numerics/elementary/log_core_f64.h"

SB_FN sb_f64 sb_log_f64(sb_f64 x) {
  sb_i32 k;
  sb_f64 f = sb_log_split_f64(x, &k) - 1.0;
  return sb_log_special_f64(x, sb_log_join_f64((sb_f64)k, f, sb_log_low_f64(f)));
}

#endif
