// gradients, loss_sum.
#include "fuzz/targets/targets.hpp"
#include "numerics/ops/loss.h"

#include <cmath>

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::Outputs;

struct Rows {
  std::vector<float> score, target, weight;
};

// Squared errors of huge values overflow and are refused; both are wanted, so only some cases are kept in range.
Rows draw_rows(std::uint64_t seed, const Parameters& p) {
  Rows r;
  r.score = draw_values<float>(seed, p.at("values"), p.at("precision"), p.at("skip"), p.at("rows"));
  r.target = draw_values<float>(seed + 1, 2, p.at("precision"), p.at("skip"), p.at("rows"));
  r.weight = draw_values<float>(seed + 2, 2, p.at("precision"), p.at("skip"), p.at("rows"));
  for (float& y : r.target) y = p.at("loss") == SB_LOSS_LOG_LOSS ? (y > 0.0f ? 1.0f : 0.0f) : y;
  for (float& w : r.weight) w = std::fabs(w) * static_cast<float>(p.at("weight"));
  for (float& s : r.score) {
    s = p.at("values") == 2 ? s * static_cast<float>(p.at("scale")) : s;
    if (p.at("wild") == 0 && !(std::fabs(s) < 1e15f)) s = 1.5f;
  }
  return r;
}

// Runs one of the two on a device's copies.
template <class Run>
Outputs on_rows(const Device& device, std::uint64_t seed, const Parameters& p, Run run) {
  const Rows r = draw_rows(seed, p);
  const DeviceArray<float> score(device, r.score), target(device, r.target), weight(device, r.weight);
  return run(static_cast<std::int32_t>(p.at("loss")), score.data(), target.data(),
             p.at("weight") != 0 ? weight.data() : nullptr, r.score.size());
}

Outputs gradients(const Device& device, std::uint64_t seed, const Parameters& p) {
  return on_rows(device, seed, p,
                 [&](std::int32_t loss, const float* s, const float* y, const float* w, std::uint64_t n) {
                   const DeviceArray<std::int32_t> gh(device, 2 * n);
                   std::int32_t exponent_g = 77, exponent_h = 77;
                   call_primitive(p, device, "gradients", &sb_primitives::gradients,
                                  sb_gradients_args{loss, s, y, w, n, gh.data(), &exponent_g, &exponent_h});
                   Outputs o;
                   o.add("gh", gh.read());
                   o.add_one("exponent_g", exponent_g);
                   o.add_one("exponent_h", exponent_h);
                   return o;
                 });
}

Outputs loss_sum(const Device& device, std::uint64_t seed, const Parameters& p) {
  return on_rows(device, seed, p,
                 [&](std::int32_t loss, const float* s, const float* y, const float* w, std::uint64_t n) {
                   std::int64_t sum = 77;
                   std::int32_t exponent = 77;
                   call_primitive(p, device, "loss_sum", &sb_primitives::loss_sum,
                                  sb_loss_sum_args{loss, s, y, w, n, &sum, &exponent});
                   Outputs o;
                   o.add_one("sum", sum);
                   o.add_one("exponent", exponent);
                   return o;
                 });
}

}  // namespace

std::vector<Target> loss_targets() {
  const std::vector<Spec> specs = {rows(30000),
                                   skip(),
                                   values(),
                                   precision(),
                                   flag("loss"),
                                   flag("wild"),
                                   {"weight", Spec::choice, 0, 3},
                                   {"scale", Spec::choice, 1, 120}};
  return {{"gradients", specs, gradients}, {"loss_sum", specs, loss_sum}};
}

}  // namespace samebits::fuzz
