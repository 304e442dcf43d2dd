/* a * b + c rounded once, on every machine. SB_HARDWARE_FMA (dialect.h) says that the instruction exists; otherwise the
   exact software below is used, which returns the same bits (NaN apart: callers canonicalise, C2).

   f32. The product of two 24-bit numbers is exact in f64 and cannot leave its range. The sum with c is rounded to odd:
   s = RN(p + c) with its error from TwoSum (Knuth); where the error is not zero and the last bit of s is even, s moves
   one step towards the error, which leaves the truncated value with a sticky last bit. 53 >= 24 + 2 bits, so that the
   second rounding to f32, to 24 bits or fewer for subnormals, gives the once-rounded result (Boldo and Melquiond,
   Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008).

   f64. Integer arithmetic on 128 bits: the product of the significands is exact, the smaller operand is shifted right
   with a sticky bit, the sum is rounded once at the position its exponent (or the subnormal floor) asks for. */
#ifndef SAMEBITS_NUMERICS_ARITH_FMA_H
#define SAMEBITS_NUMERICS_ARITH_FMA_H

#include "numerics/dialect/dialect.h"

SB_FN sb_f32 sb_fma_software_f32(sb_f32 a, sb_f32 b, sb_f32 c) {
  sb_f64 p = (sb_f64)a * (sb_f64)b, z = (sb_f64)c;
  sb_f64 s = p + z;
  sb_f64 t = s - p;
  sb_f64 error = (p - (s - t)) + (z - t);
  sb_u64 u = sb_bits_f64(s);
  sb_u64 outward = (sb_u64)((error > 0.0) == (s > 0.0));
  sb_u64 odd = outward ? u + 1u : u - 1u;
  sb_u64 inexact = (sb_u64)((error > 0.0) | (error < 0.0)); /* 0 when error is NaN: s is infinite or NaN then */
  return (sb_f32)sb_f64_bits(inexact && (u & 1u) == 0u ? odd : u);
}

/* Leading zeros of a 64-bit number that is not 0. */
SB_FN sb_i32 sb_leading_zeros_u64(sb_u64 x) {
  sb_i32 n = 0;
  for (sb_i32 w = 32; w > 0; w >>= 1) {
    sb_i32 empty = (x >> (64 - w)) == 0u;
    x = empty ? x << w : x;
    n += empty ? w : 0;
  }
  return n;
}

/* (hi, lo) >> n with every bit shifted out collected in the last one. */
SB_FN void sb_shift_sticky_u128(sb_u64* hi, sb_u64* lo, sb_i32 n) {
  sb_u64 h = *hi, l = *lo;
  if (n >= 128) {
    *hi = 0u;
    *lo = (h | l) != 0u;
  } else if (n >= 64) {
    sb_u64 lost = l | (n > 64 ? h << (128 - n) : 0u);
    *hi = 0u;
    *lo = (n > 64 ? h >> (n - 64) : h) | (sb_u64)(lost != 0u);
  } else if (n > 0) {
    sb_u64 lost = l << (64 - n);
    *hi = h >> n;
    *lo = (l >> n) | (h << (64 - n)) | (sb_u64)(lost != 0u);
  }
}

/* The value sign * (hi, lo) * 2^e rounded once to f64; (hi, lo) is not 0. */
SB_FN sb_f64 sb_round_u128_f64(sb_u64 sign, sb_u64 hi, sb_u64 lo, sb_i32 e) {
  if (hi == 0u) {
    hi = lo;
    lo = 0u;
    e -= 64;
  }
  sb_i32 z = sb_leading_zeros_u64(hi);
  if (z > 0) {
    hi = (hi << z) | (lo >> (64 - z));
    lo = lo << z;
    e -= z;
  }
  /* Now the top bit of hi is set and the value is hi.lo * 2^(e + 64), hi in [2^63, 2^64): exponent of the top bit: */
  sb_i32 top = e + 127;
  if (top > 1023) return sb_f64_bits(sign | 0x7ff0000000000000u);
  sb_i32 drop = 11 + (top < -1022 ? -1022 - top : 0); /* bits of hi below the last place of the result */
  sb_u64 sticky = lo != 0u;
  if (drop > 64) return sb_f64_bits(sign); /* below half of the smallest subnormal */
  sb_u64 kept = drop == 64 ? 0u : hi >> drop;
  sb_u64 round_bit = (hi >> (drop - 1)) & 1u;
  sb_u64 below = (hi & (((sb_u64)1 << (drop - 1)) - 1u)) | sticky;
  kept += round_bit & (sb_u64)((below != 0u) | (kept & 1u));
  /* A carry out of the significand walks into the exponent field by itself, up to infinity. */
  sb_u64 biased = top < -1022 ? 0u : (sb_u64)(top + 1022);
  return sb_f64_bits(sign | ((biased << 52) + kept));
}

