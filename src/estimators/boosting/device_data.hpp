// Feature matrices and binned data on a device.
#pragma once

#include "primitives/contract/table.h"
#include "runtime/buffer.hpp"
#include "samebits/boosting.hpp"

#include <vector>

namespace samebits::boosting {

// A host matrix made visible to the device: in place on host-memory backends, else uploaded.
class DeviceMatrix {
 public:
  DeviceMatrix(const Device& device, const Matrix& x);
  const sb_matrix& view() const { return view_; }

 private:
  Buffer<unsigned char> copy_;
  sb_matrix view_{};
};

// Bin edges of every feature, and the histogram layout that follows from them.
class BinMapper {
 public:
  // Samples rows, cuts every feature (contract quantile_cuts/1).
  BinMapper(const Device& device, const sb_matrix& x, std::uint32_t max_bins, std::uint64_t seed);

  sb_histogram_layout layout() const;
  std::uint32_t n_edges(std::uint32_t f) const { return edge_offset[f + 1] - edge_offset[f]; }
  // Threshold of "code <= bin": an edge, or +infinity behind the last one.
  double threshold(std::uint32_t f, std::uint32_t bin) const;

  std::vector<double> edges;
  std::vector<std::uint32_t> edge_offset;

 private:
  std::vector<std::uint32_t> cell_offset_;
  Buffer<std::uint32_t> device_offset_;
};

// Codes of a matrix. Refuses infinite values.
class BinnedData {
 public:
  BinnedData(const Device& device, const BinMapper& mapper, const sb_matrix& x);
  const sb_bins& view() const { return view_; }
  // Codes as a plain n x F array (the canonical form that cards hash).
  std::vector<std::uint8_t> canonical() const;

 private:
  Buffer<std::uint8_t> codes_, columns_;
  sb_bins view_{};
};

}  // namespace samebits::boosting
