/* histogram_subtract/1: the sibling's histogram, exact: pool[out] = pool[parent] - pool[child], cell by cell.
   out may equal parent (not child). Integers; any order. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_HISTOGRAM_SUBTRACT_H
#define SAMEBITS_PRIMITIVES_CONTRACT_HISTOGRAM_SUBTRACT_H
#include "primitives/contract/types.h"

typedef struct sb_histogram_subtract_args {
  sb_histogram_pool pool;
  uint32_t n_cells;
  uint32_t n_pairs;
  const uint32_t* parent; /* host [n_pairs] */
  const uint32_t* child;  /* host [n_pairs] */
  const uint32_t* out;    /* host [n_pairs] */
} sb_histogram_subtract_args;
#endif
