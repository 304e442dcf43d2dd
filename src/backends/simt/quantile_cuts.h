/* quantile_cuts/1: the sampled values become order keys, a radix sort orders the keys of every feature of a batch, one
   block a feature then looks for the cuts. Keys of f32 and f64 data share the text: a 64-bit word holds either, the
   number of passes differs. A key is all there is to an element, so only the order of the passes matters, not ties.
   Radix pass (4 bits): count digits per tile, scan (digit major, tile minor), scatter stably through shared memory.
   Floor: 24 bytes a key and pass, 8 passes for f32. */
#ifndef SAMEBITS_BACKENDS_SIMT_QUANTILE_CUTS_H
#define SAMEBITS_BACKENDS_SIMT_QUANTILE_CUTS_H

#include "backends/simt/block.h"
#include "numerics/order/order.h"
#include "primitives/contract/types.h"

#define SB_RADIX_BITS 4u
#define SB_RADIX_DIGITS 16u
#define SB_RADIX_OWN 8u
#define SB_RADIX_TILE (SB_BLOCK * SB_RADIX_OWN)
#define SB_MOST_CUTS 254u

/* What the sample of a feature holds besides numbers. */
typedef struct sb_sample_facts {
  sb_u32 n_nan;
  sb_u32 n_infinite;
} sb_sample_facts;

/* The places of the cuts of a feature, in any order and possibly repeated, and the keys either side. */
typedef struct sb_cut_places {
  sb_u32 n;
  sb_u32 padding;
  sb_u64 place[SB_MOST_CUTS];
  sb_u64 lower[SB_MOST_CUTS];
  sb_u64 upper[SB_MOST_CUTS];
} sb_cut_places;

/* Grid-stride over m * n_batch elements; by_rows: neighbouring threads take neighbouring rows, else features. */
SB_KERNEL(256)
sb_sample_keys(const SB_GLOBAL void* x, sb_i32 dtype, sb_i64 row_stride, sb_i64 column_stride,
               const SB_GLOBAL sb_u32* sample, sb_u64 m, sb_u32 first_feature, sb_u32 n_batch, sb_u32 by_rows,
               SB_GLOBAL sb_u64* keys, SB_GLOBAL sb_sample_facts* facts) {
  for (sb_u64 q = (sb_u64)sb_block() * SB_BLOCK + sb_thread(); q < m * n_batch; q += (sb_u64)sb_blocks() * SB_BLOCK) {
    const sb_u64 i = by_rows ? q % m : q / n_batch;
    const sb_u32 a = (sb_u32)(by_rows ? q / m : q % n_batch);
    const sb_i64 at = (sb_i64)(sample ? sample[i] : i) * row_stride + (sb_i64)(first_feature + a) * column_stride;
    sb_u64 key;
    sb_i32 nan, infinite;
    if (dtype == SB_DTYPE_F32) {
      sb_f32 v = ((const SB_GLOBAL sb_f32*)x)[at];
      v = v == 0.0f ? 0.0f : v;
      key = sb_order_key_f32(v);
      nan = sb_isnan_f32(v);
      infinite = sb_isinf_f32(v);
    } else {
      sb_f64 v = ((const SB_GLOBAL sb_f64*)x)[at];
      v = v == 0.0 ? 0.0 : v;
      key = sb_order_key_f64(v);
      nan = sb_isnan_f64(v);
      infinite = sb_isinf_f64(v);
    }
    keys[(sb_u64)a * m + i] = key;
    if (nan) sb_global_add_u32(&facts[a].n_nan, 1u);
    if (infinite) sb_global_add_u32(&facts[a].n_infinite, 1u);
  }
}

SB_DEVICE sb_u32 sb_radix_digit(sb_u64 key, sb_u32 shift) { return (sb_u32)(key >> shift) % SB_RADIX_DIGITS; }

/* Grid (tiles, features): count[(feature * 16 + digit) * tiles + tile]. 32 copies of a counter, one a lane. */
SB_KERNEL(256) sb_radix_count(const SB_GLOBAL sb_u64* keys, sb_u64 m, sb_u32 shift, SB_GLOBAL sb_u32* count) {
  SB_SHARED(sb_u32, copies, SB_RADIX_DIGITS * 32);
  const sb_u32 t = sb_thread();
  const sb_u64 from = (sb_u64)sb_block() * SB_RADIX_TILE + t;
  const SB_GLOBAL sb_u64* own = keys + (sb_u64)sb_block_y() * m;
  copies[t] = 0u;
  copies[t + SB_BLOCK] = 0u;
  SB_BARRIER();
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_RADIX_OWN; ++k) {
    sb_u64 i = from + k * SB_BLOCK;
    if (i < m) sb_local_add_u32(&copies[sb_radix_digit(own[i], shift) * 32 + t % 32], 1u);
  }
  SB_BARRIER();
  if (t < SB_RADIX_DIGITS) {
    sb_u32 sum = 0;
    for (sb_u32 k = 0; k < 32; ++k) sum += copies[t * 32 + (k + t) % 32];
    count[((sb_u64)sb_block_y() * SB_RADIX_DIGITS + t) * sb_blocks() + sb_block()] = sum;
  }
}

