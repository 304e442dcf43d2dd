#include "numerics/arith/fixed_point.h"
#include "numerics/ops/loss.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

void gradient_of(const sb_gradients_args& a, std::uint64_t i, float* g, float* h) {
  sb_loss_gradient(a.loss, a.score[i], a.target[i], g, h);
  if (a.weight == nullptr) return;
  *g = *g * a.weight[i];
  *h = *h * a.weight[i];
}

}  // namespace

sb_status gradients(const sb_gradients_args& a) {
  float max_g = 0.0f, max_h = 0.0f;
  for (std::uint64_t i = 0; i < a.n; ++i) {
    float g, h;
    gradient_of(a, i, &g, &h);
    if (sb_isfinite_f32(g) == 0 || sb_isfinite_f32(h) == 0) {
      return refuse("gradients: the gradient or hessian of row " + std::to_string(i) + " is not finite");
    }
    max_g = sb_max_f32(sb_abs_f32(g), max_g);
    max_h = sb_max_f32(h, max_h);
  }
  *a.exponent_g = sb_fixed_exponent(max_g);
  *a.exponent_h = sb_fixed_exponent(max_h);
  for (std::uint64_t i = 0; i < a.n; ++i) {
    float g, h;
    gradient_of(a, i, &g, &h);
    a.gh[2 * i] = sb_to_fixed_f32(g, *a.exponent_g);
    a.gh[2 * i + 1] = sb_to_fixed_f32(h, *a.exponent_h);
  }
  return SB_OK;
}

}  // namespace samebits::reference
