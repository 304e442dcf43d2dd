#include "numerics/arith/arith.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status center_to_f32(const sb_center_to_f32_args& a) {
  double most = 0.0;
  for (std::uint64_t i = 0; i < a.n; ++i) {
    const double d = a.x[i] - a.offset;
    if (sb_isfinite_f64(d) == 0) return refuse("center_to_f32: value " + std::to_string(i) + " is not finite");
    most = sb_max_f64(sb_abs_f64(d), most);
  }
  if (a.normalise != 0) *a.exponent = most == 0.0 ? 0 : sb_exponent_f64(most);
  for (std::uint64_t i = 0; i < a.n; ++i) {
    a.out[i] = static_cast<float>(sb_scale2_f64(a.x[i] - a.offset, -*a.exponent));
  }
  return SB_OK;
}

}  // namespace samebits::reference
