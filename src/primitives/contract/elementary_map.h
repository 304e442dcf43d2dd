/* elementary_map/1: y[i] = f(x[i]) for an elementary function of numerics/elementary (C3), NaN canonical.
   Used by the conformance sweeps, so that every backend's text of a function can be hashed. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_ELEMENTARY_MAP_H
#define SAMEBITS_PRIMITIVES_CONTRACT_ELEMENTARY_MAP_H
#include "primitives/contract/types.h"

enum {
  SB_ELEMENTARY_EXP = 0,
  SB_ELEMENTARY_EXP2,
  SB_ELEMENTARY_LOG,
  SB_ELEMENTARY_LOG2,
  SB_ELEMENTARY_LOG1P,
  SB_ELEMENTARY_EXPM1,
  SB_ELEMENTARY_TANH,
  SB_ELEMENTARY_LOGISTIC,
  SB_ELEMENTARY_LOG1PEXP,
  SB_ELEMENTARY_COUNT
};

typedef struct sb_elementary_map_args {
  int32_t function;
  int32_t dtype; /* SB_DTYPE_F32 or SB_DTYPE_F64 */
  const void* x;
  void* y;
  uint64_t n;
} sb_elementary_map_args;
#endif
