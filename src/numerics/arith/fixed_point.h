/* Fixed-point images of floats (C6): x becomes the integer RN(x * 2^s) with one s for the whole array, taken from the
   exponent of its largest magnitude, so that sums are exact integers and no order of adding can change them.

   s = 30 - e with max_abs < 2^e gives |x| * 2^s < 2^30, after rounding |v| <= 2^30. Fewer than 2^31 such values sum to
   less than 2^31 * 2^30 = 2^61 in magnitude, which fits i64 (bound 2^63 - 1) with two bits to spare. Resolution: a
   value is rounded by at most 2^-(s+1), that is 2^-30 relative to a max_abs >= 2^(e-1). */
#ifndef SAMEBITS_NUMERICS_ARITH_FIXED_POINT_H
#define SAMEBITS_NUMERICS_ARITH_FIXED_POINT_H

#include "numerics/arith/arith.h"

/* s for an array whose largest magnitude is max_abs (finite). An array of zeros gets s = 0. Range: -98 <= s <= 178. */
SB_FN sb_i32 sb_fixed_exponent(sb_f32 max_abs) {
  sb_i32 e = sb_exponent_f32(max_abs);
  return e == SB_EXPONENT_ZERO ? 0 : 30 - e;
}
SB_FN sb_i32 sb_fixed_exponent_f64(sb_f64 max_abs) {
  sb_i32 e = sb_exponent_f64(max_abs);
  return e == SB_EXPONENT_ZERO ? 0 : 30 - e;
}

/* RN(x * 2^s), ties to even. Precondition: |x| * 2^s <= 2^30; what is above it saturates at +-2^30 and NaN gives 2^30
   (defined, so that no conversion is out of range, but not meaningful). 2^s need not be an f32: it is applied as two
   factors. For s > 0 both products are exact; for s < 0 the first can only round when it is subnormal, and then the
   result is 0 either way. |s| > 252 leaves only zeros: 2^-149 * 2^252 is far above 2^30, 2^128 * 2^-252 far below 1/2.
   */
SB_FN sb_i32 sb_to_fixed_f32(sb_f32 x, sb_i32 s) {
  sb_i32 t = sb_max_i32(sb_min_i32(s, 252), -252);
  sb_i32 first_half = t / 2;
  sb_f32 v = x * sb_pow2_f32(first_half) * sb_pow2_f32(t - first_half);
  v = v < 0x1p30f ? v : 0x1p30f;
  v = v > -0x1p30f ? v : -0x1p30f;
  return sb_rint_i32_f32(v);
}
SB_FN sb_i32 sb_to_fixed_f64(sb_f64 x, sb_i32 s) {
  sb_i32 t = sb_max_i32(sb_min_i32(s, 2044), -2044);
  sb_i32 first_half = t / 2;
  sb_f64 v = x * sb_pow2_f64(first_half) * sb_pow2_f64(t - first_half);
  v = v < 0x1p30 ? v : 0x1p30;
  v = v > -0x1p30 ? v : -0x1p30;
  return (sb_i32)sb_rint_f64(v);
}

/* sum * 2^-s: one rounding of the integer, then an exact scaling (a second rounding only where the result is
   subnormal). */
SB_FN sb_f32 sb_from_fixed_f32(sb_i64 sum, sb_i32 s) { return sb_scale2_f32((sb_f32)sum, -s); }
SB_FN sb_f64 sb_from_fixed_f64(sb_i64 sum, sb_i32 s) { return sb_scale2_f64((sb_f64)sum, -s); }

#endif
