/* Included in front of a source for its second compilation: every fused multiply-add that is written becomes a call, so
   that the ones left in the code are the compiler's own contractions. */
#ifdef __cplusplus
extern "C" {
#endif

typedef float sb_written_16_f32 __attribute__((vector_size(64)));
typedef double sb_written_8_f64 __attribute__((vector_size(64)));
typedef float sb_written_8_f32 __attribute__((vector_size(32)));
typedef double sb_written_4_f64 __attribute__((vector_size(32)));

float sb_written_fma_f32(float, float, float) __attribute__((const));
double sb_written_fma_f64(double, double, double) __attribute__((const));
sb_written_16_f32 sb_written_fma_16_f32(sb_written_16_f32, sb_written_16_f32, sb_written_16_f32) __attribute__((const));
sb_written_8_f64 sb_written_fma_8_f64(sb_written_8_f64, sb_written_8_f64, sb_written_8_f64) __attribute__((const));
sb_written_8_f32 sb_written_fma_8_f32(sb_written_8_f32, sb_written_8_f32, sb_written_8_f32) __attribute__((const));
sb_written_4_f64 sb_written_fma_4_f64(sb_written_4_f64, sb_written_4_f64, sb_written_4_f64) __attribute__((const));

#ifdef __cplusplus
}
#endif

#define __builtin_fmaf(a, b, c) sb_written_fma_f32(a, b, c)
#define __builtin_fma(a, b, c) sb_written_fma_f64(a, b, c)
#define __builtin_ia32_vfmaddps512_mask(a, b, c, lanes, rounding) sb_written_fma_16_f32(a, b, c)
#define __builtin_ia32_vfmaddpd512_mask(a, b, c, lanes, rounding) sb_written_fma_8_f64(a, b, c)
#define __builtin_ia32_vfmaddps256(a, b, c) sb_written_fma_8_f32(a, b, c)
#define __builtin_ia32_vfmaddpd256(a, b, c) sb_written_fma_4_f64(a, b, c)
