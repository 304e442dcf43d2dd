/* Order keys (C7): an unsigned integer per value whose order is the total order used by sorts, top-k and ties:
   -inf < ... < -0 < +0 < ... < +inf < NaN. Every NaN has the key of the canonical one, the largest key in use; its
   inverse is the canonical NaN. Negative floats reverse (all bits flipped), others get the sign bit set. */
#ifndef SAMEBITS_NUMERICS_ORDER_ORDER_H
#define SAMEBITS_NUMERICS_ORDER_ORDER_H

#include "numerics/arith/arith.h"

#if defined(SAMEBITS_BREAK_ORDER_KEYS)
/* Negative values in the order of their magnitudes, -0 first. */
SB_FN sb_u32 sb_order_key_f32(sb_f32 x) { return sb_bits_f32(sb_canonical_nan_f32(x)) ^ 0x80000000u; }
SB_FN sb_f32 sb_order_value_f32(sb_u32 key) { return sb_f32_bits(key ^ 0x80000000u); }
SB_FN sb_u64 sb_order_key_f64(sb_f64 x) { return sb_bits_f64(sb_canonical_nan_f64(x)) ^ 0x8000000000000000u; }
SB_FN sb_f64 sb_order_value_f64(sb_u64 key) { return sb_f64_bits(key ^ 0x8000000000000000u); }
#else
SB_FN sb_u32 sb_order_key_f32(sb_f32 x) {
  sb_u32 u = sb_bits_f32(sb_canonical_nan_f32(x));
  return (u >> 31) ? ~u : u | 0x80000000u;
}
SB_FN sb_f32 sb_order_value_f32(sb_u32 key) { return sb_f32_bits((key >> 31) ? key & 0x7fffffffu : ~key); }

SB_FN sb_u64 sb_order_key_f64(sb_f64 x) {
  sb_u64 u = sb_bits_f64(sb_canonical_nan_f64(x));
  return (u >> 63) ? ~u : u | 0x8000000000000000u;
}
SB_FN sb_f64 sb_order_value_f64(sb_u64 key) { return sb_f64_bits((key >> 63) ? key & 0x7fffffffffffffffu : ~key); }
#endif

SB_FN sb_u32 sb_order_key_i32(sb_i32 x) { return (sb_u32)x ^ 0x80000000u; }
SB_FN sb_i32 sb_order_value_i32(sb_u32 key) { return (sb_i32)(key ^ 0x80000000u); }
SB_FN sb_u64 sb_order_key_i64(sb_i64 x) { return (sb_u64)x ^ 0x8000000000000000u; }
SB_FN sb_i64 sb_order_value_i64(sb_u64 key) { return (sb_i64)(key ^ 0x8000000000000000u); }

#endif
