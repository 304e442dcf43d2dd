/* Small exact pieces of IEEE-754 arithmetic without libm: selection, NaN, rounding to integer, exponents and scaling by
   powers of two. Branch-free, so that a loop over them vectorises. */
#ifndef SAMEBITS_NUMERICS_ARITH_ARITH_H
#define SAMEBITS_NUMERICS_ARITH_ARITH_H

#include "numerics/arith/fma.h"
#include "numerics/dialect/dialect.h"

/* min and max are a < b ? a : b and a > b ? a : b: with a NaN on either side, and for +0 against -0, the result is b.
   */
SB_FN sb_f32 sb_min_f32(sb_f32 a, sb_f32 b) { return a < b ? a : b; }
SB_FN sb_f32 sb_max_f32(sb_f32 a, sb_f32 b) { return a > b ? a : b; }
SB_FN sb_f64 sb_min_f64(sb_f64 a, sb_f64 b) { return a < b ? a : b; }
SB_FN sb_f64 sb_max_f64(sb_f64 a, sb_f64 b) { return a > b ? a : b; }
SB_FN sb_i32 sb_min_i32(sb_i32 a, sb_i32 b) { return a < b ? a : b; }
SB_FN sb_i32 sb_max_i32(sb_i32 a, sb_i32 b) { return a > b ? a : b; }
SB_FN sb_i64 sb_min_i64(sb_i64 a, sb_i64 b) { return a < b ? a : b; }
SB_FN sb_i64 sb_max_i64(sb_i64 a, sb_i64 b) { return a > b ? a : b; }
SB_FN sb_u32 sb_min_u32(sb_u32 a, sb_u32 b) { return a < b ? a : b; }
SB_FN sb_u32 sb_max_u32(sb_u32 a, sb_u32 b) { return a > b ? a : b; }

SB_FN sb_f32 sb_abs_f32(sb_f32 x) { return sb_f32_bits(sb_bits_f32(x) & 0x7fffffffu); }
SB_FN sb_f64 sb_abs_f64(sb_f64 x) { return sb_f64_bits(sb_bits_f64(x) & 0x7fffffffffffffffu); }

/* x with the sign of s. */
SB_FN sb_f32 sb_copysign_f32(sb_f32 x, sb_f32 s) {
  return sb_f32_bits((sb_bits_f32(x) & 0x7fffffffu) | (sb_bits_f32(s) & 0x80000000u));
}
SB_FN sb_f64 sb_copysign_f64(sb_f64 x, sb_f64 s) {
  return sb_f64_bits((sb_bits_f64(x) & 0x7fffffffffffffffu) | (sb_bits_f64(s) & 0x8000000000000000u));
}

SB_FN sb_i32 sb_isnan_f32(sb_f32 x) { return x != x; }
SB_FN sb_i32 sb_isnan_f64(sb_f64 x) { return x != x; }
SB_FN sb_i32 sb_isinf_f32(sb_f32 x) { return (sb_bits_f32(x) & 0x7fffffffu) == 0x7f800000u; }
SB_FN sb_i32 sb_isinf_f64(sb_f64 x) { return (sb_bits_f64(x) & 0x7fffffffffffffffu) == 0x7ff0000000000000u; }
SB_FN sb_i32 sb_isfinite_f32(sb_f32 x) { return (sb_bits_f32(x) & 0x7fffffffu) < 0x7f800000u; }
SB_FN sb_i32 sb_isfinite_f64(sb_f64 x) { return (sb_bits_f64(x) & 0x7fffffffffffffffu) < 0x7ff0000000000000u; }

SB_FN sb_f32 sb_nan_f32(void) { return sb_f32_bits(0x7fc00000u); }
SB_FN sb_f64 sb_nan_f64(void) { return sb_f64_bits(0x7ff8000000000000u); }
SB_FN sb_f32 sb_infinity_f32(void) { return sb_f32_bits(0x7f800000u); }
SB_FN sb_f64 sb_infinity_f64(void) { return sb_f64_bits(0x7ff0000000000000u); }

/* Any NaN becomes the one NaN of the contract (C2). Selected by bits: an arithmetic test may be folded away together
   with the payload by a compiler that treats all NaNs alike. */
