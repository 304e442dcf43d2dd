// Fused multiply-add: the software and whatever sb_fma_* uses in this build, against MPFR (products and sums of this
// size are exact in 5000 bits, so that its one rounding is the definition) on operands made to be hard.
#include "numerics/arith/fma.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <random>

#include "fma_inputs.hpp"

namespace {

using namespace samebits_test;

// RN(a b + c) to a format of `precision` bits with exponents from emin to emax, gradual underflow included.
template <class T>
T exact_fma(T a, T b, T c, int precision, long emin, long emax) {
  const mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
  mpfr_t x, y, z, r;
  mpfr_inits2(64, x, y, z, static_cast<mpfr_ptr>(nullptr));
  mpfr_init2(r, precision);
  mpfr_set_d(x, static_cast<double>(a), MPFR_RNDN);
  mpfr_set_d(y, static_cast<double>(b), MPFR_RNDN);
  mpfr_set_d(z, static_cast<double>(c), MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  const int inexact = mpfr_fma(r, x, y, z, MPFR_RNDN);
  mpfr_subnormalize(r, mpfr_check_range(r, inexact, MPFR_RNDN), MPFR_RNDN);
  mpfr_set_emin(old_min);
  mpfr_set_emax(old_max);
  const double result = mpfr_get_d(r, MPFR_RNDN);
  mpfr_clears(x, y, z, r, static_cast<mpfr_ptr>(nullptr));
  return static_cast<T>(result);
}

void check(float a, float b, float c) {
  const float want = exact_fma(a, b, c, 24, -148, 128);
  ASSERT_EQ(canonical(sb_fma_software_f32(a, b, c)), canonical(want)) << a << " " << b << " " << c;
  ASSERT_EQ(canonical(sb_fma_f32(a, b, c)), canonical(want)) << a << " " << b << " " << c;
}
void check(double a, double b, double c) {
  const double want = exact_fma(a, b, c, 53, -1073, 1024);
  ASSERT_EQ(canonical(sb_fma_software_f64(a, b, c)), canonical(want)) << a << " " << b << " " << c;
  ASSERT_EQ(canonical(sb_fma_f64(a, b, c)), canonical(want)) << a << " " << b << " " << c;
}

// c is random, or close to -a b (cancellation), or a half-way distance from it in the last place (ties and near ties).
template <class T>
void sweep(int count) {
  std::mt19937_64 g(7);
  for (int i = 0; i < count; ++i) {
    const T a = make(g, T()), b = make(g, T());
    T c = make(g, T());
    if (i % 4 == 1) c = std::nextafter(-a * b, c);
    if (i % 4 == 2) c = std::ldexp(a * b, (i % 3 ? 1 : -1) * (std::is_same_v<T, float> ? 23 + i % 4 : 52 + i % 4));
    if (i % 4 == 3) c = -a * b;
    check(a, b, c);
  }
}

TEST(Fma, F32IsRoundedOnce) { sweep<float>(400000); }
TEST(Fma, F64IsRoundedOnce) { sweep<double>(400000); }

}  // namespace
