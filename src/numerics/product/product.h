/* The shape of a dot product (C5), a function of its length k alone.

   Chain. k is cut into chains of 256 consecutive terms, the last may be shorter. A chain is s = fma(a, b, s) in ascending
   order from s = +0. 256 is about what one block of packed operands holds in the first-level cache (256 terms of 32
   f32 columns are 32 KB), so that a blocked kernel runs a whole chain in registers; and it is long enough that
   putting the chains together costs about a hundredth of them.
   Tree. The sums of the chains are put together like the digits of a binary counter: chain p is added to the subtree to
   its left as often as p ends in a binary 1, older subtree first. What waits at the end is added from the youngest
   to the oldest. n chains are thereby split at the largest power of two below n, on both sides alike:
     2: 0+1   3: (0+1)+2   4: (0+1)+(2+3)   7: ((0+1)+(2+3))+((4+5)+6)
   At most floor(log2 n) subtrees wait while a further chain runs.

   Neither chains nor the tree may be padded with zeros: fma(0, 0, -0) = +0, and 0 times infinity is NaN.
   Error: at most 256 + log2(k / 256) roundings on the way of any term, where one chain would have k of them. */
#ifndef SAMEBITS_NUMERICS_PRODUCT_PRODUCT_H
#define SAMEBITS_NUMERICS_PRODUCT_PRODUCT_H

#include "numerics/arith/arith.h"

#define SB_CHAIN 256u
#define SB_PRODUCT_LEVELS 56 /* enough for any 64-bit k */

SB_FN sb_u64 sb_product_chains(sb_u64 k) { return k / SB_CHAIN + (sb_u64)(k % SB_CHAIN != 0u); }

/* Waiting subtrees that chain number p, from 0, is added to before it waits itself. */
SB_FN sb_u32 sb_product_merges(sb_u64 p) {
#if defined(SAMEBITS_BREAK_CHAIN_ORDER)
  return p > 0u; /* from the first chain to the last */
#else
  sb_u32 merges = 0;
  for (; (p & 1u) != 0u; p >>= 1) ++merges;
  return merges;
#endif
}

/* Most subtrees that wait at a time, for n chains. */
SB_FN sb_u32 sb_product_levels(sb_u64 n) {
  sb_u32 levels = 0;
  for (; n > 1u; n >>= 1) ++levels;
  return levels;
}

/* One term of a chain. */
#if defined(SAMEBITS_BREAK_UNFUSED_PRODUCT)
SB_FN sb_f32 sb_product_step_f32(sb_f32 a, sb_f32 b, sb_f32 s) { return a * b + s; }
SB_FN sb_f64 sb_product_step_f64(sb_f64 a, sb_f64 b, sb_f64 s) { return a * b + s; }
#else
SB_FN sb_f32 sb_product_step_f32(sb_f32 a, sb_f32 b, sb_f32 s) { return sb_fma_f32(a, b, s); }
SB_FN sb_f64 sb_product_step_f64(sb_f64 a, sb_f64 b, sb_f64 s) { return sb_fma_f64(a, b, s); }
#endif

/* The whole dot product, NaN canonical; strides in elements. */
#define SB_DEFINE_PRODUCT(TYPE, ZERO)                                                                         \
  SB_FN sb_##TYPE sb_product_##TYPE(const sb_##TYPE* a, sb_i64 a_stride, const sb_##TYPE* b, sb_i64 b_stride, \
                                    sb_u64 k) {                                                               \
    sb_##TYPE waiting[SB_PRODUCT_LEVELS], sum = ZERO;                                                         \
    sb_u32 height = 0;                                                                                        \
    for (sb_u64 begin = 0; begin < k; begin += SB_CHAIN) {                                                    \
      sb_u64 end = k - begin < SB_CHAIN ? k : begin + SB_CHAIN;                                               \
      if (begin > 0u) waiting[height++] = sum;                                                                \
      sum = ZERO;                                                                                             \
      for (sb_u64 t = begin; t < end; ++t) {                                                                  \
        sum = sb_product_step_##TYPE(a[(sb_i64)t * a_stride], b[(sb_i64)t * b_stride], sum);                  \
      }                                                                                                       \
      for (sb_u32 i = sb_product_merges(begin / SB_CHAIN); i > 0u; --i) sum = waiting[--height] + sum;        \
    }                                                                                                         \
    while (height > 0u) sum = waiting[--height] + sum;                                                        \
    return sb_canonical_nan_##TYPE(sum);                                                                      \
  }

SB_DEFINE_PRODUCT(f32, 0.0f)
SB_DEFINE_PRODUCT(f64, 0.0)

#endif
