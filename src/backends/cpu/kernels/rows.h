/* Kernels that move or mark rows. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/ops/tree.h"
#include "numerics/random/philox.h"

/* Writes the rows that go left to left[] and the others to right[], both in order; left may be rows itself.
   Returns the number of left rows. */
static sb_u64 partition(const sb_u8* codes, sb_u64 stride, const sb_u32* rows, sb_u64 n, sb_u32 bin, sb_u32 missing,
                        sb_u32 default_left, sb_u32* left, sb_u32* right) {
  sb_u64 n_left = 0;
  for (sb_u64 i = 0; i < n; ++i) {
    if (i + SB_AHEAD < n) __builtin_prefetch(codes + (sb_u64)rows[i + SB_AHEAD] * stride);
    sb_u32 row = rows[i];
    sb_u32 goes_left = sb_code_goes_left(codes[row * stride], bin, missing, default_left);
    left[n_left] = row;
    right[i - n_left] = row;
    n_left += goes_left;
  }
  return n_left;
}

static sb_u64 sample_rows(sb_u64 seed, sb_u32 purpose, sb_u32 draw, sb_u64 threshold, sb_u64 begin, sb_u64 end,
                          sb_u32* out) {
  sb_u64 kept = 0;
  for (sb_u64 i = begin; i < end; ++i) {
    out[kept] = (sb_u32)i;
    kept += sb_philox_u32(seed, purpose, sb_drawn_element(i, begin), draw) < threshold;
  }
  return kept;
}

static void add_leaf_value(sb_f32* score, const sb_u32* rows, sb_u64 n, sb_f32 value) {
  for (sb_u64 i = 0; i < n; ++i) score[rows[i]] = sb_score_add(score[rows[i]], value);
}

static void add_tree_binned(const sb_bins* bins, const sb_u32* offset, const sb_binned_node* node, sb_u32 n_nodes,
                            sb_u64 begin, sb_u64 end, sb_f32* score) {
  (void)n_nodes;
  for (sb_u64 row = begin; row < end; ++row) {
    sb_u32 k = 0;
    while (node[k].feature >= 0) {
      sb_u32 f = (sb_u32)node[k].feature;
      sb_u32 missing = offset[f + 1] - offset[f] - 1;
      sb_u32 code = bins->data[((f / bins->width) * bins->n_rows + row) * bins->width + f % bins->width];
      k = node[k].left + 1 - sb_code_goes_left(code, node[k].bin, missing, node[k].default_left);
    }
    score[row] = sb_score_add(score[row], node[k].value);
  }
}
