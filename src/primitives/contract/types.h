/* Types shared by the contracts of the primitives. Pointers are device pointers unless the comment says host. A pointer is
   aligned to its elements and need not be more; a row of gh (gradient, hessian) is one element of 8 bytes. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_TYPES_H
#define SAMEBITS_PRIMITIVES_CONTRACT_TYPES_H

#include <stdint.h>

enum { SB_DTYPE_F32 = 0, SB_DTYPE_F64 = 1 };

/* A matrix of features with strides in elements. */
typedef struct sb_matrix {
  const void* data;
  int32_t dtype; /* SB_DTYPE_F32 or SB_DTYPE_F64 */
  uint64_t n_rows;
  uint32_t n_features;
  int64_t row_stride;
  int64_t column_stride;
} sb_matrix;

/* Binned data in panels of `width` features (8, 16 or 32): the code of (row, feature) is
   data[((feature / width) * n_rows + row) * width + feature % width]; padding bytes are 0.
   Width: 8 if n_features <= 8, 16 if <= 16, else 32. One row of a panel is one 32-byte sector at most.
   columns, when not NULL, holds the same codes once more by feature: columns[feature * n_rows + row]; whoever writes
   data writes columns too. It serves readers of one feature of many rows. */
typedef struct sb_bins {
  uint8_t* data;
  uint64_t n_rows;
  uint32_t n_features;
  uint32_t width;
  uint8_t* columns;
} sb_bins;

static inline uint32_t sb_bins_width(uint32_t n_features) {
  return n_features <= 8 ? 8u : n_features <= 16 ? 16u : 32u;
}
static inline uint64_t sb_bins_bytes(uint64_t n_rows, uint32_t n_features) {
  uint32_t width = sb_bins_width(n_features);
  return (uint64_t)((n_features + width - 1) / width) * width * n_rows;
}

/* Feature f owns the histogram cells [offset[f], offset[f + 1]); the last of them counts its missing values, so
   code c of feature f is cell offset[f] + c, c = 0 .. offset[f+1] - offset[f] - 1 <= 255. */
typedef struct sb_histogram_layout {
  const uint32_t* offset; /* device, n_features + 1 */
  const uint32_t* offset_host; /* host copy */
  uint32_t n_features;
  uint32_t n_cells; /* offset[n_features] */
} sb_histogram_layout;

/* A pool of histograms: slot s holds cells [s * n_cells, (s + 1) * n_cells) of each array. */
typedef struct sb_histogram_pool {
  int64_t* gradient;
  int64_t* hessian;
  uint32_t* count;
} sb_histogram_pool;

/* Exact sums over the rows of one node. */
typedef struct sb_node_sums {
  int64_t gradient;
  int64_t hessian;
  uint32_t count;
  uint32_t padding;
} sb_node_sums;

#endif
