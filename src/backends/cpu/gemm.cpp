// Matrix products: packs blocks of the operands and hands strips of C to the threads. No element of C is shared between
// strips and every strip knows the whole of k, so neither threads nor block sizes can reach a bit.
#include "backends/cpu/context.hpp"
#include "numerics/product/product.h"

#include <algorithm>
#include <atomic>

namespace samebits::cpu {
namespace {

template <class T>
struct View {
  T* data;
  std::int64_t row_stride, column_stride;

  T* at(std::uint64_t row, std::uint64_t column) const {
    return data + static_cast<std::int64_t>(row) * row_stride + static_cast<std::int64_t>(column) * column_stride;
  }
  View transposed() const { return {data, column_stride, row_stride}; }
};

template <class T>
struct Kernels;

template <>
struct Kernels<float> {
  explicit Kernels(const sb_cpu_kernels& k)
      : columns(k.gemm_columns_f32), pack(k.gemm_pack_f32), strip(k.gemm_strip_f32) {}
  std::uint64_t columns;
  decltype(sb_cpu_kernels::gemm_pack_f32) pack;
  decltype(sb_cpu_kernels::gemm_strip_f32) strip;
};

template <>
struct Kernels<double> {
  explicit Kernels(const sb_cpu_kernels& k)
      : columns(k.gemm_columns_f64), pack(k.gemm_pack_f64), strip(k.gemm_strip_f64) {}
  std::uint64_t columns;
  decltype(sb_cpu_kernels::gemm_pack_f64) pack;
  decltype(sb_cpu_kernels::gemm_strip_f64) strip;
};

constexpr std::uint64_t kPackedA = std::uint64_t{1} << 19;  // bytes of a thread's rows of A: a part of its L2 cache
constexpr std::uint64_t kPackedB = std::uint64_t{1} << 25;  // bytes of the columns of B packed at a time
constexpr std::uint64_t kTasks = 4;  // tasks a thread, so that none waits long for another

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// How C is cut. All of it is speed.
struct Blocks {
  std::uint64_t rows;  // of A in a task
  std::uint64_t panels;  // of B in a task
};

template <class T>
Blocks blocks_of(std::uint64_t m, std::uint64_t panels, std::uint64_t k, std::uint64_t tile_rows, int threads) {
  const std::uint64_t fit = std::max<std::uint64_t>(kPackedA / (k * sizeof(T)) / tile_rows, 1);
  const std::uint64_t row_panels = ceil_div(m, tile_rows), row_blocks = ceil_div(row_panels, fit);
  const std::uint64_t wanted = threads > 1 ? kTasks * static_cast<std::uint64_t>(threads) : 1;
  const std::uint64_t groups = std::min(panels, ceil_div(wanted, row_blocks));
  return {ceil_div(row_panels, row_blocks) * tile_rows, ceil_div(panels, groups)};
}

// A product, or some columns of one.
template <class T>
struct Work {
  View<const T> a, b;
  View<T> c;
  std::uint64_t m, n, k;
};

// Panels of B that are packed once and used by all blocks of rows; none when each is used once only, and is then packed
// by the task that uses it.
template <class T>
const T* pack_columns(Context& context, const Kernels<T>& kernels, const Work<T>& w) {
  const std::uint64_t panels = ceil_div(w.n, kernels.columns);
  auto* packed = static_cast<T*>(context.panels.need(panels * kernels.columns * w.k * sizeof(T)));
  const int threads = threads_for(context, w.n * w.k);
  run_team(threads, [&](int thread) {
    std::uint64_t begin, end;
    team_part(w.n, threads, thread, kernels.columns, &begin, &end);
    kernels.pack(w.b.at(0, begin), w.b.column_stride, w.b.row_stride, end - begin, w.k,
                 static_cast<sb_u32>(kernels.columns), packed + begin * w.k);
  });
  return packed;
}

template <class T>
void multiply_block(Context& context, const Work<T>& w) {
  const Kernels<T> kernels(*context.kernels);
  const std::uint64_t tile_rows = context.kernels->gemm_rows, panels = ceil_div(w.n, kernels.columns);
  const int threads = threads_for(context, w.m * w.n / 16 * w.k + w.n * w.k);
  const Blocks blocks = blocks_of<T>(w.m, panels, w.k, tile_rows, threads);
  const std::uint64_t row_blocks = ceil_div(w.m, blocks.rows), groups = ceil_div(panels, blocks.panels);
  const std::uint64_t levels = sb_product_levels(sb_product_chains(w.k));
  const T* packed = row_blocks > 1 ? pack_columns(context, kernels, w) : nullptr;
  const std::uint64_t own_panel = packed == nullptr ? kernels.columns * w.k : 0;
  std::atomic<std::uint64_t> next{0};
  run_team(threads, [&](int thread) {
    Scratch& scratch = context.product[static_cast<std::size_t>(thread)];
    const std::uint64_t waiting_size = levels * kernels.columns * blocks.rows;
    auto* waiting = static_cast<T*>(scratch.need((waiting_size + w.k * blocks.rows + own_panel) * sizeof(T)));
    T *rows = waiting + waiting_size, *own = rows + w.k * blocks.rows;  // behind it: the sums need aligned memory
    for (std::uint64_t task; (task = next.fetch_add(1)) < row_blocks * groups;) {
      const std::uint64_t row = task / groups * blocks.rows, count = std::min(blocks.rows, w.m - row);
      const std::uint64_t first = task % groups * blocks.panels, last = std::min(first + blocks.panels, panels);
      kernels.pack(w.a.at(row, 0), w.a.row_stride, w.a.column_stride, count, w.k, static_cast<sb_u32>(tile_rows), rows);
      for (std::uint64_t panel = first; panel < last; ++panel) {
        const std::uint64_t column = panel * kernels.columns, n = std::min(kernels.columns, w.n - column);
        if (packed == nullptr) {
          kernels.pack(w.b.at(0, column), w.b.column_stride, w.b.row_stride, n, w.k,
                       static_cast<sb_u32>(kernels.columns), own);
        }
        kernels.strip(rows, count, packed == nullptr ? own : packed + column * w.k, n, w.k, waiting,
                      w.c.at(row, column), w.c.row_stride, w.c.column_stride);
      }
    }
  });
}

template <class T>
void multiply(Context& context, Work<T> w) {
  const Kernels<T> kernels(*context.kernels);
  if (w.n < kernels.columns && w.m > w.n) {  // C' = B' A': the same terms in the same order, in fuller vectors
    w = {w.b.transposed(), w.a.transposed(), w.c.transposed(), w.n, w.m, w.k};
  }
  const std::uint64_t fit =
      std::max<std::uint64_t>(kPackedB / (w.k * sizeof(T)) / kernels.columns, 1) * kernels.columns;
  for (std::uint64_t column = 0; column < w.n; column += fit) {
    multiply_block<T>(context, {w.a,
                                {w.b.at(0, column), w.b.row_stride, w.b.column_stride},
                                {w.c.at(0, column), w.c.row_stride, w.c.column_stride},
                                w.m,
                                std::min(fit, w.n - column),
                                w.k});
  }
}

template <class T>
void gemm_of(Context& context, const sb_gemm_args& a) {
  const View<T> c{static_cast<T*>(a.c), a.c_row_stride, a.c_column_stride};
  if (a.k > 0) {
    multiply<T>(context, {{static_cast<const T*>(a.a), a.a_row_stride, a.a_column_stride},
                          {static_cast<const T*>(a.b), a.b_row_stride, a.b_column_stride},
                          c,
                          a.m,
                          a.n,
                          a.k});
    return;
  }
  for (std::uint64_t i = 0; i < a.m; ++i) {
    for (std::uint64_t j = 0; j < a.n; ++j) *c.at(i, j) = T(0);
  }
}

}  // namespace

sb_status gemm(sb_context* context, const sb_gemm_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  if (args->dtype != SB_DTYPE_F32 && args->dtype != SB_DTYPE_F64) {
    set_error("gemm: dtype is " + std::to_string(args->dtype) + ", need 0 (f32) or 1 (f64)");
    return SB_ERROR_INVALID;
  }
  if (args->m == 0 || args->n == 0) return SB_OK;
  if (args->dtype == SB_DTYPE_F32) {
    gemm_of<float>(c, *args);
  } else {
    gemm_of<double>(c, *args);
  }
  return SB_OK;
}

}  // namespace samebits::cpu
