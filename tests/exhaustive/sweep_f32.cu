// The outputs of all f32 elementary functions on all 2^32 inputs, hashed on the GPU: prints "name hash" per function, to be
// compared with conformance/vectors/elementary_f32_exhaustive.json (the hash is an order-free sum, numerics_hash.h).
// With arguments of the form name=hash it compares by itself and fails on a difference.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --fmad=false -prec-div=true -prec-sqrt=true -ftz=false -I src -I tests/cpp/numerics
#include <cstdio>
#include <cstring>

#include "numerics/elementary/exp.h"
#include "numerics/elementary/exp2.h"
#include "numerics/elementary/expm1.h"
#include "numerics/elementary/log.h"
#include "numerics/elementary/log1p.h"
#include "numerics/elementary/log1pexp.h"
#include "numerics/elementary/log2.h"
#include "numerics/elementary/logistic.h"
#include "numerics/elementary/tanh.h"
#include "numerics_hash.h"

#define SB_TEST_KERNEL(NAME)                                                                        \
  __global__ void sweep_##NAME(unsigned long long* total) {                                         \
    unsigned long long sum = 0;                                                                     \
    const sb_u64 step = (sb_u64)gridDim.x * blockDim.x;                                             \
    for (sb_u64 i = (sb_u64)blockIdx.x * blockDim.x + threadIdx.x; i < (1ull << 32); i += step)     \
      sum += sb_test_hash(i, sb_bits_f32(sb_##NAME##_f32(sb_f32_bits((sb_u32)i))));                 \
    atomicAdd(total, sum);                                                                          \
  }
SB_TEST_FUNCTIONS(SB_TEST_KERNEL)

struct Row {
  const char* name;
  void (*kernel)(unsigned long long*);
};
#define SB_TEST_ROW(NAME) {#NAME, sweep_##NAME},
static const Row rows[] = {SB_TEST_FUNCTIONS(SB_TEST_ROW)};

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
      const std::size_t prefix = std::strlen(row.name) + 1;
      if (!std::strncmp(argv[i], text, prefix) && std::strcmp(argv[i], text)) {
        std::printf("%s expected\n", argv[i]);
        ++differences;
      }
    }
  }
  return differences != 0;
}
