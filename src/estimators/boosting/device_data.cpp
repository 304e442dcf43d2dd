#include "estimators/boosting/device_data.hpp"

#include "estimators/boosting/purposes.hpp"
#include "numerics/ops/tree.h"
#include "numerics/random/philox.h"
#include "primitives/dispatch/call.hpp"

#include <cstring>
#include <string>

namespace samebits::boosting {
namespace {

constexpr std::uint64_t kBinSample = 200000;  // rows that bin edges are computed from, at most

std::size_t element_size(DType dtype) { return dtype == DType::f32 ? 4 : 8; }

// Row-major copy of a strided matrix.
std::vector<unsigned char> packed(const Matrix& x) {
  const std::size_t size = element_size(x.dtype);
  std::vector<unsigned char> out(x.n_rows * x.n_features * size);
  const auto* data = static_cast<const unsigned char*>(x.data);
  unsigned char* to = out.data();
  for (std::uint64_t i = 0; i < x.n_rows; ++i) {
    for (std::uint32_t f = 0; f < x.n_features; ++f, to += size) {
      std::int64_t at = static_cast<std::int64_t>(i) * x.row_stride + static_cast<std::int64_t>(f) * x.column_stride;
      std::memcpy(to, data + at * static_cast<std::int64_t>(size), size);
    }
  }
  return out;
}

bool row_major(const Matrix& x) {
  return x.column_stride == 1 && x.row_stride == static_cast<std::int64_t>(x.n_features);
}
bool column_major(const Matrix& x) {
  return x.row_stride == 1 && x.column_stride == static_cast<std::int64_t>(x.n_rows);
}

// One row from each of `m` equal strata, so that the sample is spread evenly and ascending.
std::vector<std::uint32_t> stratified_rows(std::uint64_t n, std::uint64_t m, std::uint64_t seed) {
  std::vector<std::uint32_t> rows(m);
  for (std::uint64_t i = 0; i < m; ++i) {
    std::uint64_t low = i * n / m, high = (i + 1) * n / m;
    std::uint64_t draw = sb_philox_u32(seed, kPurposeBinSample, i, 0);
    rows[i] = static_cast<std::uint32_t>(low + (draw * (high - low) >> 32));
  }
  return rows;
}

[[noreturn]] void refuse_infinite(std::uint64_t count) {
  throw Error(ErrorCode::invalid_argument, "[boosting] the feature matrix has " + std::to_string(count) +
                                               " infinite value(s); need finite values, or NaN for missing ones");
}

}  // namespace

DeviceMatrix::DeviceMatrix(const Device& device, const Matrix& x) {
  view_ = {x.data,         x.dtype == DType::f32 ? SB_DTYPE_F32 : SB_DTYPE_F64, x.n_rows, x.n_features, x.row_stride,
           x.column_stride};
  if (device.backend().host_memory != 0) return;
  const std::size_t bytes = x.n_rows * x.n_features * element_size(x.dtype);
  copy_ = Buffer<unsigned char>(device, bytes);
  if (row_major(x) || column_major(x)) {
    copy_.upload(static_cast<const unsigned char*>(x.data), bytes);
  } else {
    std::vector<unsigned char> rows = packed(x);
    copy_.upload(rows.data(), bytes);
    view_.row_stride = x.n_features;
    view_.column_stride = 1;
  }
  view_.data = copy_.data();
}

BinMapper::BinMapper(const Device& device, const sb_matrix& x, std::uint32_t max_bins, std::uint64_t seed) {
  const std::uint32_t n_features = x.n_features;
  const std::size_t cuts = static_cast<std::size_t>(n_features) * (max_bins - 1);
  std::vector<std::uint32_t> sample, n_cuts(n_features);
  std::vector<double> lower(cuts), upper(cuts);
  std::vector<std::uint64_t> infinite(n_features);
  if (x.n_rows > kBinSample) sample = stratified_rows(x.n_rows, kBinSample, seed);
  sb_quantile_cuts_args args{x,
                             sample.empty() ? nullptr : sample.data(),
                             sample.size(),
                             max_bins,
                             n_cuts.data(),
                             lower.data(),
                             upper.data(),
                             infinite.data()};
  call(device, "quantile_cuts", &sb_primitives::quantile_cuts, args);
  std::uint64_t n_infinite = 0;
  for (std::uint64_t count : infinite) n_infinite += count;
  if (n_infinite > 0) refuse_infinite(n_infinite);
  edge_offset.push_back(0);
  cell_offset_.push_back(0);
  for (std::uint32_t f = 0; f < n_features; ++f) {
    std::size_t base = static_cast<std::size_t>(f) * (max_bins - 1);
    for (std::uint32_t i = 0; i < n_cuts[f]; ++i) edges.push_back(sb_bin_edge(lower[base + i], upper[base + i]));
    edge_offset.push_back(static_cast<std::uint32_t>(edges.size()));
    cell_offset_.push_back(cell_offset_.back() + n_cuts[f] + 2);
  }
  device_offset_ = Buffer<std::uint32_t>(device, cell_offset_.size());
  device_offset_.upload(cell_offset_.data(), cell_offset_.size());
}

sb_histogram_layout BinMapper::layout() const {
  auto n_features = static_cast<std::uint32_t>(edge_offset.size() - 1);
  return {device_offset_.data(), cell_offset_.data(), n_features, cell_offset_.back()};
}

double BinMapper::threshold(std::uint32_t f, std::uint32_t bin) const {
  return bin < n_edges(f) ? edges[edge_offset[f] + bin] : sb_f64_bits(0x7ff0000000000000ull);
}

BinnedData::BinnedData(const Device& device, const BinMapper& mapper, const sb_matrix& x)
    : codes_(device, sb_bins_bytes(x.n_rows, x.n_features)) {
  if (device.backend().wants_bin_columns != 0) columns_ = Buffer<std::uint8_t>(device, x.n_rows * x.n_features);
  view_ = {codes_.data(), x.n_rows, x.n_features, sb_bins_width(x.n_features), columns_.data()};
  std::uint64_t infinite = 0;
  sb_bin_assign_args args{x, mapper.edges.data(), mapper.edge_offset.data(), view_, &infinite};
  call(device, "bin_assign", &sb_primitives::bin_assign, args);
  if (infinite > 0) refuse_infinite(infinite);
}

std::vector<std::uint8_t> BinnedData::canonical() const {
  std::vector<std::uint8_t> panels(codes_.size()), out(view_.n_rows * view_.n_features);
  codes_.download(panels.data(), panels.size());
  for (std::uint64_t i = 0; i < view_.n_rows; ++i) {
    for (std::uint32_t f = 0; f < view_.n_features; ++f) {
      out[i * view_.n_features + f] =
          panels[(static_cast<std::uint64_t>(f / view_.width) * view_.n_rows + i) * view_.width + f % view_.width];
    }
  }
  return out;
}

}  // namespace samebits::boosting
