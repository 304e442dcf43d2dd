/* row_sample/1: draw a subset of the rows (C8).

   meaning     row i is kept when sb_philox_u32(seed, purpose, element = i, draw) < threshold; rows[] gets the kept
               indices in ascending order (what stands behind them is not specified), *n_kept (host) their number;
               threshold = 2^32 keeps all
   tuning      any; no draw depends on the order of work */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_ROW_SAMPLE_H
#define SAMEBITS_PRIMITIVES_CONTRACT_ROW_SAMPLE_H
#include "primitives/contract/types.h"

typedef struct sb_row_sample_args {
  uint64_t seed;
  uint32_t purpose;
  uint32_t draw;
  uint64_t threshold; /* 0 .. 2^32 */
  uint64_t n;
  uint32_t* rows; /* [n] */
  uint64_t* n_kept; /* host */
} sb_row_sample_args;
#endif
