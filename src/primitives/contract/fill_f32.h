/* fill_f32/1: out[i] = value for i < n. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_FILL_F32_H
#define SAMEBITS_PRIMITIVES_CONTRACT_FILL_F32_H
#include "primitives/contract/types.h"

typedef struct sb_fill_f32_args {
  float* out;
  float value;
  uint64_t n;
} sb_fill_f32_args;
#endif
