/* One vector register of floats, for loops whose accumulators must stay in registers (compilers do not reliably keep an
   array of single ones there). Host compilers only. Operators work lane by lane.

   SB_VECTOR_BYTES, SB_VECTOR_REGISTERS   what the instruction set has
   SB_HARDWARE_VECTOR_FMA                 is there a fused multiply-add of whole registers by name? */
#ifndef SAMEBITS_NUMERICS_DIALECT_VECTOR_H
#define SAMEBITS_NUMERICS_DIALECT_VECTOR_H

#include "numerics/dialect/dialect.h"

#if defined(__AVX512F__)
#define SB_VECTOR_BYTES 64
#define SB_VECTOR_REGISTERS 32
#elif defined(__AVX2__)
#define SB_VECTOR_BYTES 32
#define SB_VECTOR_REGISTERS 16
#elif defined(__aarch64__)
#define SB_VECTOR_BYTES 16
#define SB_VECTOR_REGISTERS 32
#else
#define SB_VECTOR_BYTES 16
#define SB_VECTOR_REGISTERS 16
#endif

typedef sb_f32 sb_vector_f32 __attribute__((vector_size(SB_VECTOR_BYTES)));
typedef sb_f64 sb_vector_f64 __attribute__((vector_size(SB_VECTOR_BYTES)));

#if defined(__AVX512F__)
#define SB_HARDWARE_VECTOR_FMA 1
/* All lanes; 4: the rounding mode of the environment. */
SB_FN sb_vector_f32 sb_hardware_vector_fma_f32(sb_vector_f32 a, sb_vector_f32 b, sb_vector_f32 c) {
  return __builtin_ia32_vfmaddps512_mask(a, b, c, (sb_u16)0xffff, 4);
}
SB_FN sb_vector_f64 sb_hardware_vector_fma_f64(sb_vector_f64 a, sb_vector_f64 b, sb_vector_f64 c) {
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (sb_u8)0xff, 4);
}
#elif defined(__AVX2__) && defined(__FMA__)
#define SB_HARDWARE_VECTOR_FMA 1
SB_FN sb_vector_f32 sb_hardware_vector_fma_f32(sb_vector_f32 a, sb_vector_f32 b, sb_vector_f32 c) {
  return __builtin_ia32_vfmaddps256(a, b, c);
}
SB_FN sb_vector_f64 sb_hardware_vector_fma_f64(sb_vector_f64 a, sb_vector_f64 b, sb_vector_f64 c) {
  return __builtin_ia32_vfmaddpd256(a, b, c);
}
#else
#define SB_HARDWARE_VECTOR_FMA 0
#endif

#endif
