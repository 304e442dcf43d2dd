/* sb_log2_f32: log2 x = k + log(1 + f) / ln 2 (log_core.h). The product needs log(1 + f) in two parts: s = RN(f -
   f^2/2), e = what that rounded away plus f^3 R. 1 / ln 2 = H + L with H of 12 bits; s = sh + sl (split.h): p = sh H
   is exact, the rest is small. k + p = t + d exactly. Powers of two give exact results (f = 0). */
#ifndef SAMEBITS_NUMERICS_ELEMENTARY_LOG2_H
#define SAMEBITS_NUMERICS_ELEMENTARY_LOG2_H

#include "numerics/arith/split.h"
#include "numerics/elementary/log_core.h"

SB_FN sb_f32 sb_log2_f32(sb_f32 x) {
  sb_i32 exponent;
  sb_f32 f = sb_log_split_f32(x, &exponent) - 1.0f;
  sb_f32 k = (sb_f32)exponent;
  sb_f32 f2 = f * f, h = 0.5f * f2;
  sb_f32 s = f - h;
  sb_f32 e = ((f - s) - h) + (f * f2) * sb_log_tail_f32(f);
  sb_f32 sh = sb_upper_f32(s);
  sb_f32 p = sh * 0x1.716p0f;
  sb_f32 low = (s - sh) * 0x1.716p0f + (e * 0x1.715476p0f - s * 0x1.7135a8p-13f);
  sb_f32 t = k + p;
  sb_f32 d = p - (t - k);
  return sb_log_special_f32(x, t + (d + low));
}

#endif
