/* a * b + c in every lane, each rounded once: one instruction, or lane by lane (fma.h) where there is none by name. */
#ifndef SAMEBITS_BACKENDS_CPU_KERNELS_VECTOR_FMA_H
#define SAMEBITS_BACKENDS_CPU_KERNELS_VECTOR_FMA_H

#include "numerics/arith/fma.h"
#include "numerics/dialect/vector.h"

#if SB_HARDWARE_VECTOR_FMA
#define SB_DEFINE_VECTOR_FMA(TYPE)                                                                          \
  SB_FN sb_vector_##TYPE sb_vector_fma_##TYPE(sb_vector_##TYPE a, sb_vector_##TYPE b, sb_vector_##TYPE c) { \
    return sb_hardware_vector_fma_##TYPE(a, b, c);                                                          \
  }
#else
#define SB_DEFINE_VECTOR_FMA(TYPE)                                                                           \
  SB_FN sb_vector_##TYPE sb_vector_fma_##TYPE(sb_vector_##TYPE a, sb_vector_##TYPE b, sb_vector_##TYPE c) {  \
    for (sb_u32 l = 0; l < SB_VECTOR_BYTES / sizeof(sb_##TYPE); ++l) c[l] = sb_fma_##TYPE(a[l], b[l], c[l]); \
    return c;                                                                                                \
  }
#endif

SB_DEFINE_VECTOR_FMA(f32)
SB_DEFINE_VECTOR_FMA(f64)

#endif
