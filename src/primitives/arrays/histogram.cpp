#include "primitives/arrays/upload.hpp"
#include "primitives/dispatch/call.hpp"
#include "samebits/primitives.hpp"

namespace samebits::primitives {
namespace {

constexpr std::int32_t kLargest = 1 << 30;  // bound of the contract: |gradient| and hessian

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_argument, "[histogram_build] " + text);
}

void check_layout(const HistogramInput& in) {
  if (in.cell_offset.size() < 2 || in.cell_offset[0] != 0)
    refuse("cell_offset has " + std::to_string(in.cell_offset.size()) +
           " values, need n_features + 1 of them, at least 2, the first one 0");
  for (std::size_t f = 0; f + 1 < in.cell_offset.size(); ++f) {
    const std::int64_t cells = std::int64_t{in.cell_offset[f + 1]} - in.cell_offset[f];
    if (cells < 2 || cells > 256)
      refuse("feature " + std::to_string(f) + " has " + std::to_string(cells) + " cells, need 2 to 256");
  }
  const auto n_features = static_cast<std::uint32_t>(in.cell_offset.size() - 1);
  for (std::size_t k = 0; k < in.active.size(); ++k) {
    if (in.active[k] >= n_features || (k > 0 && in.active[k] <= in.active[k - 1]))
      refuse("active[" + std::to_string(k) + "] is " + std::to_string(in.active[k]) +
             ", need ascending numbers below " + std::to_string(n_features));
  }
}

void check_values(const HistogramInput& in) {
  const std::size_t n_features = in.cell_offset.size() - 1;
  for (std::uint64_t i = 0; i < in.n_rows; ++i) {
    for (std::size_t f = 0; f < n_features; ++f) {
      if (in.codes[i * n_features + f] >= in.cell_offset[f + 1] - in.cell_offset[f])
        refuse("the code of row " + std::to_string(i) + ", feature " + std::to_string(f) + " is " +
               std::to_string(in.codes[i * n_features + f]) + ", need one below the number of cells of the feature");
    }
    const std::int32_t g = in.gradients[2 * i], h = in.gradients[2 * i + 1];
    if (g < -kLargest || g > kLargest || h < 0 || h > kLargest)
      refuse("row " + std::to_string(i) + " has the gradient " + std::to_string(g) + " and the hessian " +
             std::to_string(h) + ", need at most 2^30 in magnitude and a hessian that is not negative");
  }
}

void check_nodes(const HistogramInput& in) {
  if (in.begin.empty() || in.begin.size() != in.end.size())
    refuse("begin and end have " + std::to_string(in.begin.size()) + " and " + std::to_string(in.end.size()) +
           " values, need one each a node and at least one node");
  for (std::size_t j = 0; j < in.begin.size(); ++j) {
    if (in.begin[j] > in.end[j] || in.end[j] > in.rows.size())
      refuse("node " + std::to_string(j) + " owns rows[" + std::to_string(in.begin[j]) + " .. " +
             std::to_string(in.end[j]) + ") of " + std::to_string(in.rows.size()));
  }
  for (std::uint32_t row : in.rows) {
    if (row >= in.n_rows) refuse("a row list has row " + std::to_string(row) + " of " + std::to_string(in.n_rows));
  }
}

// Codes in the panels of types.h.
std::vector<std::uint8_t> panels_of(const HistogramInput& in, std::uint32_t n_features, std::uint32_t width) {
  std::vector<std::uint8_t> out(sb_bins_bytes(in.n_rows, n_features));
  for (std::uint64_t i = 0; i < in.n_rows; ++i) {
    for (std::uint32_t f = 0; f < n_features; ++f)
      out[(std::uint64_t{f / width} * in.n_rows + i) * width + f % width] = in.codes[i * n_features + f];
  }
  return out;
}

}  // namespace

Histograms histogram_build(const Device& device, const HistogramInput& in) {
  check_layout(in);
  check_values(in);
  check_nodes(in);
  const auto n_features = static_cast<std::uint32_t>(in.cell_offset.size() - 1);
  const auto n_nodes = static_cast<std::uint32_t>(in.begin.size());
  const std::uint32_t n_cells = in.cell_offset.back(), width = sb_bins_width(n_features);
  const std::uint64_t n = std::uint64_t{n_nodes} * n_cells;
  std::vector<std::uint8_t> panels = panels_of(in, n_features, width);
  const Uploaded<std::uint8_t> codes(device, panels.data(), panels.size());
  const Uploaded<std::int32_t> gh(device, in.gradients, 2 * in.n_rows);
  const Uploaded<std::uint32_t> rows(device, in.rows.data(), in.rows.size());
  const Uploaded<std::uint32_t> offset(device, in.cell_offset.data(), in.cell_offset.size());
  Buffer<std::int64_t> gradient(device, n), hessian(device, n);
  Buffer<std::uint32_t> count(device, n);
  std::vector<std::uint32_t> slot(n_nodes);
  for (std::uint32_t j = 0; j < n_nodes; ++j) slot[j] = j;
  sb_histogram_build_args args{{codes.data(), in.n_rows, n_features, width, nullptr},
                               gh.data(),
                               rows.data(),
                               {offset.data(), in.cell_offset.data(), n_features, n_cells},
                               {gradient.data(), hessian.data(), count.data()},
                               in.active.data(),
                               static_cast<std::uint32_t>(in.active.size()),
                               n_nodes,
                               in.begin.data(),
                               in.end.data(),
                               slot.data()};
  call(device, "histogram_build", &sb_primitives::histogram_build, args);
  Histograms out{std::vector<std::int64_t>(n), std::vector<std::int64_t>(n), std::vector<std::uint32_t>(n)};
  gradient.download(out.gradient.data(), n);
  hessian.download(out.hessian.data(), n);
  count.download(out.count.data(), n);
  return out;
}

}  // namespace samebits::primitives
