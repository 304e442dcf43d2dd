#include "backends/cpu/context.hpp"
#include "numerics/arith/fixed_point.h"

#include <algorithm>

namespace samebits::cpu {
namespace {

constexpr std::uint32_t kInfinityBits = 0x7f800000u;

std::string non_finite(const char* what) {
  return std::string(what) + " is not finite for some row: the scores or targets are too large for float32";
}

struct Maxima {
  std::uint32_t g = 0, h = 0;
};

const float* offset(const float* p, std::uint64_t i) { return p == nullptr ? nullptr : p + i; }

}  // namespace

sb_status gradients(sb_context* context, const sb_gradients_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const sb_gradients_args& a = *args;
  const int threads = threads_for(c, a.n * 3);
  std::vector<Maxima> maxima(static_cast<std::size_t>(threads));
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(a.n, threads, t, 64, &b, &e);
    Maxima& m = maxima[static_cast<std::size_t>(t)];
    c.kernels->gradients(a.loss, a.score + b, a.target + b, offset(a.weight, b), e - b,
                         reinterpret_cast<float*>(a.gh + 2 * b), &m.g, &m.h);
  });
  Maxima most;
  for (const Maxima& m : maxima) {
    most.g = std::max(most.g, m.g);
    most.h = std::max(most.h, m.h);
  }
  if (most.g >= kInfinityBits || most.h >= kInfinityBits) {
    set_error(non_finite(most.g >= kInfinityBits ? "the gradient" : "the hessian"));
    return SB_ERROR_INVALID;
  }
  *a.exponent_g = sb_fixed_exponent(sb_f32_bits(most.g));
  *a.exponent_h = sb_fixed_exponent(sb_f32_bits(most.h));
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(a.n, threads, t, 64, &b, &e);
    c.kernels->quantise_gradients(a.gh + 2 * b, e - b, *a.exponent_g, *a.exponent_h);
  });
  return SB_OK;
}

sb_status loss_sum(sb_context* context, const sb_loss_sum_args* args) {
  FpEnvGuard environment;
  Context& c = *context_of(context);
  const sb_loss_sum_args& a = *args;
  const int threads = threads_for(c, a.n * 5);
  std::vector<std::uint32_t> maxima(static_cast<std::size_t>(threads));
  std::vector<std::int64_t> sums(maxima.size());
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(a.n, threads, t, 64, &b, &e);
    maxima[static_cast<std::size_t>(t)] =
        c.kernels->loss_max(a.loss, a.score + b, a.target + b, offset(a.weight, b), e - b);
  });
  std::uint32_t most = *std::max_element(maxima.begin(), maxima.end());
  if (most >= kInfinityBits) {
    set_error(non_finite("the loss"));
    return SB_ERROR_INVALID;
  }
  const int exponent = sb_fixed_exponent(sb_f32_bits(most));
  run_team(threads, [&](int t) {
    std::uint64_t b, e;
    team_part(a.n, threads, t, 64, &b, &e);
    sums[static_cast<std::size_t>(t)] =
        c.kernels->loss_sum(a.loss, a.score + b, a.target + b, offset(a.weight, b), e - b, exponent);
  });
  std::int64_t sum = 0;
  for (std::int64_t part : sums) sum += part;
  *a.sum = sum;
  *a.exponent = exponent;
  return SB_OK;
}

}  // namespace samebits::cpu
