/* reduce_sum/1: the sum of n floating-point numbers (C4).

   shapes      x[n], out: one host value; n >= 0
   meaning     out = sum of x[i], or of x[i] * y[i] (the product rounded first) when y is given
   order       a function of n alone (numerics/reduce/reduce.h): tiles of 4096; in a tile lane l of 64 starts at +0 and
               adds elements l, l + 64, ... in ascending order; lanes fold by halving, lane l += lane l + w for l < w,
               w = 32 .. 1; the tiles' sums are summed by the same rule until one is left
   rounding    f64, every operation to nearest even
   special     NaN in, canonical NaN out; n = 0 gives +0
   tuning      threads, blocks and SIMD width never change the order */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_REDUCE_SUM_H
#define SAMEBITS_PRIMITIVES_CONTRACT_REDUCE_SUM_H
#include "primitives/contract/types.h"

typedef struct sb_reduce_sum_args {
  const double* x;
  const double* y; /* NULL: plain sum */
  uint64_t n;
  double* out; /* host */
} sb_reduce_sum_args;
#endif
