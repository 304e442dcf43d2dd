// Input checks of gradient boosting: once, early, by name. They read host arrays, before anything reaches a device.
#pragma once

#include "samebits/boosting.hpp"

namespace samebits::boosting {

constexpr std::uint64_t kMaxRows = std::uint64_t{1}
                                   << 31;   // exclusive: sums of 2^30 must fit int64, row numbers 32 bits
constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 31;  // inclusive

// n_features 0: any number.
void check_matrix(const Matrix& x, std::uint32_t n_features, const char* name);
void check_dataset(const Dataset& d, Loss loss, std::uint32_t n_features, const char* name);
void check_params(const Params& p);

}  // namespace samebits::boosting
