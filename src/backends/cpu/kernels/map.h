/* Elementary functions over arrays; NaN canonical. */
#include "backends/cpu/kernels/kernels.h"
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

#define SB_MAP_CASE(NAME, FUNCTION)                                  \
  case NAME:                                                         \
    if (dtype == SB_DTYPE_F32) {                                     \
      const sb_f32* in = (const sb_f32*)x;                           \
      sb_f32* out = (sb_f32*)y;                                      \
      for (sb_u64 i = 0; i < n; ++i) out[i] = FUNCTION##_f32(in[i]); \
    } else {                                                         \
      const sb_f64* in = (const sb_f64*)x;                           \
      sb_f64* out = (sb_f64*)y;                                      \
      for (sb_u64 i = 0; i < n; ++i) out[i] = FUNCTION##_f64(in[i]); \
    }                                                                \
    break;

static void map(sb_i32 function, sb_i32 dtype, const void* x, void* y, sb_u64 n) {
  switch (function) {
    SB_MAP_CASE(SB_ELEMENTARY_EXP, sb_exp)
    SB_MAP_CASE(SB_ELEMENTARY_EXP2, sb_exp2)
    SB_MAP_CASE(SB_ELEMENTARY_LOG, sb_log)
    SB_MAP_CASE(SB_ELEMENTARY_LOG2, sb_log2)
    SB_MAP_CASE(SB_ELEMENTARY_LOG1P, sb_log1p)
    SB_MAP_CASE(SB_ELEMENTARY_EXPM1, sb_expm1)
    SB_MAP_CASE(SB_ELEMENTARY_TANH, sb_tanh)
    SB_MAP_CASE(SB_ELEMENTARY_LOGISTIC, sb_logistic)
    SB_MAP_CASE(SB_ELEMENTARY_LOG1PEXP, sb_log1pexp)
    default: break;
  }
}
