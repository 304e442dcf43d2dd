/* The only place that asks which compiler this is. Code below src/numerics and src/backends/simt is plain C
   (no templates, references, overloads, namespaces, std::) and uses these names, so that one text serves g++, clang++,
   nvcc, HIP clang, OpenCL C and Metal. */
#ifndef SAMEBITS_NUMERICS_DIALECT_DIALECT_H
#define SAMEBITS_NUMERICS_DIALECT_DIALECT_H

#include "numerics/dialect/break.h"

#include <stdint.h>

typedef int32_t sb_i32;
typedef int64_t sb_i64;
typedef uint8_t sb_u8;
typedef uint16_t sb_u16;
typedef uint32_t sb_u32;
typedef uint64_t sb_u64;
typedef float sb_f32;
typedef double sb_f64;

/* A function of the dialect: callable from host and device code, never exported. */
#if defined(SB_OPENCL) /* set where the text for OpenCL drivers is made: their own macros differ */
#define SB_FN static inline __attribute__((always_inline))
#elif defined(__CUDACC__)
#define SB_FN static __host__ __device__ __forceinline__
#elif defined(__HIP__)
/* clang without any of ROCm's headers: its attributes and built-ins are all that is used. */
#define SB_FN static inline __attribute__((host, device, always_inline, unused))
#else
#define SB_FN static inline __attribute__((always_inline, unused))
#endif

/* Bit casts. */
#if defined(SB_OPENCL)
SB_FN sb_u32 sb_bits_f32(sb_f32 x) { return as_uint(x); }
SB_FN sb_f32 sb_f32_bits(sb_u32 u) { return as_float(u); }
SB_FN sb_u64 sb_bits_f64(sb_f64 x) { return as_ulong(x); }
SB_FN sb_f64 sb_f64_bits(sb_u64 u) { return as_double(u); }
#elif defined(__CUDA_ARCH__)
SB_FN sb_u32 sb_bits_f32(sb_f32 x) { return __float_as_uint(x); }
SB_FN sb_f32 sb_f32_bits(sb_u32 u) { return __uint_as_float(u); }
SB_FN sb_u64 sb_bits_f64(sb_f64 x) { return (sb_u64)__double_as_longlong(x); }
SB_FN sb_f64 sb_f64_bits(sb_u64 u) { return __longlong_as_double((long long)u); }
#else
SB_FN sb_u32 sb_bits_f32(sb_f32 x) {
  sb_u32 u;
  __builtin_memcpy(&u, &x, 4);
  return u;
}
SB_FN sb_f32 sb_f32_bits(sb_u32 u) {
  sb_f32 x;
  __builtin_memcpy(&x, &u, 4);
  return x;
}
SB_FN sb_u64 sb_bits_f64(sb_f64 x) {
  sb_u64 u;
  __builtin_memcpy(&u, &x, 8);
  return u;
}
SB_FN sb_f64 sb_f64_bits(sb_u64 u) {
  sb_f64 x;
  __builtin_memcpy(&x, &u, 8);
  return x;
}
#endif

/* Is there a fused multiply-add instruction? numerics/arith/fma.h uses it, and exact software where there is none. A
   compiler of these targets would also contract a * b + c to it: cmake/numeric_flags.cmake forbids that, and
   tests/codegen counts that no other place has one. */
#if defined(SB_OPENCL)
#define SB_HARDWARE_FMA 1
SB_FN sb_f32 sb_hardware_fma_f32(sb_f32 a, sb_f32 b, sb_f32 c) { return fma(a, b, c); }
SB_FN sb_f64 sb_hardware_fma_f64(sb_f64 a, sb_f64 b, sb_f64 c) { return fma(a, b, c); }
#elif defined(__CUDA_ARCH__)
#define SB_HARDWARE_FMA 1
SB_FN sb_f32 sb_hardware_fma_f32(sb_f32 a, sb_f32 b, sb_f32 c) { return __fmaf_rn(a, b, c); }
SB_FN sb_f64 sb_hardware_fma_f64(sb_f64 a, sb_f64 b, sb_f64 c) { return __fma_rn(a, b, c); }
#elif defined(__FMA__) || defined(__aarch64__) || defined(__s390x__) || __riscv_flen >= 64 || \
    defined(__HIP_DEVICE_COMPILE__)
#define SB_HARDWARE_FMA 1
SB_FN sb_f32 sb_hardware_fma_f32(sb_f32 a, sb_f32 b, sb_f32 c) { return __builtin_fmaf(a, b, c); }
SB_FN sb_f64 sb_hardware_fma_f64(sb_f64 a, sb_f64 b, sb_f64 c) { return __builtin_fma(a, b, c); }
#else
#define SB_HARDWARE_FMA 0
#endif

#endif
