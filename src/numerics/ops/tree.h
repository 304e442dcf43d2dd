/* Decisions of a tree, one text for training, binned and raw prediction. */
#ifndef SAMEBITS_NUMERICS_OPS_TREE_H
#define SAMEBITS_NUMERICS_OPS_TREE_H

#include "numerics/arith/arith.h"
#include "numerics/dialect/dialect.h"

/* 1 when a row with this code goes left. */
SB_FN sb_u32 sb_code_goes_left(sb_u32 code, sb_u32 bin, sb_u32 missing, sb_u32 default_left) {
  return code == missing ? default_left : (sb_u32)(code <= bin);
}

/* 1 when a value goes left; NaN is missing. */
SB_FN sb_u32 sb_value_goes_left(sb_f64 x, sb_f64 threshold, sb_u32 default_left) {
  return x != x ? default_left : (sb_u32)(x <= threshold);
}

/* A leaf's value added to a row's score: one f32 addition, NaN canonical (C2). */
SB_FN sb_f32 sb_score_add(sb_f32 score, sb_f32 value) { return sb_canonical_nan_f32(score + value); }

/* The tree that is added as number `turn` of n_trees to a row: always the same, however many rows are in the call. */
SB_FN sb_u32 sb_tree_in_turn(sb_u32 turn, sb_u32 n_trees, sb_u64 n_rows) {
#if defined(SAMEBITS_BREAK_ROW_COUNT)
  return n_rows < 16u ? n_trees - 1u - turn : turn;
#else
  (void)n_trees;
  (void)n_rows;
  return turn;
#endif
}

/* The largest f32 that is not above the f64 edge: for every f32 x, x <= edge exactly when x <= that value. */
SB_FN sb_f32 sb_floor_f32(sb_f64 edge) {
  sb_f32 near = (sb_f32)edge;
  sb_u32 bits = sb_bits_f32(near);
  /* One step towards -infinity: magnitudes shrink for positive values, grow for negative ones. */
  sb_u32 below = near == 0.0f ? 0x80000001u : (bits & 0x80000000u) ? bits + 1u : bits - 1u;
  return (sb_f64)near > edge ? sb_f32_bits(below) : near;
}

/* Edge between two distinct neighbouring values, lower <= edge < upper: their midpoint, or lower when it rounds up to
   upper. Halves first, so that nothing overflows. */
SB_FN sb_f64 sb_bin_edge(sb_f64 lower, sb_f64 upper) {
  sb_f64 middle = lower * 0.5 + upper * 0.5;
  sb_f64 inside = middle < upper ? middle : lower;
  return inside >= lower ? inside : lower;
}

#endif
