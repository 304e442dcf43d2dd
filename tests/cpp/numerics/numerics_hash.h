/* Inputs and hash of the elementary function tests, in the dialect, so that any backend can repeat them.

   Hash of a set of (input, output) pairs: the sum modulo 2^64 of mix(mix(input bits) ^ output bits), mix being
   the finaliser of splitmix64 (Steele, Lea and Flood 2014). A sum does not depend on the order, so threads and
   blocks may take the inputs as they like.

   Stratified f32 inputs: 2^24 bit patterns, pattern i = 256 i + ((i * 0x9e3779b1 mod 2^32) >> 24): one in every
   interval of 256 patterns, so every exponent of both signs, subnormals, infinities and NaNs are met.

   Random f64 inputs: word i is the i-th draw of Philox (seed 1, purpose 0x66363400); by i mod 4 it is a raw bit
   pattern; a sign and significand with an exponent from -12 to 11; uniform in (-1024, 1024); 1 plus uniform in
   (-1/2, 1/2). */
#ifndef SAMEBITS_TESTS_NUMERICS_HASH_H
#define SAMEBITS_TESTS_NUMERICS_HASH_H

#include "numerics/dialect/dialect.h"
#include "numerics/random/philox.h"

#define SB_TEST_FUNCTIONS(X) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log1p) X(tanh) X(logistic) X(log1pexp)

#define SB_TEST_STRATIFIED 16777216u

SB_FN sb_u64 sb_test_mix(sb_u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

SB_FN sb_u64 sb_test_hash(sb_u64 input, sb_u64 output) { return sb_test_mix(sb_test_mix(input) ^ output); }

SB_FN sb_f32 sb_test_stratified(sb_u32 i) { return sb_f32_bits((i << 8) | ((i * 0x9e3779b1u) >> 24)); }

SB_FN sb_f64 sb_test_random_f64(sb_u64 i) {
  sb_u32 words[4];
  sb_philox_block(1u, 0x66363400u, i, 0u, words);
  sb_u64 w = ((sb_u64)words[1] << 32) | words[0];
  sb_u64 exponent = 1023u - 12u + words[2] % 24u;
  sb_u32 kind = (sb_u32)(i & 3u);
  sb_f64 uniform = (sb_f64)(sb_i64)w;
  if (kind == 0u) return sb_f64_bits(w);
  if (kind == 1u) return sb_f64_bits((w & 0x800fffffffffffffu) | (exponent << 52));
  return kind == 2u ? uniform * 0x1p-53 : 1.0 + uniform * 0x1p-64;
}

#endif
