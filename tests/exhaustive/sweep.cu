// The sweeps of sweep_f32.cpp and sweep_f64.cpp on the GPU: hashes of the outputs of all elementary functions on all
// 2^32 f32 inputs and on 10^8 random f64 inputs (an order-free sum, numerics_hash.h). Prints "f32.name=hash" and
// "f64.name=hash", to be compared with conformance/vectors/elementary_*_exhaustive.json; arguments of that form are
// compared, a difference fails.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --fmad=false -prec-div=true -prec-sqrt=true -ftz=false -I src -I tests/cpp/numerics
#include <cstdio>
#include <cstring>

#include "numerics/elementary/exp.h"
#include "numerics/elementary/exp2.h"
#include "numerics/elementary/exp2_f64.h"
#include "numerics/elementary/exp_f64.h"
#include "numerics/elementary/expm1.h"
#include "numerics/elementary/expm1_f64.h"
#include "numerics/elementary/log.h"
#include "numerics/elementary/log1p.h"
#include "numerics/elementary/log1p_f64.h"
#include "numerics/elementary/log1pexp.h"
#include "numerics/elementary/log1pexp_f64.h"
#include "numerics/elementary/log2.h"
#include "numerics/elementary/log2_f64.h"
#include "numerics/elementary/log_f64.h"
#include "numerics/elementary/logistic.h"
#include "numerics/elementary/logistic_f64.h"
#include "numerics/elementary/tanh.h"
#include "numerics/elementary/tanh_f64.h"
#include "numerics_hash.h"

constexpr sb_u64 kRandom = 100000000;

#define SB_TEST_KERNELS(NAME)                                                                   \
  __global__ void sweep_f32_##NAME(unsigned long long* total) {                                 \
    unsigned long long sum = 0;                                                                 \
    const sb_u64 step = (sb_u64)gridDim.x * blockDim.x;                                         \
    for (sb_u64 i = (sb_u64)blockIdx.x * blockDim.x + threadIdx.x; i < (1ull << 32); i += step) \
      sum += sb_test_hash(i, sb_bits_f32(sb_##NAME##_f32(sb_f32_bits((sb_u32)i))));             \
    atomicAdd(total, sum);                                                                      \
  }                                                                                             \
  __global__ void sweep_f64_##NAME(unsigned long long* total) {                                 \
    unsigned long long sum = 0;                                                                 \
    const sb_u64 step = (sb_u64)gridDim.x * blockDim.x;                                         \
    for (sb_u64 i = (sb_u64)blockIdx.x * blockDim.x + threadIdx.x; i < kRandom; i += step) {    \
      const sb_f64 x = sb_test_random_f64(i);                                                   \
      sum += sb_test_hash(sb_bits_f64(x), sb_bits_f64(sb_##NAME##_f64(x)));                     \
    }                                                                                           \
    atomicAdd(total, sum);                                                                      \
  }
SB_TEST_FUNCTIONS(SB_TEST_KERNELS)

struct Row {
  const char* name;
  void (*kernel)(unsigned long long*);
};
#define SB_TEST_ROWS(NAME) {"f32." #NAME, sweep_f32_##NAME}, {"f64." #NAME, sweep_f64_##NAME},
static const Row rows[] = {SB_TEST_FUNCTIONS(SB_TEST_ROWS)};

int main(int argc, char** argv) {
  unsigned long long* total = nullptr;
  if (cudaMalloc(&total, sizeof *total) != cudaSuccess) return std::fprintf(stderr, "no CUDA device\n"), 2;
  int differences = 0;
  for (const Row& row : rows) {
    unsigned long long hash = 0;
    cudaMemset(total, 0, sizeof *total);
    row.kernel<<<4096, 256>>>(total);
    if (cudaMemcpy(&hash, total, sizeof hash, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    char text[128];
    std::snprintf(text, sizeof text, "%s=0x%016llx", row.name, hash);
    std::printf("%s\n", text);
    for (int i = 1; i < argc; ++i) {
      const std::size_t prefix = std::strlen(row.name) + 1;  // with the =
      if (!std::strncmp(argv[i], text, prefix) && std::strcmp(argv[i], text)) {
        std::printf("%s expected\n", argv[i]);
        ++differences;
      }
    }
  }
  return differences != 0;
}