#if defined(SAMEBITS_BREAK_RAW_NAN)
SB_FN sb_f32 sb_canonical_nan_f32(sb_f32 x) { return x; }
SB_FN sb_f64 sb_canonical_nan_f64(sb_f64 x) { return x; }
#else
SB_FN sb_f32 sb_canonical_nan_f32(sb_f32 x) {
  sb_u32 u = sb_bits_f32(x);
  return sb_f32_bits((u & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : u);
}
SB_FN sb_f64 sb_canonical_nan_f64(sb_f64 x) {
  sb_u64 u = sb_bits_f64(x);
  return sb_f64_bits((u & 0x7fffffffffffffffu) > 0x7ff0000000000000u ? 0x7ff8000000000000u : u);
}
#endif

/* Nearest integer, ties to even, sign of zero kept. For |x| < 2^23 (2^52) the sum |x| + 2^23 has spacing 1, so that the
   addition itself rounds to nearest-even; larger values are integers already. NaN is returned as it is. */
SB_FN sb_f32 sb_rint_f32(sb_f32 x) {
  sb_f32 a = sb_abs_f32(x);
  sb_f32 r = (a + 0x1p23f) - 0x1p23f;
  return a < 0x1p23f ? sb_copysign_f32(r, x) : x;
}
SB_FN sb_f64 sb_rint_f64(sb_f64 x) {
  sb_f64 a = sb_abs_f64(x);
  sb_f64 r = (a + 0x1p52) - 0x1p52;
  return a < 0x1p52 ? sb_copysign_f64(r, x) : x;
}

/* The same as an integer. Precondition: |x| <= 2^30 (the conversion of anything outside i32 is not defined). */
SB_FN sb_i32 sb_rint_i32_f32(sb_f32 x) { return (sb_i32)sb_rint_f32(x); }

/* The e with 2^(e-1) <= |x| < 2^e, subnormals included. 0 gives SB_EXPONENT_ZERO, which is below every exponent and
   far enough from the ends of i32 that adding or subtracting an exponent cannot overflow. Infinity and NaN give 129
   (1025). */
#define SB_EXPONENT_ZERO (-1048576)
SB_FN sb_i32 sb_exponent_f32(sb_f32 x) {
  sb_f32 a = sb_abs_f32(x);
  sb_u32 normal = sb_bits_f32(a) >> 23, subnormal = sb_bits_f32(a * 0x1p24f) >> 23;
  sb_i32 e = normal ? (sb_i32)normal - 126 : (sb_i32)subnormal - 150;
  return a == 0.0f ? SB_EXPONENT_ZERO : e;
}
SB_FN sb_i32 sb_exponent_f64(sb_f64 x) {
  sb_f64 a = sb_abs_f64(x);
  sb_u64 normal = sb_bits_f64(a) >> 52, subnormal = sb_bits_f64(a * 0x1p53) >> 52;
  sb_i32 e = normal ? (sb_i32)normal - 1022 : (sb_i32)subnormal - 1075;
  return a == 0.0 ? SB_EXPONENT_ZERO : e;
}

/* 2^e as a value. Precondition: -126 <= e <= 127 (-1022 <= e <= 1023). */
SB_FN sb_f32 sb_pow2_f32(sb_i32 e) { return sb_f32_bits((sb_u32)(e + 127) << 23); }
SB_FN sb_f64 sb_pow2_f64(sb_i32 e) { return sb_f64_bits((sb_u64)(sb_u32)(e + 1023) << 52); }

/* x * 2^e for any e, rounded once. With x = m * 2^k, 1/2 <= |m| < 1, the total exponent t = k + e is clamped to where
   the result has long become 0 or infinity (t < -149 - 1, t > 128). m * 2^(t +- 64) is exact (it stays normal) and the
   last factor 2^-+64 does the only rounding. f64: the same with 512. NaN is returned canonical. */
SB_FN sb_f32 sb_scale2_f32(sb_f32 x, sb_i32 e) {
  sb_f32 a = sb_abs_f32(x);
  sb_i32 k = sb_exponent_f32(x);
  sb_f32 big = a < 0x1p-126f ? a * 0x1p24f : a;
  sb_f32 m = sb_f32_bits((sb_bits_f32(big) & 0x007fffffu) | 0x3f000000u);
  sb_i32 far = e < -1024 ? -1024 : e > 1024 ? 1024 : e;
  sb_i32 t = sb_max_i32(sb_min_i32(k + far, 130), -160);
  sb_f32 r = m * sb_pow2_f32(t < 0 ? t + 64 : t - 64);
  r = r * (t < 0 ? 0x1p-64f : 0x1p64f);
  r = a > 0.0f && a < sb_infinity_f32() ? sb_copysign_f32(r, x) : x;
  return sb_canonical_nan_f32(r);
}
SB_FN sb_f64 sb_scale2_f64(sb_f64 x, sb_i32 e) {
  sb_f64 a = sb_abs_f64(x);
  sb_i32 k = sb_exponent_f64(x);
  sb_f64 big = a < 0x1p-1022 ? a * 0x1p53 : a;
  sb_f64 m = sb_f64_bits((sb_bits_f64(big) & 0x000fffffffffffffu) | 0x3fe0000000000000u);
  sb_i32 far = e < -8192 ? -8192 : e > 8192 ? 8192 : e;
  sb_i32 t = sb_max_i32(sb_min_i32(k + far, 1030), -1090);
  sb_f64 r = m * sb_pow2_f64(t < 0 ? t + 512 : t - 512);
  r = r * (t < 0 ? 0x1p-512 : 0x1p512);
  r = a > 0.0 && a < sb_infinity_f64() ? sb_copysign_f64(r, x) : x;
  return sb_canonical_nan_f64(r);
}

#endif
