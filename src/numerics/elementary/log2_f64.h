/* sb_log2_f64: log2 x as log2.h does it in f32; 1 / ln 2 = H + L with H of 26 bits. */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG2_F64_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG2_F64_H

#include "numerics/arith/split.h"
#include "numerics/elementary/log_core_f64.h"

SB_FN sb_f64 sb_log2_f64(sb_f64 x) {
  sb_i32 exponent;
  sb_f64 f = sb_log_split_f64(x, &exponent) - 1.0;
  sb_f64 k = (sb_f64)exponent;
  sb_f64 f2 = f * f, h = 0.5 * f2;
  sb_f64 s = f - h;
  sb_f64 e = ((f - s) - h) + (f * f2) * sb_log_tail_f64(f);
  sb_f64 sh = sb_upper_f64(s);
  sb_f64 p = sh * 0x1.7154768p0;
  sb_f64 low = (s - sh) * 0x1.7154768p0 + (e * 0x1.71547652b82fep0 - s * 0x1.6a3e80f444178p-27);
  sb_f64 t = k + p;
  sb_f64 d = p - (t - k);
  return sb_log_special_f64(x, t + (d + low));
}

#endif
