/* add_tree_binned/1: score[i] = score[i] + value of the leaf that row i of the bins reaches (one f32 addition).
   A NaN sum is canonical (C2).
   Nodes: at an inner node (feature >= 0) a row goes to `left` when its code is (missing ? default_left : code <= bin),
   else to left + 1. Node 0 is the root. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_ADD_TREE_BINNED_H
#define SAMEBITS_PRIMITIVES_CONTRACT_ADD_TREE_BINNED_H
#include "primitives/contract/types.h"

typedef struct sb_binned_node {
  int32_t feature; /* -1: leaf */
  uint32_t bin;
  uint32_t default_left;
  uint32_t left;
  float value; /* of a leaf */
} sb_binned_node;

typedef struct sb_add_tree_binned_args {
  sb_bins bins;
  sb_histogram_layout layout;
  float* score;
  const sb_binned_node* node; /* host */
  uint32_t n_nodes;
} sb_add_tree_binned_args;
#endif
