/* Walking a tree for a block of rows: 16 rows side by side hide the latency of the dependent loads. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/ops/tree.h"

#define SB_WALK_ROWS 16

#define SB_DEFINE_PREDICT(NAME, TREE, NODE, TYPE)                                                                     \
  static void NAME(const TREE* tree, const TYPE* x, sb_i64 row_stride, sb_i64 column_stride, sb_u64 n, sb_f32* score, \
                   sb_i32* leaf, sb_u64 leaf_stride) {                                                                \
    const NODE* node = tree->node;                                                                                    \
    for (sb_u64 begin = 0; begin < n; begin += SB_WALK_ROWS) {                                                        \
      sb_u64 m = n - begin < SB_WALK_ROWS ? n - begin : SB_WALK_ROWS;                                                 \
      sb_u32 at[SB_WALK_ROWS] = {0};                                                                                  \
      for (sb_u32 step = 0; step < tree->depth; ++step) {                                                             \
        for (sb_u64 i = 0; i < m; ++i) {                                                                              \
          const NODE* k = node + at[i];                                                                               \
          TYPE v = x[(sb_i64)(begin + i) * row_stride + k->feature * column_stride];                                  \
          sb_u32 goes_left = (sb_u32)(v <= k->threshold) | ((sb_u32)(v != v) & k->default_left);                      \
          at[i] = k->left + 1 - goes_left;                                                                            \
        }                                                                                                             \
      }                                                                                                               \
      if (score) {                                                                                                    \
        for (sb_u64 i = 0; i < m; ++i) score[begin + i] = sb_score_add(score[begin + i], tree->value[at[i]]);         \
      }                                                                                                               \
      if (leaf) {                                                                                                     \
        for (sb_u64 i = 0; i < m; ++i) leaf[(begin + i) * leaf_stride] = (sb_i32)at[i];                               \
      }                                                                                                               \
    }                                                                                                                 \
  }

SB_DEFINE_PREDICT(predict_f32, sb_flat_tree_f32, sb_flat_node_f32, sb_f32)
SB_DEFINE_PREDICT(predict_f64, sb_flat_tree_f64, sb_flat_node_f64, sb_f64)
