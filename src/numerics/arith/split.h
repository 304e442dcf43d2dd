/* Splitting for exact products without fma (Dekker, A floating-point technique for extending the available precision,
   1971). The upper part keeps 12 bits of 24 (26 of 53) by masking; the rest, x - upper, is exact and has 12 (27) bits.
   Products of two parts are exact, but for the product of two lower parts in f64, far below what is kept. */
#ifndef SAMEBITS_NUMERICS_ARITH_SPLIT_H
#define SAMEBITS_NUMERICS_ARITH_SPLIT_H

#include "numerics/arith/arith.h"

SB_FN sb_f32 sb_upper_f32(sb_f32 x) { return sb_f32_bits(sb_bits_f32(x) & 0xfffff000u); }
SB_FN sb_f64 sb_upper_f64(sb_f64 x) { return sb_f64_bits(sb_bits_f64(x) & 0xfffffffff8000000u); }

/* n - q * d where q is n / d rounded: the remainder, exact in the first three steps because each is a small
   difference. */
SB_FN sb_f32 sb_remainder_f32(sb_f32 n, sb_f32 q, sb_f32 d) {
  sb_f32 qh = sb_upper_f32(q), ql = q - qh, dh = sb_upper_f32(d), dl = d - dh;
  return ((n - qh * dh) - qh * dl - ql * dh) - ql * dl;
}
SB_FN sb_f64 sb_remainder_f64(sb_f64 n, sb_f64 q, sb_f64 d) {
  sb_f64 qh = sb_upper_f64(q), ql = q - qh, dh = sb_upper_f64(d), dl = d - dh;
  return ((n - qh * dh) - qh * dl - ql * dh) - ql * dl;
}

#endif
