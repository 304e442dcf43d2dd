/* Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011) and the mapping
   of C8. Ten rounds of two 32 x 32 -> 64 bit products; the key moves by the Weyl constants between rounds.

   Mapping: key = (seed low, seed high), counter = (element low, element high, draw, purpose). All five words sit in
   their own place, so two different (seed, purpose, element, draw) never give the same (key, counter), and for one key
   the block function is a bijection of the counter. */
#ifndef SAMEBITS_NUMERICS_RANDOM_PHILOX_H
#define SAMEBITS_NUMERICS_RANDOM_PHILOX_H

#include "numerics/dialect/dialect.h"

SB_FN void sb_philox(const sb_u32* ctr, const sb_u32* key, sb_u32* out) {
  sb_u32 c0 = ctr[0], c1 = ctr[1], c2 = ctr[2], c3 = ctr[3], k0 = key[0], k1 = key[1];
  for (sb_i32 round = 0; round < 10; ++round) {
    sb_u64 p0 = (sb_u64)0xd2511f53u * c0, p1 = (sb_u64)0xcd9e8d57u * c2;
    c0 = (sb_u32)(p1 >> 32) ^ c1 ^ k0;
    c1 = (sb_u32)p1;
    c2 = (sb_u32)(p0 >> 32) ^ c3 ^ k1;
    c3 = (sb_u32)p0;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/* The element that a loop draws for: number i of the whole, in a chunk that begins at `begin`. A draw knows no chunk. */
SB_FN sb_u64 sb_drawn_element(sb_u64 i, sb_u64 begin) {
#if defined(SAMEBITS_BREAK_DRAW_POSITION)
  return i - begin;
#else
  (void)begin;
  return i;
#endif
}

/* The four words of one draw. */
SB_FN void sb_philox_block(sb_u64 seed, sb_u32 purpose, sb_u64 element, sb_u32 draw, sb_u32* out) {
  sb_u32 key[2], ctr[4];
  key[0] = (sb_u32)seed;
  key[1] = (sb_u32)(seed >> 32);
  ctr[0] = (sb_u32)element;
  ctr[1] = (sb_u32)(element >> 32);
  ctr[2] = draw;
  ctr[3] = purpose;
  sb_philox(ctr, key, out);
}

/* Word 0 of the block. */
SB_FN sb_u32 sb_philox_u32(sb_u64 seed, sb_u32 purpose, sb_u64 element, sb_u32 draw) {
  sb_u32 out[4];
  sb_philox_block(seed, purpose, element, draw, out);
  return out[0];
}

/* Words 0 (low) and 1 (high) of the block. */
SB_FN sb_u64 sb_philox_u64(sb_u64 seed, sb_u32 purpose, sb_u64 element, sb_u32 draw) {
  sb_u32 out[4];
  sb_philox_block(seed, purpose, element, draw, out);
  return ((sb_u64)out[1] << 32) | out[0];
}

/* Uniform on the multiples of 2^-24 (2^-53) in [0, 1): exact conversions and an exact scaling. */
SB_FN sb_f32 sb_uniform_f32(sb_u32 word) { return (sb_f32)(sb_i32)(word >> 8) * 0x1p-24f; }
SB_FN sb_f64 sb_uniform_f64(sb_u64 word) { return (sb_f64)(sb_i64)(word >> 11) * 0x1p-53; }

/* An integer in [0, n), n >= 1: floor(word * n / 2^64). No rejection, so the number of draws never depends on the
   values drawn. Each result has floor or ceil of 2^64 / n of the 2^64 words: its probability is off from 1/n by less
   than 2^-64, relative n * 2^-64 < 2^-32. */
SB_FN sb_u32 sb_below_u32(sb_u64 word, sb_u32 n) {
  sb_u64 low = (word & 0xffffffffu) * n;
  sb_u64 high = (word >> 32) * n + (low >> 32); /* at most (2^32-1)^2 + 2^32 - 1 < 2^64 */
  return (sb_u32)(high >> 32);
}

#endif
