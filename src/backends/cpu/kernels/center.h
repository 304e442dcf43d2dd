/* Centring of targets. */
#include "backends/cpu/kernels/kernels.h"
#include "numerics/arith/arith.h"

/* Largest |x - offset|; +infinity when any is not finite. */
static sb_f64 center_max(const sb_f64* x, sb_u64 n, sb_f64 offset) {
  sb_u64 most = 0;
  for (sb_u64 i = 0; i < n; ++i) {
    sb_u64 bits = sb_bits_f64(x[i] - offset) & 0x7fffffffffffffffull;
    most = bits > most ? bits : most;
  }
  return most > 0x7ff0000000000000ull ? sb_f64_bits(0x7ff0000000000000ull) : sb_f64_bits(most);
}

static void center(const sb_f64* x, sb_u64 n, sb_f64 offset, sb_i32 exponent, sb_f32* out) {
  for (sb_u64 i = 0; i < n; ++i) out[i] = (sb_f32)sb_scale2_f64(x[i] - offset, -exponent);
}