/* Exclusive scan of 16 * SB_BLOCK counters in place, thread t owning the 16 from 16 t on. */
SB_DEVICE void sb_radix_scan(SB_LOCAL sb_u32* counter, SB_LOCAL sb_u32* s) {
  const sb_u32 t = sb_thread();
  sb_u32 sum = 0;
  for (sb_u32 k = 0; k < SB_RADIX_DIGITS; ++k) sum += counter[t * SB_RADIX_DIGITS + k];
  sb_u32 at = sb_block_scan_u32(s, sum) - sum;
  for (sb_u32 k = 0; k < SB_RADIX_DIGITS; ++k) {
    sb_u32 n = counter[t * SB_RADIX_DIGITS + k];
    counter[t * SB_RADIX_DIGITS + k] = at;
    at += n;
  }
  SB_BARRIER();
}

/* start: the counts, scanned exclusively per feature. A thread owns 8 neighbouring keys of the tile, so counters in
   (digit, thread) order number the tile's keys stably. */
SB_KERNEL(256)
sb_radix_scatter(const SB_GLOBAL sb_u64* keys, sb_u64 m, sb_u32 shift, const SB_GLOBAL sb_u32* start,
                 SB_GLOBAL sb_u64* out) {
  SB_SHARED(sb_u64, tile, SB_RADIX_TILE + SB_BLOCK); /* a word of padding after every 8 */
  SB_SHARED(sb_u32, counter, SB_RADIX_DIGITS * SB_BLOCK);
  SB_SHARED(sb_u32, s, SB_BLOCK);
  SB_SHARED(sb_u32, digit_start, SB_RADIX_DIGITS);
  const sb_u32 t = sb_thread();
  const sb_u64 from = (sb_u64)sb_block() * SB_RADIX_TILE, base = (sb_u64)sb_block_y() * m;
  const sb_u32 n = m - from < SB_RADIX_TILE ? (sb_u32)(m - from) : SB_RADIX_TILE;
  for (sb_u32 i = t; i < n; i += SB_BLOCK) tile[i + i / SB_RADIX_OWN] = keys[base + from + i];
  for (sb_u32 d = 0; d < SB_RADIX_DIGITS; ++d) counter[d * SB_BLOCK + t] = 0u;
  SB_BARRIER();
  sb_u64 own[SB_RADIX_OWN];
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_RADIX_OWN; ++k) {
    own[k] = tile[t * (SB_RADIX_OWN + 1) + k];
    if (t * SB_RADIX_OWN + k < n) counter[sb_radix_digit(own[k], shift) * SB_BLOCK + t] += 1u;
  }
  SB_BARRIER();
  sb_radix_scan(counter, s);
  if (t < SB_RADIX_DIGITS) digit_start[t] = counter[t * SB_BLOCK];
  SB_BARRIER();
  SB_UNROLL
  for (sb_u32 k = 0; k < SB_RADIX_OWN; ++k) {
    if (t * SB_RADIX_OWN + k < n) tile[counter[sb_radix_digit(own[k], shift) * SB_BLOCK + t]++] = own[k];
  }
  SB_BARRIER();
  for (sb_u32 i = t; i < n; i += SB_BLOCK) {
    sb_u32 d = sb_radix_digit(tile[i], shift);
    sb_u32 to = start[((sb_u64)sb_block_y() * SB_RADIX_DIGITS + d) * sb_blocks() + sb_block()] + (i - digit_start[d]);
    out[base + to] = tile[i];
  }
}

/* First place whose key is not below `key`. */
SB_DEVICE sb_u64 sb_lower_bound(const SB_GLOBAL sb_u64* s, sb_u64 n, sb_u64 key) {
  sb_u64 low = 0, high = n;
  while (low < high) {
    sb_u64 middle = low + (high - low) / 2u;
    if (s[middle] < key) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Grid: features of the batch. Few distinct values: every change is a cut. Many: thread j looks up quantile j + 1. */
SB_KERNEL(256)
sb_find_cuts(const SB_GLOBAL sb_u64* keys, sb_u64 m, const SB_GLOBAL sb_sample_facts* facts, sb_u32 max_bins,
             SB_GLOBAL sb_cut_places* cuts) {
  SB_SHARED(sb_u32, found, 1);
  SB_SHARED(sb_u64, place, SB_MOST_CUTS);
  const sb_u32 t = sb_thread(), a = sb_block();
  const SB_GLOBAL sb_u64* s = keys + (sb_u64)a * m;
  const sb_u64 k = m - facts[a].n_nan;
  SB_GLOBAL sb_cut_places* out = &cuts[a];
  if (t == 0) found[0] = 0u;
  SB_BARRIER();
  for (sb_u64 i = (sb_u64)t + 1u; i < k; i += SB_BLOCK) {
    if (s[i] != s[i - 1u]) {
      sb_u32 slot = sb_local_fetch_add_u32(&found[0], 1u);
      if (slot < SB_MOST_CUTS) place[slot] = i;
    }
  }
  SB_BARRIER();
  const sb_u32 changes = found[0];
  SB_BARRIER();
  if (changes >= max_bins) {
    if (t < max_bins - 1u) {
      sb_u64 p = sb_lower_bound(s, k, s[(sb_u64)(t + 1u) * k / max_bins]);
      place[t] = p;
    }
    if (t == 0) found[0] = max_bins - 1u;
    SB_BARRIER();
  }
  const sb_u32 n = found[0];
  for (sb_u32 c = t; c < n; c += SB_BLOCK) {
    sb_u64 p = place[c];
    out->place[c] = p;
    out->lower[c] = p > 0u ? s[p - 1u] : 0u;
    out->upper[c] = s[p];
  }
  if (t == 0) out->n = n;
}

#endif
