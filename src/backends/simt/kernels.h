/* All kernels, and the list of their names by which a backend finds them in its code object.
   X(name, threads a block)
   May include: simt. */
#ifndef SAMEBITS_BACKENDS_SIMT_KERNELS_H
#define SAMEBITS_BACKENDS_SIMT_KERNELS_H

#include "backends/simt/basic.h"
#include "backends/simt/bin_assign.h"
#include "backends/simt/center.h"
#include "backends/simt/elementary_map.h"
#include "backends/simt/gemm.h"
#include "backends/simt/gradients.h"
#include "backends/simt/histogram.h"
#include "backends/simt/loss_sum.h"
#include "backends/simt/partition_rows.h"
#include "backends/simt/quantile_cuts.h"
#include "backends/simt/reduce_sum.h"
#include "backends/simt/row_sample.h"
#include "backends/simt/split_find.h"
#include "backends/simt/tree_apply.h"

#define SB_FOR_EACH_KERNEL(X)                \
  X(sb_fill, 256)                            \
  X(sb_iota, 256)                            \
  X(sb_segment_scan, 256)                    \
  X(sb_gradients_max, 256)                   \
  X(sb_gradients_fixed, 256)                 \
  X(sb_loss_max, 256)                        \
  X(sb_loss_total, 256)                      \
  X(sb_sample_count, 256)                    \
  X(sb_sample_write, 256)                    \
  X(sb_histogram_zero, 256)                  \
  X(sb_histogram_pieces, SB_HISTOGRAM_BLOCK) \
  X(sb_histogram_difference, 256)            \
  X(sb_split_features, 256)                  \
  X(sb_split_nodes, 256)                     \
  X(sb_split_gains, 256)                     \
  X(sb_split_add_gains, 256)                 \
  X(sb_split_totals, 256)                    \
  X(sb_part_decide, 256)                     \
  X(sb_part_move, 256)                       \
  X(sb_part_copy, 256)                       \
  X(sb_leaf_add, 256)                        \
  X(sb_tree_add, 256)                        \
  X(sb_ensemble_add, 256)                    \
  X(sb_assign_f32, SB_ASSIGN_BLOCK)          \
  X(sb_assign_f64, SB_ASSIGN_BLOCK)          \
  X(sb_assign_columns, 256)                  \
  X(sb_sample_keys, 256)                     \
  X(sb_radix_count, 256)                     \
  X(sb_radix_scatter, 256)                   \
  X(sb_find_cuts, 256)                       \
  X(sb_reduce_level, 256)                    \
  X(sb_center_max, 256)                      \
  X(sb_center_write, 256)                    \
  X(sb_map_f32, 256)                         \
  X(sb_map_f64, 256)                         \
  X(sb_gemm_f32, 256)                        \
  X(sb_gemm_f64, 256)

#endif
