// Single primitives on host arrays: upload, call the device's row of the table, download. For conformance bundles and
// for anyone who wants to see what a device returns; estimators keep their data on the device and do not use this.
#pragma once

#include "samebits/device.hpp"
#include "samebits/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] samebits {
namespace primitives {

// Contract reduce_sum/1: the sum of x[i], or of x[i] * y[i] when y is not null.
double reduce_sum(const Device& device, const double* x, const double* y, std::uint64_t n);

// Names that elementary_map knows: "exp", "log1p", ...
std::vector<std::string> elementary_functions();

// Contract elementary_map/1: y[i] = f(x[i]).
void elementary_map(const Device& device, const std::string& function, const float* x, float* y, std::uint64_t n);
void elementary_map(const Device& device, const std::string& function, const double* x, double* y, std::uint64_t n);

// Arguments of contract histogram_build/1 in plain order.
struct HistogramInput {
  const std::uint8_t* codes = nullptr;         // n_rows x n_features, row by row
  const std::int32_t* gradients = nullptr;     // n_rows x 2: gradient, hessian
  std::uint64_t n_rows = 0;
  std::vector<std::uint32_t> cell_offset;      // n_features + 1, from 0; a feature has 2 to 256 cells
  std::vector<std::uint32_t> active;           // features that are summed, ascending
  std::vector<std::uint32_t> rows;             // row lists of the nodes
  std::vector<std::uint64_t> begin, end;       // node j owns rows[begin[j] .. end[j])
};

// n_nodes x n_cells each.
struct Histograms {
  std::vector<std::int64_t> gradient, hessian;
  std::vector<std::uint32_t> count;
};

Histograms histogram_build(const Device& device, const HistogramInput& input);

// Contract row_sample/1: the rows i < n with word 0 of the draw (seed, purpose, i, draw) below threshold (0 .. 2^32).
std::vector<std::uint32_t> row_sample(const Device& device, std::uint64_t seed, std::uint32_t purpose,
                                      std::uint32_t draw, std::uint64_t threshold, std::uint64_t n);

// Philox4x32-10 (C8), the library's own text on the host: words[4 * i ..] of the draw (seed, purpose, element[i], draw).
void philox_words(std::uint64_t seed, std::uint32_t purpose, const std::uint64_t* element, std::uint32_t draw,
                  std::uint64_t n, std::uint32_t* words);

// The distributions on those words, element by element (numerics/random/philox.h).
void uniform_f32(const std::uint32_t* word, std::uint64_t n, float* out);
void uniform_f64(const std::uint64_t* word, std::uint64_t n, double* out);
void below(const std::uint64_t* word, const std::uint32_t* bound, std::uint64_t n, std::uint32_t* out);

}  // namespace primitives
}  // namespace samebits
