// Fused multiply-add: the software, the one in use in this build (the instruction where there is one) and glibc's agree.
// fma_exact_test.cpp compares with MPFR.
#include "numerics/arith/fma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fma_inputs.hpp"

namespace {

using namespace samebits_test;

template <class T>
void agree(T software, T in_use, T a, T b, T c) {
  ASSERT_EQ(canonical(software), canonical(in_use)) << a << " " << b << " " << c;
}

// c is random, close to -a b, or cancels it.
TEST(Fma, TheOneInUseAgreesWithTheSoftware) {
  std::mt19937_64 g(9);
  for (int i = 0; i < 1000000; ++i) {
    const float a = make(g, 0.0f), b = make(g, 0.0f), c = i % 2 ? make(g, 0.0f) : std::nextafter(-a * b, 1.0f);
    agree(sb_fma_software_f32(a, b, c), sb_fma_f32(a, b, c), a, b, c);
    const double p = make(g, 0.0), q = make(g, 0.0), r = i % 2 ? make(g, 0.0) : std::nextafter(-p * q, 1.0);
    agree(sb_fma_software_f64(p, q, r), sb_fma_f64(p, q, r), p, q, r);
  }
}

TEST(Fma, SoftwareF32AgreesWithGlibc) {
  std::mt19937_64 g(8);
  for (int i = 0; i < 2000000; ++i) {
    const float a = make(g, 0.0f), b = make(g, 0.0f), c = i % 2 ? make(g, 0.0f) : -a * b;
    ASSERT_EQ(canonical(sb_fma_software_f32(a, b, c)), canonical(std::fma(a, b, c))) << a << " " << b << " " << c;
  }
}

TEST(Fma, SpecialValues) {
  const float specials[] = {0.0f,         -0.0f,     1.0f,       -1.0f,     HUGE_VALF,       -HUGE_VALF,
                            sb_nan_f32(), 0x1p-149f, -0x1p-149f, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f};
  for (const float a : specials) {
    for (const float b : specials) {
      for (const float c : specials) {
        ASSERT_EQ(canonical(sb_fma_software_f32(a, b, c)), canonical(std::fma(a, b, c))) << a << " " << b << " " << c;
        const double p = a == 0x1p-149f ? 0x1p-1074 : a, q = b == 0x1.fffffep127f ? 0x1.fffffffffffffp1023 : b, r = c;
        ASSERT_EQ(canonical(sb_fma_software_f64(p, q, r)), canonical(std::fma(p, q, r))) << p << " " << q << " " << r;
      }
    }
  }
}

}  // namespace
