/* histogram_build/1: per node, feature and bin the exact sums of gradient, hessian and rows (C6).

   shapes      bins: n rows; gh int32[n, 2]; rows: node j owns rows[begin[j] .. end[j]) (rows == NULL: row i is i);
               result in slot[j] of the pool
   meaning     for every active feature f and cell b: gradient = sum of gh[r][0], hessian = sum of gh[r][1],
               count = number of r, over the node's rows r whose code of f is b. Cells of inactive features are 0.
   rounding    none: integers; bound: |gradient| <= 2^30, 0 <= hessian <= 2^30 (backends may pack on that), fewer than
               2^31 rows, so int64 cannot overflow
   order       any
   empty       a node without rows gives zeros
   tuning      blocks, atomics, private copies, packing */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_HISTOGRAM_BUILD_H
#define SAMEBITS_PRIMITIVES_CONTRACT_HISTOGRAM_BUILD_H
#include "primitives/contract/types.h"

typedef struct sb_histogram_build_args {
  sb_bins bins;
  const int32_t* gh;
  const uint32_t* rows;
  sb_histogram_layout layout;
  sb_histogram_pool pool;
  const uint32_t* feature;  /* host: active features, ascending */
  uint32_t n_active;
  uint32_t n_nodes;
  const uint64_t* begin; /* host [n_nodes] */
  const uint64_t* end;   /* host [n_nodes] */
  const uint32_t* slot;  /* host [n_nodes] */
} sb_histogram_build_args;
#endif
