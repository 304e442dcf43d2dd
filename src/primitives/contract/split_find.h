/* split_find/1: the best split of each node, or one split for all of them (symmetric trees).

   input       histograms (slot[j]), node sums, active features, SB_SPLIT parameters
   candidates  of feature f with m value cells and the missing cell m: for bin b = 0 .. m-1 and missing direction
               d = 0 (missing goes right), then 1 (missing goes left): left = cells 0..b (+ missing when d = 1),
               right = the rest. When the node's missing count of f is 0, d = 1 is no candidate.
               Valid: both sides have count >= min_samples_leaf and sb_normalised_sum(hessian) >=
               min_child_weight (sb_side_valid).
   gain        sb_split_gain(left, right, node, parameters): f32, in the normalised units of numerics/ops/split.h
   best        the largest gain; equal gains: lower feature, then lower bin, then d = 0 (C7). Only gain > 0 counts; a
               NaN gain (infinity - infinity, when h + l2 is tiny) does not.
   shared != 0 one candidate (f, b, d) for all nodes: its gain is the sum of sb_split_gain over the nodes for which it is
               valid, f32, added in ascending j starting at +0 (C4: the order is that of the nodes); d = 1 is a
               candidate when any node has missing values of f; a candidate valid for no node does not count. For
               nodes where it is not valid the split is still applied (a side may be empty).
   out         host best[j] (shared: best[j] for every j has the same gain, feature, bin, and the node's own left
               sums); feature = -1, all else 0, when no candidate has gain > 0. default_left: d, but when the node
               (shared: all nodes) has no missing value of f it is 1 exactly when left count >= right count (shared:
               of the summed counts).
   tuning      any */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_SPLIT_FIND_H
#define SAMEBITS_PRIMITIVES_CONTRACT_SPLIT_FIND_H
#include "primitives/contract/types.h"

typedef struct sb_split_parameters {
  int32_t exponent_h;      /* of gradients/1 */
  float l2;                /* in normalised hessian units: sb_normalised_hessian() */
  float min_child_weight;  /* in normalised hessian units */
  uint32_t min_samples_leaf; /* >= 1 */
} sb_split_parameters;

typedef struct sb_split {
  float gain; /* normalised units */
  int32_t feature;
  uint32_t bin;
  uint32_t default_left;
  sb_node_sums left;
} sb_split;

typedef struct sb_split_find_args {
  sb_histogram_layout layout;
  sb_histogram_pool pool;
  const uint32_t* feature; /* host: active features, ascending */
  uint32_t n_active;
  uint32_t n_nodes;
  const uint32_t* slot;     /* host [n_nodes] */
  const sb_node_sums* sums; /* host [n_nodes] */
  sb_split_parameters parameters;
  int32_t shared;
  sb_split* best; /* host [n_nodes] */
} sb_split_find_args;
#endif