/* Significand in [2^52, 2^53) and exponent of a finite nonzero number: |x| = m * 2^e. */
SB_FN sb_u64 sb_significand_f64(sb_f64 x, sb_i32* e) {
  sb_u64 u = sb_bits_f64(x) & 0x7fffffffffffffffu;
  sb_u64 f = u & 0x000fffffffffffffu;
  sb_i32 biased = (sb_i32)(u >> 52);
  if (biased == 0) {
    sb_i32 z = sb_leading_zeros_u64(f) - 11;
    *e = -1074 - z;
    return f << z;
  }
  *e = biased - 1075;
  return f | 0x0010000000000000u;
}

SB_FN sb_f64 sb_fma_software_f64(sb_f64 a, sb_f64 b, sb_f64 c) {
  sb_u64 ua = sb_bits_f64(a), ub = sb_bits_f64(b), uc = sb_bits_f64(c);
  sb_u64 most = 0x7fffffffffffffffu, inf = 0x7ff0000000000000u;
  if ((ua & most) >= inf || (ub & most) >= inf || (ua & most) == 0u || (ub & most) == 0u) return a * b + c;
  if ((uc & most) >= inf) return c + c;
  if ((uc & most) == 0u) return a * b;
  sb_i32 ea, eb, ec;
  sb_u64 ma = sb_significand_f64(a, &ea), mb = sb_significand_f64(b, &eb), mc = sb_significand_f64(c, &ec);
  sb_u64 sign_p = (ua ^ ub) & 0x8000000000000000u, sign_c = uc & 0x8000000000000000u;
  /* Product in (ph, pl), 2^104 <= product < 2^106, shifted up by 20: below 2^126. */
  sb_u64 a1 = ma >> 32, a0 = ma & 0xffffffffu, b1 = mb >> 32, b0 = mb & 0xffffffffu;
  sb_u64 middle = a1 * b0 + ((a0 * b0) >> 32);
  sb_u64 middle2 = a0 * b1 + (middle & 0xffffffffu);
  sb_u64 ph = a1 * b1 + (middle >> 32) + (middle2 >> 32), pl = (middle2 << 32) | ((a0 * b0) & 0xffffffffu);
  ph = (ph << 20) | (pl >> 44);
  pl = pl << 20;
  sb_i32 ep = ea + eb - 20;
  /* c in (ch, 0): significand at 2^124..2^125, like the product within a few places. */
  sb_u64 ch = mc << 8, cl = 0u;
  sb_i32 e_c = ec - 72;
  /* Align to the larger exponent. Both tops are within two places of 2^124, so that a shift by d drops bits only where
     cancellation cannot bring them back: with d >= 2 at most two leading bits cancel. */
  sb_i32 e;
  if (ep >= e_c) {
    sb_shift_sticky_u128(&ch, &cl, ep - e_c);
    e = ep;
  } else {
    sb_shift_sticky_u128(&ph, &pl, e_c - ep);
    e = e_c;
  }
  if (sign_p == sign_c) {
    sb_u64 lo = pl + cl;
    return sb_round_u128_f64(sign_p, ph + ch + (sb_u64)(lo < pl), lo, e);
  }
  if (ph == ch && pl == cl) return 0.0;
  if (ph > ch || (ph == ch && pl > cl)) {
    return sb_round_u128_f64(sign_p, ph - ch - (sb_u64)(pl < cl), pl - cl, e);
  }
  return sb_round_u128_f64(sign_c, ch - ph - (sb_u64)(cl < pl), cl - pl, e);
}

#if SB_HARDWARE_FMA
SB_FN sb_f32 sb_fma_f32(sb_f32 a, sb_f32 b, sb_f32 c) { return sb_hardware_fma_f32(a, b, c); }
SB_FN sb_f64 sb_fma_f64(sb_f64 a, sb_f64 b, sb_f64 c) { return sb_hardware_fma_f64(a, b, c); }
#else
SB_FN sb_f32 sb_fma_f32(sb_f32 a, sb_f32 b, sb_f32 c) { return sb_fma_software_f32(a, b, c); }
SB_FN sb_f64 sb_fma_f64(sb_f64 a, sb_f64 b, sb_f64 c) { return sb_fma_software_f64(a, b, c); }
#endif

#endif
