/* partition_rows/1: a pass decides every row once (one byte per row) and counts the left ones of each tile, the counts
   are scanned per node, a second pass moves the rows of a tile through shared memory to scratch, a third copies back.
   Within a tile a thread owns neighbouring rows, which keeps the order.
   Floor: 4 (rows) + 1 to 32 (codes: by feature, or the sector of a panel) + 2 (decision) + 8 + 8 bytes a row. */
#ifndef SAMEBITS_BACKENDS_SIMT_PARTITION_ROWS_H
#define SAMEBITS_BACKENDS_SIMT_PARTITION_ROWS_H

#include "backends/simt/block.h"
#include "numerics/ops/tree.h"

#define SB_PART_OWN 16u
#define SB_PART_TILE (SB_BLOCK * SB_PART_OWN)

/* The split of a node. */
typedef struct sb_part_node {
  sb_u64 begin;
  sb_u64 end;
  sb_u32 feature;
  sb_u32 bin;
  sb_u32 missing; /* code of the missing cell */
  sb_u32 default_left;
} sb_part_node;

/* The codes of feature f of row r are codes[f][r * stride]: by feature where columns are kept, else in panels.
   decision[tile * SB_PART_TILE + i] = row i of the tile goes left; count[tile] = how many do. */
SB_KERNEL(256)
sb_part_decide(const SB_GLOBAL sb_u8* bins, const SB_GLOBAL sb_u8* columns, sb_u64 n_rows, sb_u32 width,
               const SB_GLOBAL sb_u32* rows, const SB_GLOBAL sb_part_node* nodes, const SB_GLOBAL sb_u32* first_tile,
               sb_u32 n_nodes, SB_GLOBAL sb_u8* decision, SB_GLOBAL sb_u32* count) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  const sb_u32 t = sb_thread(), tile = sb_block(), j = sb_segment_of(first_tile, n_nodes, tile);
  const sb_part_node node = nodes[j];
  const sb_u64 from = node.begin + (sb_u64)(tile - first_tile[j]) * SB_PART_TILE + t;
  const SB_GLOBAL sb_u8* codes = columns
                                     ? columns + (sb_u64)node.feature * n_rows
                                     : bins + (sb_u64)(node.feature / width) * n_rows * width + node.feature % width;
  const sb_u32 stride = columns ? 1u : width;
  SB_GLOBAL sb_u8* out = decision + (sb_u64)tile * SB_PART_TILE + t;
  sb_u32 row[SB_PART_OWN], code[SB_PART_OWN], left = 0;
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_PART_OWN; ++k) row[k] = from + k * SB_BLOCK < node.end ? rows[from + k * SB_BLOCK] : 0u;
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_PART_OWN; ++k) code[k] = codes[(sb_u64)row[k] * stride];
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_PART_OWN; ++k) {
    sb_u32 goes = sb_code_goes_left(code[k], node.bin, node.missing, node.default_left);
    goes = from + k * SB_BLOCK < node.end ? goes : 0u;
    out[k * SB_BLOCK] = (sb_u8)goes;
    left += goes;
  }
  left = sb_block_sum_u32(s, left);
  if (t == 0) count[tile] = left;
}

/* start: exclusive scan of the counts per node; n_left: their sum per node. */
SB_KERNEL(256)
sb_part_move(const SB_GLOBAL sb_u32* rows, SB_GLOBAL sb_u32* scratch, const SB_GLOBAL sb_part_node* nodes,
             const SB_GLOBAL sb_u32* first_tile, sb_u32 n_nodes, const SB_GLOBAL sb_u32x4* decision,
             const SB_GLOBAL sb_u32* start, const SB_GLOBAL sb_u32* n_left) {
  SB_SHARED(sb_u32, s, SB_BLOCK);
  SB_SHARED(sb_u32, in, SB_PART_TILE + SB_BLOCK); /* one word of padding after every 16 */
  SB_SHARED(sb_u32, sorted, SB_PART_TILE);
  const sb_u32 t = sb_thread(), tile = sb_block(), j = sb_segment_of(first_tile, n_nodes, tile);
  const sb_part_node node = nodes[j];
  const sb_u64 before = (sb_u64)(tile - first_tile[j]) * SB_PART_TILE, left_of_node = node.end - node.begin - before;
  const sb_u32 n = left_of_node < SB_PART_TILE ? (sb_u32)left_of_node : SB_PART_TILE;
  for (sb_u32 i = t; i < n; i += SB_BLOCK) in[i + i / SB_PART_OWN] = rows[node.begin + before + i];

  const sb_u32x4 bytes = decision[(sb_u64)tile * SB_BLOCK + t];
  const sb_u32 word[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
  sb_u32 own_left = 0;
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_PART_OWN; ++k) own_left += (word[k / 4] >> (8 * (k % 4))) & 1u;
  sb_u32 left = sb_block_scan_u32(s, own_left) - own_left;
  const sb_u32 tile_left = s[SB_BLOCK - 1];
  sb_u32 right = tile_left + (t * SB_PART_OWN - left);
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_PART_OWN; ++k) {
    if (t * SB_PART_OWN + k < n) {
      sb_u32 goes = (word[k / 4] >> (8 * (k % 4))) & 1u;
      sorted[goes ? left : right] = in[t * (SB_PART_OWN + 1) + k];
      left += goes;
      right += 1u - goes;
    }
  }
  SB_BARRIER();
  SB_GLOBAL sb_u32* to_left = scratch + node.begin + start[tile];
  SB_GLOBAL sb_u32* to_right = scratch + node.begin + n_left[j] + (before - start[tile]);
  for (sb_u32 i = t; i < n; i += SB_BLOCK) {
    if (i < tile_left) {
      to_left[i] = sorted[i];
    } else {
      to_right[i - tile_left] = sorted[i];
    }
  }
}

SB_KERNEL(256)
sb_part_copy(SB_GLOBAL sb_u32* rows, const SB_GLOBAL sb_u32* scratch, const SB_GLOBAL sb_part_node* nodes,
             const SB_GLOBAL sb_u32* first_tile, sb_u32 n_nodes) {
  const sb_u32 tile = sb_block(), j = sb_segment_of(first_tile, n_nodes, tile);
  const sb_u64 from = nodes[j].begin + (sb_u64)(tile - first_tile[j]) * SB_PART_TILE + sb_thread(), end = nodes[j].end;
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_PART_OWN; ++k) {
    if (from + k * SB_BLOCK < end) rows[from + k * SB_BLOCK] = scratch[from + k * SB_BLOCK];
  }
}

#endif
