/* Gains of every candidate of one feature of one node: gain_right[b] (missing goes right), gain_left[b] (missing goes left;
   only when the node has missing values of the feature, else gain_left[0 .. m) is not written). Invalid candidates
   get 0; valid_* (may be NULL) tell them from valid ones of gain 0. n_value_cells <= 255. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/ops/split.h"

static void candidate_gains(const sb_i64* pg, const sb_i64* ph, const sb_u32* pc, sb_u32 n, const sb_node_sums* sums,
                            sb_f32 parent_score, const sb_split_parameters* p, sb_f32* gain, sb_u8* valid_out) {
  const sb_i64 g = sums->gradient, h = sums->hessian;
  const sb_u32 c = sums->count, min_count = p->min_samples_leaf;
  const sb_f32 l2 = p->l2, min_hessian = p->min_child_weight;
  for (sb_u32 b = 0; b < n; ++b) {
    sb_f32 value = sb_split_gain(pg[b], ph[b], g - pg[b], h - ph[b], parent_score, l2);
    sb_i32 valid = sb_side_valid(ph[b], pc[b], min_count, min_hessian) &
                   sb_side_valid(h - ph[b], c - pc[b], min_count, min_hessian);
    gain[b] = valid ? value : 0.0f;
  }
  if (!valid_out) return;
  for (sb_u32 b = 0; b < n; ++b) {
    valid_out[b] = (sb_u8)(sb_side_valid(ph[b], pc[b], min_count, min_hessian) &
                           sb_side_valid(h - ph[b], c - pc[b], min_count, min_hessian));
  }
}

static void split_feature(const sb_i64* gradient, const sb_i64* hessian, const sb_u32* count, sb_u32 n_value_cells,
                          const sb_node_sums* sums, sb_f32 parent_score, const sb_split_parameters* p,
                          sb_f32* gain_right, sb_f32* gain_left, sb_u8* valid_right, sb_u8* valid_left) {
  sb_i64 pg[256] = {0}, ph[256] = {0};
  sb_u32 pc[256] = {0};
  const sb_u32 m = n_value_cells;
  sb_i64 g = 0, h = 0;
  sb_u32 c = 0;
  for (sb_u32 b = 0; b < m; ++b) {
    g += gradient[b];
    h += hessian[b];
    c += count[b];
    pg[b] = g;
    ph[b] = h;
    pc[b] = c;
  }
  candidate_gains(pg, ph, pc, m, sums, parent_score, p, gain_right, valid_right);
  if (count[m] == 0) return;
  for (sb_u32 b = 0; b < m; ++b) {
    pg[b] += gradient[m];
    ph[b] += hessian[m];
    pc[b] += count[m];
  }
  candidate_gains(pg, ph, pc, m, sums, parent_score, p, gain_left, valid_left);
}
