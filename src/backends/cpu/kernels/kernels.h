/* Kernels of the cpu backend: loops over a range of rows or cells, no threads. One table per instruction set. */
#ifndef SAMEBITS_BACKENDS_CPU_KERNELS_KERNELS_H
#define SAMEBITS_BACKENDS_CPU_KERNELS_KERNELS_H

#include "numerics/dialect/dialect.h"
#include "primitives/contract/table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SB_GROUP 8           /* features of one histogram group: 8 codes are one 64-bit load */
#define SB_GROUP_CELLS 256   /* cells of one feature in a local histogram */
#define SB_COUNT_SHIFT 47    /* local cell: (gradient, hessian + rows << 47); see histogram.h */
#define SB_LOCAL_ROWS 65535  /* at most so many rows between two flushes: their count fits 16 bits */

typedef struct sb_cpu_kernels {
  const char* isa;

  /* histogram.h */
  void (*gather_gh)(const sb_u32* rows, sb_u64 n, const sb_i32* gh, sb_i32* out);
  void (*gather_codes)(const sb_u32* rows, sb_u64 n, const sb_u8* panel, sb_u64 width, sb_u8* out);
  void (*histogram_group)(const sb_u8* codes, sb_u64 stride, sb_u64 n, const sb_i32* gh, sb_u32 n_features,
                          sb_i64* local);
  void (*histogram_flush)(sb_i64* local, const sb_u32* cell_begin, const sb_u32* cell_count, sb_u32 n_features,
                          sb_histogram_pool out);
  void (*histogram_direct)(const sb_u8* codes, sb_u64 stride, sb_u64 n, const sb_i32* gh, const sb_u32* cell_begin,
                           sb_u32 n_features, sb_histogram_pool out);
  void (*histogram_subtract)(const sb_histogram_pool* parent, const sb_histogram_pool* child,
                             const sb_histogram_pool* out, sb_u64 n);
  void (*histogram_add)(const sb_histogram_pool* part, const sb_histogram_pool* out, sb_u64 n);

  /* split.h */
  void (*split_feature)(const sb_i64* gradient, const sb_i64* hessian, const sb_u32* count, sb_u32 n_value_cells,
                        const sb_node_sums* sums, sb_f32 parent_score, const sb_split_parameters* p, sb_f32* gain_right,
                        sb_f32* gain_left, sb_u8* valid_right, sb_u8* valid_left);

  /* rows.h */
  sb_u64 (*partition)(const sb_u8* codes, sb_u64 stride, const sb_u32* rows, sb_u64 n, sb_u32 bin, sb_u32 missing,
                      sb_u32 default_left, sb_u32* left, sb_u32* right);
  sb_u64 (*sample_rows)(sb_u64 seed, sb_u32 purpose, sb_u32 draw, sb_u64 threshold, sb_u64 begin, sb_u64 end,
                        sb_u32* out);
  void (*add_leaf_value)(sb_f32* score, const sb_u32* rows, sb_u64 n, sb_f32 value);
  void (*add_tree_binned)(const sb_bins* bins, const sb_u32* offset, const sb_binned_node* node, sb_u32 n_nodes,
                          sb_u64 begin, sb_u64 end, sb_f32* score);

  /* loss.h: (max |g| bits, max h bits) and (max loss bits) of a range */
  void (*gradients)(sb_i32 loss, const sb_f32* score, const sb_f32* target, const sb_f32* weight, sb_u64 n, sb_f32* gh,
                    sb_u32* max_g, sb_u32* max_h);
  void (*quantise_gradients)(sb_i32* gh, sb_u64 n, sb_i32 exponent_g, sb_i32 exponent_h);
  sb_u32 (*loss_max)(sb_i32 loss, const sb_f32* score, const sb_f32* target, const sb_f32* weight, sb_u64 n);
  sb_i64 (*loss_sum)(sb_i32 loss, const sb_f32* score, const sb_f32* target, const sb_f32* weight, sb_u64 n,
                     sb_i32 exponent);

  /* center.h */
  sb_f64 (*center_max)(const sb_f64* x, sb_u64 n, sb_f64 offset);
  void (*center)(const sb_f64* x, sb_u64 n, sb_f64 offset, sb_i32 exponent, sb_f32* out);

  /* binning.h: codes of one feature for rows [begin, end); returns the number of infinite values */
  sb_u64 (*assign_f32)(const sb_f32* column, sb_i64 row_stride, sb_u64 n, const sb_f32* edges, sb_u32 n_edges,
                       sb_u8* codes, sb_u64 stride, sb_u8* in_column);
  sb_u64 (*assign_f64)(const sb_f64* column, sb_i64 row_stride, sb_u64 n, const sb_f64* edges, sb_u32 n_edges,
                       sb_u8* codes, sb_u64 stride, sb_u8* in_column);

  /* predict.h */
  void (*predict_f32)(const struct sb_flat_tree_f32* tree, const sb_f32* x, sb_i64 row_stride, sb_i64 column_stride,
                      sb_u64 n, sb_f32* score, sb_i32* leaf, sb_u64 leaf_stride);
  void (*predict_f64)(const struct sb_flat_tree_f64* tree, const sb_f64* x, sb_i64 row_stride, sb_i64 column_stride,
                      sb_u64 n, sb_f32* score, sb_i32* leaf, sb_u64 leaf_stride);

  /* reduce.h, map.h */
  void (*reduce_tiles)(const sb_f64* x, const sb_f64* y, sb_u64 n, sb_f64* partials);
  void (*map)(sb_i32 function, sb_i32 dtype, const void* x, void* y, sb_u64 n);

  /* gemm.h: a tile of C has gemm_rows x gemm_columns_* elements */
  sb_u32 gemm_rows;
  sb_u32 gemm_columns_f32;
  sb_u32 gemm_columns_f64;
  void (*gemm_pack_f32)(const sb_f32* x, sb_i64 line_stride, sb_i64 k_stride, sb_u64 lines, sb_u64 k, sb_u32 width,
                        sb_f32* out);
  void (*gemm_pack_f64)(const sb_f64* x, sb_i64 line_stride, sb_i64 k_stride, sb_u64 lines, sb_u64 k, sb_u32 width,
                        sb_f64* out);
  void (*gemm_strip_f32)(const sb_f32* a, sb_u64 m, const sb_f32* b, sb_u64 n, sb_u64 k, void* scratch, sb_f32* c,
                         sb_i64 row_stride, sb_i64 column_stride);
  void (*gemm_strip_f64)(const sb_f64* a, sb_u64 m, const sb_f64* b, sb_u64 n, sb_u64 k, void* scratch, sb_f64* c,
                         sb_i64 row_stride, sb_i64 column_stride);
} sb_cpu_kernels;

