// Whole-array primitives: centring, floating sums, elementary functions.
#include "backends/cpu/context.hpp"
#include "numerics/arith/arith.h"
#include "numerics/reduce/reduce.h"

#include <algorithm>

namespace samebits::cpu {

sb_status center_to_f32(sb_context* context, const sb_center_to_f32_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const int threads = threads_for(c, args->n);
  std::vector<double> maxima(static_cast<std::size_t>(threads));
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(args->n, threads, t, 64, &b, &e);
    maxima[static_cast<std::size_t>(t)] = c.kernels->center_max(args->x + b, e - b, args->offset);
  });
  double most = *std::max_element(maxima.begin(), maxima.end());
  if (most - most != 0) {
    set_error("a value minus the mean is not finite: the targets span more than float64 can hold; scale them");
    return SB_ERROR_INVALID;
  }
  if (args->normalise != 0) *args->exponent = most > 0 ? sb_exponent_f64(most) : 0;
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(args->n, threads, t, 64, &b, &e);
    c.kernels->center(args->x + b, e - b, args->offset, *args->exponent, args->out + b);
  });
  return SB_OK;
}

sb_status reduce_sum(sb_context* context, const sb_reduce_sum_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  std::vector<double> partials(sb_reduce_tiles(args->n));
  const int threads = threads_for(c, args->n);
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(args->n, threads, t, SB_REDUCE_TILE, &b, &e);
    c.kernels->reduce_tiles(args->x + b, args->y != nullptr ? args->y + b : nullptr, e - b,
                            partials.data() + b / SB_REDUCE_TILE);
  });
  *args->out = sb_reduce_partials_f64(partials.data(), partials.size());
  return SB_OK;
}

sb_status elementary_map(sb_context* context, const sb_elementary_map_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  if (args->function < 0 || args->function >= SB_ELEMENTARY_COUNT) {
    set_error("elementary_map: no function number " + std::to_string(args->function));
    return SB_ERROR_INVALID;
  }
  const std::size_t size = args->dtype == SB_DTYPE_F32 ? 4 : 8;
  const int threads = threads_for(c, args->n * 5);
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(args->n, threads, t, 64, &b, &e);
    c.kernels->map(args->function, args->dtype, static_cast<const char*>(args->x) + b * size,
                   static_cast<char*>(args->y) + b * size, e - b);
  });
  return SB_OK;
}

}  // namespace samebits::cpu
