// What the check of the host's machine code must notice, one error a macro.
#if defined(WRONG_CONTRACTION)  // needs a flag of the compiler too
extern "C" float sum(float a, float b, float c) { return a * b + c; }
extern "C" float written(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#elif defined(WRONG_LIBRARY)
extern "C" float call(float x) { return __builtin_expf(x); }
#elif defined(WRONG_FUSED_LIBRARY)  // without the instruction this is a call
extern "C" double call(double a, double b, double c) { return __builtin_fma(a, b, c); }
#elif defined(WRONG_APPROXIMATION)  // needs a flag of the compiler too
extern "C" float root(float x) { return 1.0f / __builtin_sqrtf(x); }
#elif defined(WRONG_LONG_DOUBLE)
extern "C" double wide(double a, double b) { return static_cast<double>(static_cast<long double>(a) * b + a); }
#elif defined(WRONG_FLUSH)
extern "C" void flush() {
#if defined(__x86_64__)
  unsigned flags = 0x9fc0;
  __asm__ volatile("ldmxcsr %0" : : "m"(flags));
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(1ul << 24));
#elif defined(__riscv)
  __asm__ volatile("fsrm %0" : : "r"(1ul));
#elif defined(__s390x__)
  __asm__ volatile("sfpc %0" : : "r"(1ul));
#endif
}
#elif defined(WRONG_STARTUP)  // what a library linked with -ffast-math does to the thread that loads it
__attribute__((constructor)) static void start() { __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040); }
#endif
