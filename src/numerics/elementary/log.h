/* sb_log_f32: the natural logarithm; log_core.h has the derivation. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG_H

#include "numerics/elementary/log_core.h"

SB_FN sb_f32 sb_log_f32(sb_f32 x) {
  sb_i32 k;
  sb_f32 f = sb_log_split_f32(x, &k) - 1.0f;
  return sb_log_special_f32(x, sb_log_join_f32((sb_f32)k, f, sb_log_low_f32(f)));
}

#endif
