/* Split gain and leaf value of second-order boosting, from exact integer sums.

   Units. A row's gradient is an integer G with real value G * 2^-eg, likewise H with eh (fixed_point.h); 2^30 stands for
   about the largest magnitude. Gains are compared in normalised units in which that magnitude is 1:
   g = G * 2^-30, h = H * 2^-30, l2' = l2 * 2^(eh - 30). Then
       g^2 / (h + l2') = (real g)^2 / (real h + l2) * 2^(2 eg - eh - 30),
   a power of two apart from the real gain, the same for all candidates of a tree, so the order is that of the real
   gains and nothing overflows: |g| < 2^31, h < 2^31, g^2 < 2^62.

   Gain of a split (Chen and Guestrin 2016, eq. 7 without the factor 1/2 and gamma):
       gl^2 / (hl + l2') + gr^2 / (hr + l2') - gp^2 / (hp + l2').
   Leaf value: -g / (h + l2), times the learning rate. */
#ifndef SAMEBITS_NUMERICS_OPS_SPLIT_H
#define SAMEBITS_NUMERICS_OPS_SPLIT_H

#include "numerics/arith/arith.h"
#include "numerics/dialect/dialect.h"

/* (f32) of an exact sum, rounded once, then an exact scaling (|sum| < 2^61). */
SB_FN sb_f32 sb_normalised_sum(sb_i64 sum) { return (sb_f32)sum * 9.31322574615478515625e-10f; /* 2^-30 */ }

/* l2 or min_child_weight in normalised units; eh from gradients/1. */
SB_FN sb_f32 sb_normalised_hessian(sb_f32 real, sb_i32 exponent_h) { return sb_scale2_f32(real, exponent_h - 30); }

/* Score of one side; a side whose h + l2' is not positive scores 0 (all its weights are 0). */
SB_FN sb_f32 sb_side_score(sb_f32 g, sb_f32 h, sb_f32 l2) {
  sb_f32 d = h + l2;
  sb_f32 safe = d > 0.0f ? d : 1.0f;
#if defined(SAMEBITS_BREAK_RECIPROCAL)
  sb_f32 s = g * g * (1.0f / safe); /* rounded twice */
#else
  sb_f32 s = g * g / safe;
#endif
  return d > 0.0f ? s : 0.0f;
}

SB_FN sb_f32 sb_split_gain(sb_i64 gl, sb_i64 hl, sb_i64 gr, sb_i64 hr, sb_f32 parent_score, sb_f32 l2) {
  sb_f32 left = sb_side_score(sb_normalised_sum(gl), sb_normalised_sum(hl), l2);
  sb_f32 right = sb_side_score(sb_normalised_sum(gr), sb_normalised_sum(hr), l2);
  return (left + right) - parent_score;
}

SB_FN sb_f32 sb_parent_score(sb_i64 g, sb_i64 h, sb_f32 l2) {
  return sb_side_score(sb_normalised_sum(g), sb_normalised_sum(h), l2);
}

/* Does a side satisfy min_samples_leaf and min_child_weight (normalised)? */
SB_FN sb_i32 sb_side_valid(sb_i64 h, sb_u32 count, sb_u32 min_samples_leaf, sb_f32 min_child_weight) {
  return (sb_i32)(count >= min_samples_leaf) & (sb_i32)(sb_normalised_sum(h) >= min_child_weight);
}

/* Is candidate gain a better than the best b so far (candidates are met in ascending feature, bin, direction)? */
SB_FN sb_i32 sb_gain_better(sb_f32 a, sb_f32 b) {
#if defined(SAMEBITS_BREAK_TIES)
  return a >= b;
#else
  return a > b;
#endif
}

/* Leaf value in real units of the raw score, f32. */
SB_FN sb_f32 sb_leaf_value(sb_i64 g, sb_i64 h, sb_i32 exponent_g, sb_i32 exponent_h, sb_f32 l2, sb_f32 rate) {
  sb_f32 d = sb_normalised_sum(h) + l2;
  sb_f32 safe = d > 0.0f ? d : 1.0f;
  sb_f32 v = -(sb_normalised_sum(g) / safe) * rate;
  sb_f32 real = sb_scale2_f32(v, exponent_h - exponent_g);
  return d > 0.0f ? real : 0.0f;
}

#endif
