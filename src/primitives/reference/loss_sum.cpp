#include "numerics/arith/fixed_point.h"
#include "numerics/ops/loss.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

float loss_of(const sb_loss_sum_args& a, std::uint64_t i) {
  const float l = sb_loss_value(a.loss, a.score[i], a.target[i]);
  return a.weight == nullptr ? l : l * a.weight[i];
}

}  // namespace

sb_status loss_sum(const sb_loss_sum_args& a) {
  float most = 0.0f;
  for (std::uint64_t i = 0; i < a.n; ++i) {
    const float l = loss_of(a, i);
    if (sb_isfinite_f32(l) == 0) return refuse("loss_sum: the loss of row " + std::to_string(i) + " is not finite");
    most = sb_max_f32(l, most);
  }
  *a.exponent = sb_fixed_exponent(most);
  *a.sum = 0;
  for (std::uint64_t i = 0; i < a.n; ++i) *a.sum += sb_to_fixed_f32(loss_of(a, i), *a.exponent);
  return SB_OK;
}

}  // namespace samebits::reference
