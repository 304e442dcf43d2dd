// Every operation of which AMD's instruction sets know more than one kind, one a kernel, for reading its machine code.
#define SB_PROBE extern "C" __attribute__((global)) void

SB_PROBE divide_f32(float* x) { x[0] = x[1] / x[2]; }
SB_PROBE divide_f64(double* x) { x[0] = x[1] / x[2]; }
SB_PROBE root_f32(float* x) { x[0] = __builtin_sqrtf(x[1]); }
SB_PROBE root_f64(double* x) { x[0] = __builtin_sqrt(x[1]); }
SB_PROBE fma_f32(float* x) { x[0] = __builtin_fmaf(x[1], x[2], x[3]); }
SB_PROBE fma_f64(double* x) { x[0] = __builtin_fma(x[1], x[2], x[3]); }
SB_PROBE product_sum_f32(float* x) { x[0] = x[1] * x[2] + x[3]; }
SB_PROBE product_sum_f64(double* x) { x[0] = x[1] * x[2] + x[3]; }
SB_PROBE quotient_u32(unsigned* x) { x[0] = x[1] / x[2]; }
SB_PROBE quotient_u64(unsigned long long* x) { x[0] = x[1] / x[2] + x[3] % x[4]; }
SB_PROBE quotient_u8(unsigned char* x) { x[0] = x[1] / x[2]; }
SB_PROBE integer_to_f32(long long* x, float* y) { y[0] = (float)x[0]; }
SB_PROBE integer_to_f64(long long* x, double* y) { y[0] = (double)x[0]; }
SB_PROBE in_a_loop_divide_f32(float* x, int n) {
  for (int i = 1; i < n; ++i) x[i] = x[i] / x[0] + x[i - 1] / x[0];
}
