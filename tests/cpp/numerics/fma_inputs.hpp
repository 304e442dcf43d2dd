// Operands of fused multiply-adds: all exponents, subnormals, short significands, values near 1, long runs of ones.
#pragma once

#include <cstdint>
#include <random>

#include "numerics/arith/arith.h"

namespace samebits_test {

inline std::uint32_t canonical(float x) { return sb_bits_f32(sb_canonical_nan_f32(x)); }
inline std::uint64_t canonical(double x) { return sb_bits_f64(sb_canonical_nan_f64(x)); }

inline float make(std::mt19937_64& g, float) {
  std::uint32_t u = static_cast<std::uint32_t>(g());
  switch (g() % 6) {
    case 0: u &= 0x807fffffu; break;
    case 1: u &= 0xff800007u; break;
    case 2: u = (u & 0x83ffffffu) | 0x3e000000u; break;
    case 3: u |= 0x007ffff0u; break;
    default: break;
  }
  return sb_f32_bits(u);
}
inline double make(std::mt19937_64& g, double) {
  std::uint64_t u = g();
  switch (g() % 6) {
    case 0: u &= 0x800fffffffffffffu; break;
    case 1: u &= 0xfff0000000000007u; break;
    case 2: u = (u & 0x803fffffffffffffu) | 0x3fe0000000000000u; break;
    case 3: u |= 0x000ffffffffffff0u; break;
    default: break;
  }
  return sb_f64_bits(u);
}

}  // namespace samebits_test