/* A tree laid out for walking. A row goes to `left` when x <= threshold or x is NaN and default_left, else to left + 1. A
   leaf sends every row to itself (threshold +infinity, default_left 1, left itself), so all rows take `depth` steps. */
typedef struct sb_flat_node_f32 {
  sb_f32 threshold; /* the largest f32 that goes left */
  sb_i32 feature;
  sb_u32 left;
  sb_u32 default_left;
} sb_flat_node_f32;

typedef struct sb_flat_node_f64 {
  sb_f64 threshold;
  sb_i32 feature;
  sb_u32 left;
  sb_u32 default_left;
  sb_u32 padding;
} sb_flat_node_f64;

typedef struct sb_flat_tree_f32 {
  const sb_flat_node_f32* node;
  const sb_f32* value;
  sb_u32 depth;
} sb_flat_tree_f32;

typedef struct sb_flat_tree_f64 {
  const sb_flat_node_f64* node;
  const sb_f32* value;
  sb_u32 depth;
} sb_flat_tree_f64;

const sb_cpu_kernels* sb_cpu_kernels_baseline(void);
const sb_cpu_kernels* sb_cpu_kernels_avx2(void);
const sb_cpu_kernels* sb_cpu_kernels_avx512(void);

#ifdef __cplusplus
}
#endif

#endif
