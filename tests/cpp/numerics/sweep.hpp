// What the tests of the elementary functions share: the references and the distance from them.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "numerics_hash.h"
#include "pinned.hpp"

namespace samebits_test {

// References. f64 for f32 functions: glibc's functions are within an ulp of f64, 2^-29 ulp of f32; the two that are
// composed lose a few ulps of f64 at most. long double for f64 functions likewise.
template <class T>
T reference_exp(T x) {
  return std::exp(x);
}
template <class T>
T reference_exp2(T x) {
  return std::exp2(x);
}
template <class T>
T reference_log(T x) {
  return std::log(x);
}
template <class T>
T reference_log2(T x) {
  return std::log2(x);
}
template <class T>
T reference_log1p(T x) {
  return std::log1p(x);
}
template <class T>
T reference_expm1(T x) {
  return std::expm1(x);
}
template <class T>
T reference_tanh(T x) {
  return std::tanh(x);
}
template <class T>
T reference_logistic(T x) {
  const T e = std::exp(x < 0 ? x : -x);
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}
template <class T>
T reference_log1pexp(T x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

inline void mpfr_reference_exp(mpfr_t r, mpfr_t x) { mpfr_exp(r, x, MPFR_RNDN); }
inline void mpfr_reference_exp2(mpfr_t r, mpfr_t x) { mpfr_exp2(r, x, MPFR_RNDN); }
inline void mpfr_reference_log(mpfr_t r, mpfr_t x) { mpfr_log(r, x, MPFR_RNDN); }
inline void mpfr_reference_log2(mpfr_t r, mpfr_t x) { mpfr_log2(r, x, MPFR_RNDN); }
inline void mpfr_reference_log1p(mpfr_t r, mpfr_t x) { mpfr_log1p(r, x, MPFR_RNDN); }
inline void mpfr_reference_expm1(mpfr_t r, mpfr_t x) { mpfr_expm1(r, x, MPFR_RNDN); }
inline void mpfr_reference_tanh(mpfr_t r, mpfr_t x) { mpfr_tanh(r, x, MPFR_RNDN); }
inline void mpfr_reference_logistic(mpfr_t r, mpfr_t x) {
  mpfr_neg(r, x, MPFR_RNDN);
  mpfr_exp(r, r, MPFR_RNDN);
  mpfr_add_ui(r, r, 1, MPFR_RNDN);
  mpfr_ui_div(r, 1, r, MPFR_RNDN);
}
inline void mpfr_reference_log1pexp(mpfr_t r, mpfr_t x) {
  if (mpfr_cmp_ui(x, 4000) > 0) {
    mpfr_set(r, x, MPFR_RNDN);
    return;
  }
  mpfr_exp(r, x, MPFR_RNDN);
  mpfr_log1p(r, r, MPFR_RNDN);
}

struct Reference {
  const char* name;
  double (*f64)(double);
  long double (*f80)(long double);
  void (*mpfr)(mpfr_t, mpfr_t);
};

inline const std::vector<Reference>& references() {
#define SB_TEST_REFERENCE(NAME) {#NAME, reference_##NAME<double>, reference_##NAME<long double>, mpfr_reference_##NAME},
  static const std::vector<Reference> table = {SB_TEST_FUNCTIONS(SB_TEST_REFERENCE)};
#undef SB_TEST_REFERENCE
  return table;
}

// Distance of a result y from the exact value r in ulps of r (format with `bits` of significand and smallest exponent
// `least`, so that ulp = 2^(max(exponent, least) - bits)); an infinite y stands at 2^most, where the overflow range
// begins.
template <class Y, class R>
R ulp_error(Y y, R r, int bits, int least, int most) {
  const R limit = std::ldexp(R(1), most);
  const R a = std::isinf(y) ? std::copysign(limit, R(y)) : R(y);
  const R b = r > limit ? limit : r < -limit ? -limit : r;
  if (a == b) return 0;
  int e = 0;
  std::frexp(b, &e);
  return std::abs(a - b) * std::ldexp(R(1), bits - (e < least ? least : e));
}
inline double ulp_error_f32(float y, double r) { return ulp_error<float, double>(y, r, 24, -125, 128); }
inline double ulp_error_f64(double y, long double r) {
  return static_cast<double>(ulp_error<double, long double>(y, r, 53, -1021, 1024));
}

// The same against MPFR with 200 bits. NaN, infinite and zero references must be met exactly: error infinite if not.
template <class T>
double mpfr_ulp_error(T y, T x, void (*function)(mpfr_t, mpfr_t), int bits, int least, int most) {
  mpfr_t a, r, d;
  mpfr_inits2(200, a, r, d, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(a, static_cast<double>(x), MPFR_RNDN);
  function(r, a);
  double error = HUGE_VAL;
  if (mpfr_nan_p(r)) {
    error = std::isnan(y) ? 0 : HUGE_VAL;
  } else if (mpfr_inf_p(r) || mpfr_zero_p(r)) {
    error = static_cast<double>(y) == mpfr_get_d(r, MPFR_RNDN) ? 0 : HUGE_VAL;
  } else {
    mpfr_t limit;
    mpfr_init2(limit, 200);
    mpfr_set_ui_2exp(limit, 1, most, MPFR_RNDN);
    if (mpfr_cmp_abs(r, limit) > 0) mpfr_copysign(r, limit, r, MPFR_RNDN);
    const long e = mpfr_get_exp(r);
    mpfr_set_d(d, static_cast<double>(y), MPFR_RNDN);
    if (std::isinf(y)) mpfr_copysign(d, limit, d, MPFR_RNDN);
    mpfr_sub(d, d, r, MPFR_RNDN);
    mpfr_mul_2si(d, d, bits - (e < least ? least : e), MPFR_RNDN);
    error = std::abs(mpfr_get_d(d, MPFR_RNDA));
    mpfr_clear(limit);
  }
  mpfr_clears(a, r, d, static_cast<mpfr_ptr>(nullptr));
  return error;
}
inline double mpfr_ulp_error_f32(float y, float x, void (*f)(mpfr_t, mpfr_t)) {
  return mpfr_ulp_error(y, x, f, 24, -125, 128);
}
inline double mpfr_ulp_error_f64(double y, double x, void (*f)(mpfr_t, mpfr_t)) {
  return mpfr_ulp_error(y, x, f, 53, -1021, 1024);
}

}  // namespace samebits_test
