// The floating-point environment of C1: nearest-even, no flush-to-zero, no denormals-are-zero. Set on entry of every
// native call and in every worker, the caller's own is restored on exit (other packages of a process do change it). On
// x86 that is MXCSR: no x86-64 compiler computes float or double in the x87 unit, whose control word is left alone.
#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace samebits {

class FpEnvGuard {
 public:
#if defined(SAMEBITS_BREAK_FP_ENVIRONMENT)
  FpEnvGuard() {}  // computes in whatever environment the caller has
#elif defined(__x86_64__) || defined(_M_X64)
  FpEnvGuard() : saved_(_mm_getcsr()) { _mm_setcsr(kMxcsr); }
  ~FpEnvGuard() { _mm_setcsr(saved_); }

 private:
#if defined(SAMEBITS_BREAK_FLUSH_SUBNORMALS)
  static constexpr unsigned kMxcsr = 0x9fc0;  // FTZ and DAZ on
#else
  static constexpr unsigned kMxcsr = 0x1f80;  // all exceptions masked, nearest, FTZ and DAZ off
#endif
  unsigned saved_;
#else
  FpEnvGuard() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FpEnvGuard() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
 public:
  FpEnvGuard(const FpEnvGuard&) = delete;
  FpEnvGuard& operator=(const FpEnvGuard&) = delete;
};

}  // namespace samebits
