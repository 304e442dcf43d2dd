/* split_find/1: a block scans the cells of one (node, feature), one thread a bin; blocks' offers are then folded per node.
   Candidates are always combined in ascending (feature, bin, direction) by neighbours, so sb_gain_better alone settles
   ties. A symmetric tree keeps the gains of a batch of nodes and adds them in ascending node order.
   Floor: 20 bytes a cell; in practice the scan's barriers, about 3 us a block, 8 blocks a multiprocessor. */
#ifndef SAMEBITS_BACKENDS_SIMT_SPLIT_FIND_H
#define SAMEBITS_BACKENDS_SIMT_SPLIT_FIND_H

#include "backends/simt/block.h"
#include "numerics/ops/split.h"
#include "primitives/contract/split_find.h"

#define SB_CANDIDATES (2u * SB_BLOCK)
#define SB_NO_GAIN 0xffffffffu /* bits of no f32 result: an invalid candidate */

/* What a feature (or a node) has to offer: gain > 0, or a gain of 0 and feature -1. */
typedef struct sb_offer {
  sb_f32 gain;
  sb_i32 feature;
  sb_u32 bin;
  sb_u32 direction;
} sb_offer;

typedef struct sb_side {
  sb_i64 g;
  sb_i64 h;
  sb_u32 count;
} sb_side;

SB_DEVICE sb_offer sb_no_offer(void) {
  sb_offer none = {0.0f, -1, 0u, 0u};
  return none;
}

/* a stands before b. */
SB_DEVICE sb_offer sb_better_offer(sb_offer a, sb_offer b) {
  return b.feature >= 0 && sb_gain_better(b.gain, a.gain) ? b : a;
}

/* Folds the offers of SB_BLOCK threads in ascending order; s holds SB_BLOCK offers. */
SB_DEVICE sb_offer sb_fold_offers(SB_LOCAL sb_offer* s, sb_offer own) {
  const sb_u32 t = sb_thread();
  s[t] = own;
  SB_BARRIER();
  for (sb_u32 d = 1; d < SB_BLOCK; d <<= 1) {
    if (t % (2u * d) == 0u) s[t] = sb_better_offer(s[t], s[t + d]);
    SB_BARRIER();
  }
  return s[0];
}

/* The cells of one feature of one node, scanned: side of bin t (missing right), and the missing cell. */
typedef struct sb_scanned {
  sb_side left;
  sb_side missing;
  sb_u32 n_value_cells;
} sb_scanned;

/* g, h, c hold SB_BLOCK values each. */
SB_DEVICE sb_scanned sb_scan_cells(SB_LOCAL sb_i64* g, SB_LOCAL sb_i64* h, SB_LOCAL sb_u32* c,
                                   const SB_GLOBAL sb_i64* gradient, const SB_GLOBAL sb_i64* hessian,
                                   const SB_GLOBAL sb_u32* count, sb_u64 first, sb_u32 n) {
  const sb_u32 t = sb_thread();
  sb_scanned out;
  g[t] = t < n ? gradient[first + t] : 0;
  h[t] = t < n ? hessian[first + t] : 0;
  c[t] = t < n ? count[first + t] : 0u;
  out.missing.g = gradient[first + n];
  out.missing.h = hessian[first + n];
  out.missing.count = count[first + n];
  out.n_value_cells = n;
  SB_BARRIER();
  for (sb_u32 d = 1; d < SB_BLOCK; d <<= 1) {
    sb_i64 more_g = t >= d ? g[t - d] : 0, more_h = t >= d ? h[t - d] : 0;
    sb_u32 more_c = t >= d ? c[t - d] : 0u;
    SB_BARRIER();
    g[t] += more_g;
    h[t] += more_h;
    c[t] += more_c;
    SB_BARRIER();
  }
  out.left.g = g[t];
  out.left.h = h[t];
  out.left.count = c[t];
  return out;
}

SB_DEVICE sb_side sb_with_missing(const sb_scanned* s) {
  sb_side side = {s->left.g + s->missing.g, s->left.h + s->missing.h, s->left.count + s->missing.count};
  return side;
}

/* 1 and the gain when the candidate is valid. */
SB_DEVICE sb_u32 sb_candidate(sb_side left, sb_node_sums node, sb_f32 parent_score, sb_split_parameters p,
                              sb_f32* gain) {
  const sb_i64 gr = node.gradient - left.g, hr = node.hessian - left.h;
  const sb_u32 cr = node.count - left.count;
  *gain = sb_split_gain(left.g, left.h, gr, hr, parent_score, p.l2);
  return (sb_u32)(sb_side_valid(left.h, left.count, p.min_samples_leaf, p.min_child_weight) &
                  sb_side_valid(hr, cr, p.min_samples_leaf, p.min_child_weight));
}

