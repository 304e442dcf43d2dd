// The same loops compiled for several instruction sets give the pinned bits. (Broken arm: a build with
// SAMEBITS_BREAK=contraction fuses multiplications and additions where the instruction set can, and fails here.)
#include <gtest/gtest.h>

#include "elementary_loops.h"
#include "pinned.hpp"

namespace {

using namespace samebits_test;

void check_table(const sb_test_loops* table) {
  const auto pinned = read_json(vectors_path("elementary_f32.json"));
  for (; table->name; ++table) {
    ASSERT_TRUE(pinned.contains("functions") && pinned["functions"].contains(table->name));
    EXPECT_EQ(pinned["functions"][table->name]["hash"], hex(table->stratified(), 16)) << table->name;
  }
}

void check_f64(const sb_test_loops* table) {
  constexpr std::uint64_t count = 100000;
  std::vector<double> x(count), y(count), z(count);
  for (std::uint64_t i = 0; i < count; ++i) x[i] = sb_test_random_f64(i);
  for (int f = 0; table[f].name; ++f) {
    table[f].f64(x.data(), y.data(), count);
    sb_test_loops_native[f].f64(x.data(), z.data(), count);
    std::uint64_t different = 0;
    for (std::uint64_t i = 0; i < count; ++i) different += sb_bits_f64(y[i]) != sb_bits_f64(z[i]);
    EXPECT_EQ(different, 0u) << table[f].name;
  }
}

#ifdef SAMEBITS_TEST_ISA_baseline
TEST(InstructionSets, Baseline) {
  check_table(sb_test_loops_baseline);
  check_f64(sb_test_loops_baseline);
}
#endif

#ifdef SAMEBITS_TEST_ISA_avx2
TEST(InstructionSets, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  check_table(sb_test_loops_avx2);
  check_f64(sb_test_loops_avx2);
}
#endif

#ifdef SAMEBITS_TEST_ISA_avx512
TEST(InstructionSets, Avx512) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd"))
    GTEST_SKIP() << "this CPU has no AVX-512";
  check_table(sb_test_loops_avx512);
  check_f64(sb_test_loops_avx512);
}
#endif

}  // namespace
