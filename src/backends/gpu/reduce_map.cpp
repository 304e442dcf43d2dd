#include "backends/gpu/primitives.hpp"

namespace samebits::gpu {

void reduce_sum(Context& context, const sb_reduce_sum_args& a) {
  *a.out = 0.0;
  if (a.n == 0) return;
  std::uint64_t n = a.n, tiles = sb_reduce_tiles(n);
  Scratch<double> one(context, tiles), two(context, sb_reduce_tiles(tiles));
  double* out = one.data();
  double* next = two.data();
  const double* x = a.x;
  const double* y = a.y;
  do {
    tiles = sb_reduce_tiles(n);
    SB_LAUNCH(context, sb_reduce_level, Grid{ceil_div(tiles, SB_REDUCE_TILES)}, x, y, n, out);
    x = out;
    y = nullptr;
    n = tiles;
    std::swap(out, next);
  } while (n > 1);
  context.download(a.out, x, sizeof(double));
  *a.out = sb_canonical_nan_f64(*a.out);
}

void center_to_f32(Context& context, const sb_center_to_f32_args& a) {
  constexpr std::uint64_t kInfinityBits = 0x7ff0000000000000u;
  Scratch<std::uint64_t> most(context, 1);
  context.fill_bytes(most.data(), 0, sizeof(std::uint64_t));
  const Grid grid = stride_grid(context, a.n);
  SB_LAUNCH(context, sb_center_max, grid, a.x, a.n, a.offset, most.data());
  SB_LAUNCH(context, sb_center_write, grid, a.x, a.n, a.offset, a.normalise, *a.exponent, most.data(), a.out);
  std::uint64_t bits = 0;
  context.download(&bits, most.data(), sizeof(bits));
  if (bits >= kInfinityBits)
    refuse("center_to_f32: x, got a value that is not finite, need finite targets and weights");
  if (a.normalise != 0) *a.exponent = sb_center_exponent(sb_f64_bits(bits));
}

void elementary_map(Context& context, const sb_elementary_map_args& a) {
  if (a.function < 0 || a.function >= SB_ELEMENTARY_COUNT) {
    refuse("elementary_map: function, got " + std::to_string(a.function) + ", need 0 to " +
           std::to_string(SB_ELEMENTARY_COUNT - 1));
  }
  const Grid grid{ceil_div(a.n, SB_BLOCK)};
  if (a.dtype == SB_DTYPE_F32) {
    SB_LAUNCH(context, sb_map_f32, grid, a.function, static_cast<const float*>(a.x), static_cast<float*>(a.y), a.n);
  } else if (a.dtype == SB_DTYPE_F64) {
    SB_LAUNCH(context, sb_map_f64, grid, a.function, static_cast<const double*>(a.x), static_cast<double*>(a.y), a.n);
  } else {
    refuse("elementary_map: dtype, got " + std::to_string(a.dtype) + ", need 0 (f32) or 1 (f64)");
  }
}

}  // namespace samebits::gpu
