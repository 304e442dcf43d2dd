/* partition_rows/1: split the row lists of nodes in place, stably.

   meaning     node j owns rows[begin[j] .. end[j]). A row goes left when its code c of feature[j] is
               c == missing cell ? default_left[j] : c <= bin[j]. Afterwards the left rows stand first, both sides in
               their old order. n_left[j] is known from the histograms and given; it must be the true number
               (the reference backend refuses another one, others need not look). Other places of rows stay as they are.
   scratch     uint32[n] of device memory
   tuning      any */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_PARTITION_ROWS_H
#define SAMEBITS_PRIMITIVES_CONTRACT_PARTITION_ROWS_H
#include "primitives/contract/types.h"

typedef struct sb_partition_rows_args {
  sb_bins bins;
  sb_histogram_layout layout;
  uint32_t* rows;
  uint32_t* scratch;
  uint32_t n_nodes;
  const uint64_t* begin;        /* host */
  const uint64_t* end;          /* host */
  const uint64_t* n_left;       /* host */
  const uint32_t* feature;      /* host */
  const uint32_t* bin;          /* host */
  const uint32_t* default_left; /* host */
} sb_partition_rows_args;
#endif
