/* add_leaf_values/1, add_tree_binned/1 and ensemble_predict/1: one thread a row (add_leaf_values: tiles of leaves' rows).
   A row's trees are added one after the other in ascending order, so rows are independent of each other (C10).
   Floors: 4 + 64 bytes a row (scattered scores); 32 bytes a panel and row; the loads of nodes, which stay in L1 and L2. */
#ifndef SAMEBITS_BACKENDS_SIMT_TREE_APPLY_H
#define SAMEBITS_BACKENDS_SIMT_TREE_APPLY_H

#include "backends/simt/block.h"
#include "numerics/ops/tree.h"
#include "primitives/contract/add_tree_binned.h"
#include "primitives/contract/ensemble_predict.h"

#define SB_LEAF_OWN 8u
#define SB_LEAF_TILE (SB_BLOCK * SB_LEAF_OWN)
#define SB_SHARED_NODES 1024u

SB_KERNEL(256)
sb_leaf_add(SB_GLOBAL sb_f32* score, const SB_GLOBAL sb_u32* rows, sb_u32 n_leaves, const SB_GLOBAL sb_u32* first_tile,
            const SB_GLOBAL sb_u64* begin, const SB_GLOBAL sb_u64* end, const SB_GLOBAL sb_f32* value) {
  const sb_u32 tile = sb_block(), j = sb_segment_of(first_tile, n_leaves, tile);
  const sb_u64 from = begin[j] + (sb_u64)(tile - first_tile[j]) * SB_LEAF_TILE + sb_thread(), to = end[j];
  const sb_f32 v = value[j];
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_LEAF_OWN; ++k) {
    if (from + k * SB_BLOCK < to) {
      sb_u32 r = rows[from + k * SB_BLOCK];
      score[r] = sb_score_add(score[r], v);
    }
  }
}

/* missing[i]: code of the missing cell of node i's feature. Nodes beyond SB_SHARED_NODES are read from global memory. */
SB_KERNEL(256)
sb_tree_add(const SB_GLOBAL sb_u8* bins, sb_u64 n_rows, sb_u32 width, const SB_GLOBAL sb_binned_node* nodes,
            const SB_GLOBAL sb_u32* missing, sb_u32 n_nodes, SB_GLOBAL sb_f32* score) {
  SB_SHARED(sb_binned_node, near_node, SB_SHARED_NODES);
  SB_SHARED(sb_u32, near_missing, SB_SHARED_NODES);
  for (sb_u32 k = sb_thread(); k < n_nodes && k < SB_SHARED_NODES; k += SB_BLOCK) {
    near_node[k] = nodes[k];
    near_missing[k] = missing[k];
  }
  SB_BARRIER();
  for (sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); i < n_rows; i += (sb_u64)sb_blocks() * SB_BLOCK) {
    sb_u32 at = 0;
    sb_binned_node node = near_node[0];
    while (node.feature >= 0) {
      sb_u32 f = (sb_u32)node.feature;
      sb_u32 code = bins[((sb_u64)(f / width) * n_rows + i) * width + f % width];
      sb_u32 none = at < SB_SHARED_NODES ? near_missing[at] : missing[at];
      at = node.left + 1u - sb_code_goes_left(code, node.bin, none, node.default_left);
      if (at < SB_SHARED_NODES) {
        node = near_node[at];
      } else {
        node = nodes[at];
      }
    }
    score[i] = sb_score_add(score[i], node.value);
  }
}

SB_DEVICE sb_f64 sb_element(const SB_GLOBAL void* x, sb_i32 dtype, sb_i64 at) {
  return dtype == SB_DTYPE_F32 ? (sb_f64)((const SB_GLOBAL sb_f32*)x)[at] : ((const SB_GLOBAL sb_f64*)x)[at];
}

/* A node of 16 bytes, read by one access. Inner: feature + (default_left << 31), left child. Leaf: feature SB_WALK_LEAF,
   and the bits of its value in `left`. */
#define SB_WALK_LEAF 0x7fffffffu
typedef struct __attribute__((aligned(16))) sb_walk_node {
  sb_f64 threshold;
  sb_u32 feature;
  sb_u32 left;
} sb_walk_node;

SB_FN sb_walk_node sb_pack_node(sb_tree_node node) {
  sb_walk_node packed = {node.threshold, (sb_u32)node.feature | (node.default_left << 31), node.left};
  sb_walk_node leaf = {0.0, SB_WALK_LEAF, sb_bits_f32(node.value)};
  return node.feature < 0 ? leaf : packed;
}

/* offset[t]: first node of tree t. */
SB_KERNEL(256)
sb_ensemble_add(const SB_GLOBAL void* x, sb_i32 dtype, sb_u64 n_rows, sb_i64 row_stride, sb_i64 column_stride,
                const SB_GLOBAL sb_walk_node* nodes, const SB_GLOBAL sb_u64* offset, sb_u32 n_trees,
                SB_GLOBAL sb_f32* score, SB_GLOBAL sb_i32* leaf) {
  sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread();
  if (i < n_rows) {
    const sb_i64 row = (sb_i64)i * row_stride;
    sb_f32 sum = score ? score[i] : 0.0f;
    for (sb_u32 turn = 0; turn < n_trees; ++turn) {
      const sb_u32 t = sb_tree_in_turn(turn, n_trees, n_rows);
      const SB_GLOBAL sb_walk_node* tree = nodes + offset[t];
      sb_u32 at = 0;
      sb_walk_node node = tree[0];
      while (node.feature != SB_WALK_LEAF) {
        sb_f64 value = sb_element(x, dtype, row + (sb_i64)(node.feature & 0x7fffffffu) * column_stride);
        at = node.left + 1u - sb_value_goes_left(value, node.threshold, node.feature >> 31);
        node = tree[at];
      }
      sum = sb_score_add(sum, sb_f32_bits(node.left));
      if (leaf) leaf[i * n_trees + t] = (sb_i32)at;
    }
    if (score) score[i] = sum;
  }
}

#endif
