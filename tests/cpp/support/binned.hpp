// Binned data and histogram layouts made without the library's own binning.
#pragma once

#include "primitives/contract/types.h"
#include "support/device_array.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace samebits::test {

// Codes by (row, feature) and the number of cells of every feature.
struct HostBins {
  std::uint64_t n_rows = 0;
  std::uint32_t n_features = 0;
  std::vector<std::uint32_t> offset;  // [n_features + 1]
  std::vector<std::uint8_t> code;     // [row * n_features + f]

  std::uint32_t n_cells() const { return offset.back(); }
  std::uint32_t missing(std::uint32_t f) const { return offset[f + 1] - offset[f] - 1; }
  std::uint8_t at(std::uint64_t row, std::uint32_t f) const { return code[row * n_features + f]; }
};

// Cells per feature cycle through 2 (constant), 256 (full), 3 and random numbers; skewed and even codes, missing values
// in two of three features, every fourth feature a copy of the one before (ties).
HostBins draw_bins(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_features);

// The same on a device, in the panel layout, with or without the copy by columns.
class DeviceBins {
 public:
  DeviceBins(const Device& device, const HostBins& host, bool columns);
  sb_bins bins() const;
  sb_histogram_layout layout() const;

 private:
  const HostBins& host_;
  DeviceArray<std::uint8_t> data_;
  std::unique_ptr<DeviceArray<std::uint8_t>> columns_;
  DeviceArray<std::uint32_t> offset_;
};

}  // namespace samebits::test