SB_DEVICE sb_offer sb_offer_if(sb_u32 valid, sb_f32 gain, sb_u32 feature, sb_u32 bin, sb_u32 direction) {
  sb_offer offer = {gain, (sb_i32)feature, bin, direction};
  return valid && gain > 0.0f ? offer : sb_no_offer();
}

/* Grid: (active features, nodes). offer[node * n_active + a]. */
SB_KERNEL(256)
sb_split_features(const SB_GLOBAL sb_i64* gradient, const SB_GLOBAL sb_i64* hessian, const SB_GLOBAL sb_u32* count,
                  const SB_GLOBAL sb_u32* offset, sb_u32 n_cells, const SB_GLOBAL sb_u32* feature,
                  const SB_GLOBAL sb_u32* slot, const SB_GLOBAL sb_node_sums* sums, sb_split_parameters p,
                  SB_GLOBAL sb_offer* offer) {
  SB_SHARED(sb_offer, s, SB_BLOCK);
  SB_SHARED(sb_i64, scan_g, SB_BLOCK);
  SB_SHARED(sb_i64, scan_h, SB_BLOCK);
  SB_SHARED(sb_u32, scan_c, SB_BLOCK);
  const sb_u32 b = sb_thread(), node = sb_block_y(), f = feature[sb_block()];
  const sb_node_sums sum = sums[node];
  const sb_f32 parent_score = sb_parent_score(sum.gradient, sum.hessian, p.l2);
  const sb_u32 n = offset[f + 1] - offset[f] - 1u;
  const sb_scanned scanned =
      sb_scan_cells(scan_g, scan_h, scan_c, gradient, hessian, count, (sb_u64)slot[node] * n_cells + offset[f], n);
  sb_offer own = sb_no_offer();
  if (b < n) {
    sb_f32 gain;
    sb_u32 valid = sb_candidate(scanned.left, sum, parent_score, p, &gain);
    own = sb_offer_if(valid, gain, f, b, 0u);
    if (scanned.missing.count != 0u) {
      valid = sb_candidate(sb_with_missing(&scanned), sum, parent_score, p, &gain);
      own = sb_better_offer(own, sb_offer_if(valid, gain, f, b, 1u));
    }
  }
  own = sb_fold_offers(s, own);
  if (b == 0) offer[(sb_u64)node * sb_blocks() + sb_block()] = own;
}

/* The best of n offers in ascending order, known to all threads. */
SB_DEVICE sb_offer sb_best_offer(SB_LOCAL sb_offer* s, const SB_GLOBAL sb_offer* offer, sb_u32 n) {
  const sb_u32 own_n = (n + SB_BLOCK - 1u) / SB_BLOCK, from = sb_thread() * own_n;
  sb_offer own = sb_no_offer();
  for (sb_u32 i = from; i < from + own_n && i < n; ++i) own = sb_better_offer(own, offer[i]);
  return sb_fold_offers(s, own);
}

/* Grid: nodes. The node's best offer becomes best[node]: left sums by adding the cells 0 .. bin (and the missing cell).
   one_offer: every node takes the best of the same n offers (a symmetric tree). default_left: bit 0 the direction,
   bit 1 whether the node has missing values of the feature; the host makes the contract's value of it. */
SB_KERNEL(256)
sb_split_nodes(const SB_GLOBAL sb_i64* gradient, const SB_GLOBAL sb_i64* hessian, const SB_GLOBAL sb_u32* count,
               const SB_GLOBAL sb_u32* offset, sb_u32 n_cells, const SB_GLOBAL sb_u32* slot,
               const SB_GLOBAL sb_offer* offer, sb_u32 n_offers, sb_u32 one_offer, SB_GLOBAL sb_split* best) {
  SB_SHARED(sb_offer, s, SB_BLOCK);
  SB_SHARED(sb_i64, s64, SB_BLOCK);
  SB_SHARED(sb_u32, s32, SB_BLOCK);
  const sb_u32 t = sb_thread(), node = sb_block();
  const sb_offer chosen = sb_best_offer(s, offer + (one_offer ? 0u : (sb_u64)node * n_offers), n_offers);
  sb_split out = {0.0f, -1, 0u, 0u, {0, 0, 0u, 0u}};
  if (chosen.feature >= 0) {
    const sb_u32 f = (sb_u32)chosen.feature, n = offset[f + 1] - offset[f] - 1u;
    const sb_u64 first = (sb_u64)slot[node] * n_cells + offset[f];
    const sb_u32 mine = (sb_u32)(t <= chosen.bin) | ((sb_u32)(t == n) & chosen.direction);
    out.gain = chosen.gain;
    out.feature = chosen.feature;
    out.bin = chosen.bin;
    out.default_left = chosen.direction | (count[first + n] != 0u ? 2u : 0u);
    out.left.gradient = sb_block_sum_i64(s64, mine ? gradient[first + t] : 0);
    SB_BARRIER();
    out.left.hessian = sb_block_sum_i64(s64, mine ? hessian[first + t] : 0);
    SB_BARRIER();
    out.left.count = sb_block_sum_u32(s32, mine ? count[first + t] : 0u);
  }
  if (t == 0) best[node] = out;
}

