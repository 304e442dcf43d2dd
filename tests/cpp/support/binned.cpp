#include "support/binned.hpp"

namespace samebits::test {
namespace {

std::uint32_t cells_of(Random& random, std::uint32_t f) {
  switch (f % 5) {
    case 0: return 256;
    case 1: return 2;
    case 2: return 3;
    default: return static_cast<std::uint32_t>(2 + random.below(255));
  }
}

std::uint8_t draw_code(Random& random, std::uint32_t f, std::uint32_t missing) {
  const std::uint64_t w = random.word();
  if (f % 3 != 0 && w % 7 == 0) return static_cast<std::uint8_t>(missing);
  std::uint64_t b = (w >> 8) % missing;
  if (f % 4 == 2) b = b * b / missing;  // skewed: low codes are crowded
  return static_cast<std::uint8_t>(b);
}

std::vector<std::uint8_t> panels(const HostBins& h) {
  const std::uint64_t width = sb_bins_width(h.n_features);
  std::vector<std::uint8_t> data(sb_bins_bytes(h.n_rows, h.n_features), 0);
  for (std::uint64_t row = 0; row < h.n_rows; ++row) {
    for (std::uint64_t f = 0; f < h.n_features; ++f) {
      data[((f / width) * h.n_rows + row) * width + f % width] = h.at(row, static_cast<std::uint32_t>(f));
    }
  }
  return data;
}

std::vector<std::uint8_t> by_columns(const HostBins& h) {
  std::vector<std::uint8_t> data(h.n_rows * h.n_features);
  for (std::uint64_t row = 0; row < h.n_rows; ++row) {
    for (std::uint64_t f = 0; f < h.n_features; ++f)
      data[f * h.n_rows + row] = h.at(row, static_cast<std::uint32_t>(f));
  }
  return data;
}

}  // namespace

HostBins draw_bins(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_features) {
  Random random(seed);
  HostBins h;
  h.n_rows = n_rows;
  h.n_features = n_features;
  h.offset = {0};
  for (std::uint32_t f = 0; f < n_features; ++f) {
    const bool copy = f % 4 == 3;
    h.offset.push_back(h.offset.back() + (copy ? h.offset[f] - h.offset[f - 1] : cells_of(random, f)));
  }
  h.code.resize(n_rows * n_features);
  for (std::uint64_t row = 0; row < n_rows; ++row) {
    for (std::uint32_t f = 0; f < n_features; ++f) {
      std::uint8_t& code = h.code[row * n_features + f];
      code = f % 4 == 3 ? h.code[row * n_features + f - 1] : draw_code(random, f, h.missing(f));
    }
  }
  return h;
}

DeviceBins::DeviceBins(const Device& device, const HostBins& host, bool columns)
    : host_(host), data_(device, panels(host)), offset_(device, host.offset) {
  if (columns) columns_ = std::make_unique<DeviceArray<std::uint8_t>>(device, by_columns(host));
}

sb_bins DeviceBins::bins() const {
  return {data_.data(), host_.n_rows, host_.n_features, sb_bins_width(host_.n_features),
          columns_ ? columns_->data() : nullptr};
}

sb_histogram_layout DeviceBins::layout() const {
  return {offset_.data(), host_.offset.data(), host_.n_features, host_.n_cells()};
}

}  // namespace samebits::test
