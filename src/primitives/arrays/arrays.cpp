// Primitives of one array in, one array or number out; histogram.cpp has the one with a layout.
#include "numerics/random/philox.h"
#include "primitives/arrays/upload.hpp"
#include "primitives/dispatch/call.hpp"
#include "runtime/fp_env.hpp"
#include "samebits/primitives.hpp"

namespace samebits::primitives {
namespace {

struct Function {
  const char* name;
  std::int32_t number;
};

constexpr Function kFunctions[SB_ELEMENTARY_COUNT] = {
    {"exp", SB_ELEMENTARY_EXP},   {"exp2", SB_ELEMENTARY_EXP2},         {"log", SB_ELEMENTARY_LOG},
    {"log2", SB_ELEMENTARY_LOG2}, {"log1p", SB_ELEMENTARY_LOG1P},       {"expm1", SB_ELEMENTARY_EXPM1},
    {"tanh", SB_ELEMENTARY_TANH}, {"logistic", SB_ELEMENTARY_LOGISTIC}, {"log1pexp", SB_ELEMENTARY_LOG1PEXP},
};

std::int32_t number_of(const std::string& name) {
  std::string known;
  for (const Function& f : kFunctions) {
    if (name == f.name) return f.number;
    known += std::string(known.empty() ? "" : ", ") + f.name;
  }
  throw Error(ErrorCode::invalid_argument, "[elementary_map] function is '" + name + "', need one of " + known);
}

template <class T>
void map(const Device& device, const std::string& function, std::int32_t dtype, const T* x, T* y, std::uint64_t n) {
  const std::int32_t number = number_of(function);
  if (n == 0) return;
  FpEnvGuard environment;
  const Uploaded<T> in(device, x, n);
  Buffer<T> out(device, n);
  sb_elementary_map_args args{number, dtype, in.data(), out.data(), n};
  call(device, "elementary_map", &sb_primitives::elementary_map, args);
  out.download(y, n);
}

}  // namespace

double reduce_sum(const Device& device, const double* x, const double* y, std::uint64_t n) {
  FpEnvGuard environment;
  const Uploaded<double> a(device, x, n), b(device, y, n);
  double out = 0.0;
  sb_reduce_sum_args args{a.data(), b.data(), n, &out};
  call(device, "reduce_sum", &sb_primitives::reduce_sum, args);
  return out;
}

std::vector<std::string> elementary_functions() {
  std::vector<std::string> names;
  for (const Function& f : kFunctions) names.emplace_back(f.name);
  return names;
}

void elementary_map(const Device& device, const std::string& function, const float* x, float* y, std::uint64_t n) {
  map(device, function, SB_DTYPE_F32, x, y, n);
}

void elementary_map(const Device& device, const std::string& function, const double* x, double* y, std::uint64_t n) {
  map(device, function, SB_DTYPE_F64, x, y, n);
}

std::vector<std::uint32_t> row_sample(const Device& device, std::uint64_t seed, std::uint32_t purpose,
                                      std::uint32_t draw, std::uint64_t threshold, std::uint64_t n) {
  if (n == 0) return {};
  if (threshold > 4294967296u || n >= 2147483648u)
    throw Error(ErrorCode::invalid_argument, "[row_sample] threshold is " + std::to_string(threshold) + " and n " +
                                                 std::to_string(n) + ", need at most 2^32 and fewer than 2^31");
  Buffer<std::uint32_t> rows(device, n);
  std::uint64_t kept = 0;
  sb_row_sample_args args{seed, purpose, draw, threshold, n, rows.data(), &kept};
  call(device, "row_sample", &sb_primitives::row_sample, args);
  std::vector<std::uint32_t> out(kept);
  if (kept > 0) rows.download(out.data(), kept);
  return out;
}

void philox_words(std::uint64_t seed, std::uint32_t purpose, const std::uint64_t* element, std::uint32_t draw,
                  std::uint64_t n, std::uint32_t* words) {
  for (std::uint64_t i = 0; i < n; ++i) sb_philox_block(seed, purpose, element[i], draw, words + 4 * i);
}

void uniform_f32(const std::uint32_t* word, std::uint64_t n, float* out) {
  FpEnvGuard environment;
  for (std::uint64_t i = 0; i < n; ++i) out[i] = sb_uniform_f32(word[i]);
}

void uniform_f64(const std::uint64_t* word, std::uint64_t n, double* out) {
  FpEnvGuard environment;
  for (std::uint64_t i = 0; i < n; ++i) out[i] = sb_uniform_f64(word[i]);
}

void below(const std::uint64_t* word, const std::uint32_t* bound, std::uint64_t n, std::uint32_t* out) {
  for (std::uint64_t i = 0; i < n; ++i) {
    if (bound[i] == 0) throw Error(ErrorCode::invalid_argument, "[below] a bound is 0, need at least 1");
    out[i] = sb_below_u32(word[i], bound[i]);
  }
}

}  // namespace samebits::primitives
