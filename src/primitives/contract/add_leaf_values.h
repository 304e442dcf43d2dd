/* add_leaf_values/1: score[r] = score[r] + value[j] (one f32 addition) for the rows of each leaf j.
   Leaves own disjoint row segments, so the order is irrelevant. A NaN sum is canonical (C2). */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_ADD_LEAF_VALUES_H
#define SAMEBITS_PRIMITIVES_CONTRACT_ADD_LEAF_VALUES_H
#include "primitives/contract/types.h"

typedef struct sb_add_leaf_values_args {
  float* score;
  const uint32_t* rows;
  uint32_t n_leaves;
  const uint64_t* begin; /* host */
  const uint64_t* end;   /* host */
  const float* value;    /* host */
} sb_add_leaf_values_args;
#endif
