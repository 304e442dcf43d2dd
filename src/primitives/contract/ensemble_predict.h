/* ensemble_predict/1: raw scores or leaf numbers of rows of features (C10).

   meaning     trees t = tree_begin .. tree_end-1 in ascending order: score[i] = score[i] + value(leaf of row i in t),
               one f32 addition each, starting from what score holds; a NaN sum is canonical. When leaf != NULL:
               leaf[i * (tree_end - tree_begin) + (t - tree_begin)] = node number (within the tree) of the leaf.
   decision    at an inner node: x = value of the feature; NaN: default_left; else left when x <= threshold (compared
               exactly: f32 values against the f64 threshold). Left child: left, right child: left + 1, numbered within
               the tree; tree t's nodes are node[tree_offset[t] .. tree_offset[t+1]).
   rows        independent of each other
   tuning      any */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_ENSEMBLE_PREDICT_H
#define SAMEBITS_PRIMITIVES_CONTRACT_ENSEMBLE_PREDICT_H
#include "primitives/contract/types.h"

typedef struct sb_tree_node {
  double threshold;
  float value;     /* of a leaf */
  int32_t feature; /* -1: leaf */
  uint32_t left;
  uint32_t default_left;
} sb_tree_node;

typedef struct sb_ensemble_predict_args {
  sb_matrix x;
  const sb_tree_node* node;   /* host */
  const uint64_t* tree_offset; /* host [n_trees + 1] */
  uint32_t tree_begin;
  uint32_t tree_end;
  float* score;  /* device [n], in and out; may be NULL when leaf is given */
  int32_t* leaf; /* device, or NULL */
} sb_ensemble_predict_args;
#endif
