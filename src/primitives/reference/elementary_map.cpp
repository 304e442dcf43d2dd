#include "numerics/arith/arith.h"
#include "numerics/elementary/exp.h"
#include "numerics/elementary/exp2.h"
#include "numerics/elementary/exp2_f64.h"
#include "numerics/elementary/exp_f64.h"
#include "numerics/elementary/expm1.h"
#include "numerics/elementary/expm1_f64.h"
#include "numerics/elementary/log.h"
#include "numerics/elementary/log1p.h"
#include "numerics/elementary/log1p_f64.h"
#include "numerics/elementary/log1pexp.h"
#include "numerics/elementary/log1pexp_f64.h"
#include "numerics/elementary/log2.h"
#include "numerics/elementary/log2_f64.h"
#include "numerics/elementary/log_f64.h"
#include "numerics/elementary/logistic.h"
#include "numerics/elementary/logistic_f64.h"
#include "numerics/elementary/tanh.h"
#include "numerics/elementary/tanh_f64.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

struct Function {
  std::int32_t number;
  float (*f32)(float);
  double (*f64)(double);
};

constexpr Function kFunctions[SB_ELEMENTARY_COUNT] = {
    {SB_ELEMENTARY_EXP, sb_exp_f32, sb_exp_f64},
    {SB_ELEMENTARY_EXP2, sb_exp2_f32, sb_exp2_f64},
    {SB_ELEMENTARY_LOG, sb_log_f32, sb_log_f64},
    {SB_ELEMENTARY_LOG2, sb_log2_f32, sb_log2_f64},
    {SB_ELEMENTARY_LOG1P, sb_log1p_f32, sb_log1p_f64},
    {SB_ELEMENTARY_EXPM1, sb_expm1_f32, sb_expm1_f64},
    {SB_ELEMENTARY_TANH, sb_tanh_f32, sb_tanh_f64},
    {SB_ELEMENTARY_LOGISTIC, sb_logistic_f32, sb_logistic_f64},
    {SB_ELEMENTARY_LOG1PEXP, sb_log1pexp_f32, sb_log1pexp_f64},
};

void map_f32(const Function& function, const float* x, float* y, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) y[i] = sb_canonical_nan_f32(function.f32(x[i]));
}

void map_f64(const Function& function, const double* x, double* y, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) y[i] = sb_canonical_nan_f64(function.f64(x[i]));
}

}  // namespace

sb_status elementary_map(const sb_elementary_map_args& a) {
  for (const Function& function : kFunctions) {
    if (function.number != a.function) continue;
    if (a.dtype == SB_DTYPE_F32) {
      map_f32(function, static_cast<const float*>(a.x), static_cast<float*>(a.y), a.n);
    } else {
      map_f64(function, static_cast<const double*>(a.x), static_cast<double*>(a.y), a.n);
    }
    return SB_OK;
  }
  return refuse("elementary_map: no function number " + std::to_string(a.function));
}

}  // namespace samebits::reference
