/* bin_assign/1: replace every value by the code of its bin.

   shapes      x: matrix[n, F]; edges of feature f: edges[edge_offset[f] .. edge_offset[f+1]), ascending, at most 254
   meaning     NaN: code = number of edges + 1 (the missing cell); else code = number of edges e with x > e, compared
               exactly (f32 values against f64 edges)
   out         bins.data fully written, padding 0; *n_infinite (host) = number of infinite values seen
   tuning      any */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_BIN_ASSIGN_H
#define SAMEBITS_PRIMITIVES_CONTRACT_BIN_ASSIGN_H
#include "primitives/contract/types.h"

typedef struct sb_bin_assign_args {
  sb_matrix x;
  const double* edges;         /* host */
  const uint32_t* edge_offset; /* host [F + 1] */
  sb_bins bins;
  uint64_t* n_infinite; /* host */
} sb_bin_assign_args;
#endif
