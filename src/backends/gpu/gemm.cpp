#include "backends/gpu/primitives.hpp"

#include <algorithm>

namespace samebits::gpu {
namespace {

constexpr std::uint64_t kBlocks = 2;  // a multiprocessor, at most: each has a place for its waiting subtrees

// The kernel's text is the same for both types; only the types of the pointers differ.
#define SB_LAUNCH_GEMM(TYPE)                                                                                      \
  Scratch<sb_##TYPE> waiting(context, grid.x* levels* SB_GEMM_TILE* SB_GEMM_TILE);                                \
  SB_LAUNCH(context, sb_gemm_##TYPE, grid, static_cast<const sb_##TYPE*>(a.a), a.a_row_stride, a.a_column_stride, \
            static_cast<const sb_##TYPE*>(a.b), a.b_row_stride, a.b_column_stride, static_cast<sb_##TYPE*>(a.c),  \
            a.c_row_stride, a.c_column_stride, a.m, a.n, a.k, levels, waiting.data())

}  // namespace

void gemm(Context& context, const sb_gemm_args& a) {
  const std::uint64_t tiles = ceil_div(a.m, SB_GEMM_TILE) * ceil_div(a.n, SB_GEMM_TILE);
  const std::uint32_t levels = sb_product_levels(sb_product_chains(a.k));
  const Grid grid{std::min(tiles, kBlocks * static_cast<std::uint64_t>(context.multiprocessors()))};
  if (a.dtype == SB_DTYPE_F32) {
    SB_LAUNCH_GEMM(f32);
  } else if (a.dtype == SB_DTYPE_F64) {
    SB_LAUNCH_GEMM(f64);
  } else {
    refuse("gemm: dtype, got " + std::to_string(a.dtype) + ", need 0 (f32) or 1 (f64)");
  }
}

}  // namespace samebits::gpu
