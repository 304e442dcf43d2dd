/* iota_u32/1: out[i] = i for i < n. */
#ifndef SAMEBITS_PRIMITIVES_CONTRACT_IOTA_U32_H
#define SAMEBITS_PRIMITIVES_CONTRACT_IOTA_U32_H
#include "primitives/contract/types.h"

typedef struct sb_iota_u32_args {
  uint32_t* out;
  uint64_t n;
} sb_iota_u32_args;
#endif