/* Symmetric trees. Grid: (active features, nodes of the batch). gain[(node * n_active + a) * SB_CANDIDATES + 2 b + d] =
   bits of the candidate's gain or SB_NO_GAIN. */
SB_KERNEL(256)
sb_split_gains(const SB_GLOBAL sb_i64* gradient, const SB_GLOBAL sb_i64* hessian, const SB_GLOBAL sb_u32* count,
               const SB_GLOBAL sb_u32* offset, sb_u32 n_cells, const SB_GLOBAL sb_u32* feature,
               const SB_GLOBAL sb_u32* slot, const SB_GLOBAL sb_node_sums* sums, sb_split_parameters p,
               SB_GLOBAL sb_u32* gain) {
  SB_SHARED(sb_i64, scan_g, SB_BLOCK);
  SB_SHARED(sb_i64, scan_h, SB_BLOCK);
  SB_SHARED(sb_u32, scan_c, SB_BLOCK);
  const sb_u32 b = sb_thread(), node = sb_block_y(), f = feature[sb_block()];
  const sb_node_sums sum = sums[node];
  const sb_f32 parent_score = sb_parent_score(sum.gradient, sum.hessian, p.l2);
  const sb_u32 n = offset[f + 1] - offset[f] - 1u;
  const sb_scanned scanned =
      sb_scan_cells(scan_g, scan_h, scan_c, gradient, hessian, count, (sb_u64)slot[node] * n_cells + offset[f], n);
  SB_GLOBAL sb_u32* out = gain + ((sb_u64)node * sb_blocks() + sb_block()) * SB_CANDIDATES + 2u * b;
  sb_f32 right, left;
  sb_u32 valid_right = sb_candidate(scanned.left, sum, parent_score, p, &right);
  sb_u32 valid_left = sb_candidate(sb_with_missing(&scanned), sum, parent_score, p, &left);
  out[0] = b < n && valid_right ? sb_bits_f32(right) : SB_NO_GAIN;
  out[1] = b < n && valid_left ? sb_bits_f32(left) : SB_NO_GAIN;
}

/* Grid: 2 * active features; the thread of place (a, bin, d) adds that candidate over the batch's nodes in ascending
   order to total (bits, or SB_NO_GAIN while no node was valid; filled with it before the first batch). */
SB_KERNEL(256)
sb_split_add_gains(const SB_GLOBAL sb_u32* gain, sb_u32 n_active, sb_u32 n_nodes, SB_GLOBAL sb_u32* total) {
  const sb_u64 place = (sb_u64)sb_block() * SB_BLOCK + sb_thread();
  sb_u32 sum = total[place];
  for (sb_u32 j = 0; j < n_nodes; ++j) {
    sb_u32 bits = gain[(sb_u64)j * n_active * SB_CANDIDATES + place];
    sb_f32 so_far = sum == SB_NO_GAIN ? 0.0f : sb_f32_bits(sum);
    if (bits != SB_NO_GAIN) sum = sb_bits_f32(so_far + sb_f32_bits(bits));
  }
  total[place] = sum;
}

/* Grid: active features. offer[a] = the feature's best candidate; direction 1 counts when any node has missing values. */
SB_KERNEL(256)
sb_split_totals(const SB_GLOBAL sb_u32* total, const SB_GLOBAL sb_u32* count, const SB_GLOBAL sb_u32* offset,
                sb_u32 n_cells, const SB_GLOBAL sb_u32* feature, const SB_GLOBAL sb_u32* slot, sb_u32 n_nodes,
                SB_GLOBAL sb_offer* offer) {
  SB_SHARED(sb_offer, s, SB_BLOCK);
  SB_SHARED(sb_u32, s32, SB_BLOCK);
  const sb_u32 b = sb_thread(), f = feature[sb_block()];
  sb_u32 own_missing = 0;
  for (sb_u32 j = b; j < n_nodes; j += SB_BLOCK)
    own_missing |= count[(sb_u64)slot[j] * n_cells + offset[f + 1] - 1u] != 0u;
  const sb_u32 any_missing = sb_block_max_u32(s32, own_missing);
  const SB_GLOBAL sb_u32* in = total + (sb_u64)sb_block() * SB_CANDIDATES + 2u * b;
  sb_offer own = sb_offer_if(in[0] != SB_NO_GAIN, sb_f32_bits(in[0]), f, b, 0u);
  sb_offer left = sb_offer_if(any_missing & (sb_u32)(in[1] != SB_NO_GAIN), sb_f32_bits(in[1]), f, b, 1u);
  own = sb_fold_offers(s, sb_better_offer(own, left));
  if (b == 0) offer[sb_block()] = own;
}

#endif
