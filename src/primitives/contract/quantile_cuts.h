/* quantile_cuts/1: where to cut each feature into bins.

   shapes      x: matrix[n, F]; sample_rows[m] or NULL (then m = n, all rows); out: host arrays
   meaning     per feature: take the sampled values, drop NaN, turn -0 into +0, sort by the total order of
               numerics/order (C7). Let s[0..k) be the sorted values and d their distinct count.
               d <= max_bins: every place between two neighbouring distinct values is a cut.
               otherwise: for j = 1 .. max_bins - 1 let r = floor(j * k / max_bins) (exact integers) and p the first
               index with s[p] == s[r]; p > 0 is a cut between s[p-1] and s[p]; equal p are taken once.
   out         n_cuts[f] <= max_bins - 1; lower[f * (max_bins-1) + c], upper[...]: the values either side of cut c,
               ascending, as f64 (exact also for f32 input), what stands behind the last cut is not specified;
               infinite[f]: how many sampled values are infinite
   errors      max_bins outside 2..255, a sample row >= n: SB_ERROR_INVALID
   tuning      how the sort is done */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_QUANTILE_CUTS_H
#define SAMEBITS_PRIMITIVES_CONTRACT_QUANTILE_CUTS_H
#include "primitives/contract/types.h"

typedef struct sb_quantile_cuts_args {
  sb_matrix x;
  const uint32_t* sample_rows; /* host, ascending */
  uint64_t n_sample;
  uint32_t max_bins;
  uint32_t* n_cuts;  /* host [F] */
  double* lower;     /* host [F, max_bins - 1] */
  double* upper;     /* host [F, max_bins - 1] */
  uint64_t* infinite; /* host [F] */
} sb_quantile_cuts_args;
#endif
