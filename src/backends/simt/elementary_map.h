/* elementary_map/1: one thread an element; the function is the same for all threads of a launch.
   Floor: 8 (16) bytes an element, or the function's instructions.
   May include: numerics, simt. */
#ifndef SAMEBITS_BACKENDS_SIMT_ELEMENTARY_MAP_H
#define SAMEBITS_BACKENDS_SIMT_ELEMENTARY_MAP_H

#include "backends/simt/block.h"
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
#include "primitives/contract/elementary_map.h"

#define SB_DEFINE_MAP(TYPE)                                                                        \
  SB_DEVICE sb_##TYPE sb_elementary_##TYPE(sb_i32 function, sb_##TYPE x) {                         \
    switch (function) {                                                                            \
      case SB_ELEMENTARY_EXP: return sb_exp_##TYPE(x);                                             \
      case SB_ELEMENTARY_EXP2: return sb_exp2_##TYPE(x);                                           \
      case SB_ELEMENTARY_LOG: return sb_log_##TYPE(x);                                             \
      case SB_ELEMENTARY_LOG2: return sb_log2_##TYPE(x);                                           \
      case SB_ELEMENTARY_LOG1P: return sb_log1p_##TYPE(x);                                         \
      case SB_ELEMENTARY_EXPM1: return sb_expm1_##TYPE(x);                                         \
      case SB_ELEMENTARY_TANH: return sb_tanh_##TYPE(x);                                           \
      case SB_ELEMENTARY_LOGISTIC: return sb_logistic_##TYPE(x);                                   \
      default: return sb_log1pexp_##TYPE(x);                                                       \
    }                                                                                              \
  }                                                                                                \
  SB_KERNEL(256)                                                                                   \
  sb_map_##TYPE(sb_i32 function, const SB_GLOBAL sb_##TYPE* x, SB_GLOBAL sb_##TYPE* y, sb_u64 n) { \
    sb_u64 i = (sb_u64)sb_block() * SB_BLOCK + sb_thread();                                        \
    if (i < n) y[i] = sb_elementary_##TYPE(function, x[i]);                                        \
  }

SB_DEFINE_MAP(f32)
SB_DEFINE_MAP(f64)

#endif
