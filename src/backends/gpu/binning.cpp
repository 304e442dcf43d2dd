#include "backends/gpu/primitives.hpp"
#include "numerics/ops/tree.h"

#include <algorithm>

namespace samebits::gpu {
namespace {

constexpr std::uint64_t kKeys = std::uint64_t{1} << 27;  // keys of a batch of features (two buffers of 1 GB)

void require_matrix(const char* operation, const sb_matrix& x) {
  if (x.dtype != SB_DTYPE_F32 && x.dtype != SB_DTYPE_F64) {
    refuse(std::string(operation) + ": dtype, got " + std::to_string(x.dtype) + ", need 0 (f32) or 1 (f64)");
  }
}

void require_quantiles(const sb_quantile_cuts_args& a) {
  require_matrix("quantile_cuts", a.x);
  if (a.max_bins < 2 || a.max_bins > 255) {
    refuse("quantile_cuts: max_bins, got " + std::to_string(a.max_bins) + ", need 2 to 255");
  }
  for (std::uint64_t i = 0; a.sample_rows != nullptr && i < a.n_sample; ++i) {
    if (a.sample_rows[i] >= a.x.n_rows) {
      refuse("quantile_cuts: sample_rows, got " + std::to_string(a.sample_rows[i]) + ", need less than " +
             std::to_string(a.x.n_rows));
    }
  }
}

// Sorts every feature's m keys; returns which of the two buffers holds the result.
std::uint64_t* sort_keys(Context& context, std::uint64_t* keys, std::uint64_t* other, std::uint64_t m,
                         std::uint32_t n_batch, int bits) {
  const std::uint64_t tiles = ceil_div(m, SB_RADIX_TILE);
  std::vector<std::uint32_t> first(n_batch + 1);
  for (std::uint32_t a = 0; a <= n_batch; ++a) first[a] = static_cast<std::uint32_t>(a * SB_RADIX_DIGITS * tiles);
  Upload up(context);
  const auto segments = up.add(first);
  up.send();
  Scratch<std::uint32_t> count(context, n_batch * SB_RADIX_DIGITS * tiles), total(context, n_batch);
  for (int shift = 0; shift < bits; shift += SB_RADIX_BITS) {
    const auto s = static_cast<std::uint32_t>(shift);
    SB_LAUNCH(context, sb_radix_count, (Grid{tiles, n_batch}), keys, m, s, count.data());
    SB_LAUNCH(context, sb_segment_scan, Grid{n_batch}, count.data(), up[segments], total.data());
    SB_LAUNCH(context, sb_radix_scatter, (Grid{tiles, n_batch}), keys, m, s, count.data(), other);
    std::swap(keys, other);
  }
  return keys;
}

double value_of(std::uint64_t key, int dtype) {
  return dtype == SB_DTYPE_F32 ? static_cast<double>(sb_order_value_f32(static_cast<std::uint32_t>(key)))
                               : sb_order_value_f64(key);
}

// The distinct places, ascending; place 0 is no cut.
void write_cuts(const sb_quantile_cuts_args& a, std::uint32_t f, const sb_cut_places& found) {
  std::vector<std::uint32_t> order(found.n);
  for (std::uint32_t c = 0; c < found.n; ++c) order[c] = c;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t p, std::uint32_t q) { return found.place[p] < found.place[q]; });
  const std::uint64_t base = static_cast<std::uint64_t>(f) * (a.max_bins - 1);
  std::uint64_t last = 0;
  std::uint32_t n = 0;
  for (std::uint32_t c : order) {
    if (found.place[c] == last) continue;
    last = found.place[c];
    a.lower[base + n] = value_of(found.lower[c], a.x.dtype);
    a.upper[base + n] = value_of(found.upper[c], a.x.dtype);
    ++n;
  }
  a.n_cuts[f] = n;
}

void cut_batch(Context& context, const sb_quantile_cuts_args& a, const std::uint32_t* sample, std::uint64_t m,
               std::uint32_t first, std::uint32_t n_batch) {
  Scratch<std::uint64_t> keys(context, m * n_batch), other(context, m * n_batch);
  Scratch<sb_sample_facts> facts(context, n_batch);
  Scratch<sb_cut_places> cuts(context, n_batch);
  context.fill_bytes(facts.data(), 0, n_batch * sizeof(sb_sample_facts));
  const bool by_rows = a.x.row_stride <= a.x.column_stride;
  SB_LAUNCH(context, sb_sample_keys, stride_grid(context, m * n_batch), a.x.data, a.x.dtype, a.x.row_stride,
            a.x.column_stride, sample, m, first, n_batch, by_rows, keys.data(), facts.data());
  const std::uint64_t* sorted =
      sort_keys(context, keys.data(), other.data(), m, n_batch, a.x.dtype == SB_DTYPE_F32 ? 32 : 64);
  SB_LAUNCH(context, sb_find_cuts, Grid{n_batch}, sorted, m, facts.data(), a.max_bins, cuts.data());
  std::vector<sb_cut_places> found(n_batch);
  std::vector<sb_sample_facts> counted(n_batch);
  context.download(found.data(), cuts.data(), n_batch * sizeof(sb_cut_places));
  context.download(counted.data(), facts.data(), n_batch * sizeof(sb_sample_facts));
  for (std::uint32_t i = 0; i < n_batch; ++i) {
    write_cuts(a, first + i, found[i]);
    a.infinite[first + i] = counted[i].n_infinite;
  }
}

struct Edges {
  std::vector<float> f32;
  std::vector<double> f64;
  std::vector<std::uint32_t> n;
};

// SB_EDGES edges a feature, padded with +infinity; for f32 data rounded down to f32, which decides x > edge alike.
Edges edges_of(const sb_bin_assign_args& a) {
  Edges edges;
  const std::size_t size = static_cast<std::size_t>(a.x.n_features) * SB_EDGES;
  const bool f32 = a.x.dtype == SB_DTYPE_F32;
  edges.f32.assign(f32 ? size : 0, sb_infinity_f32());
  edges.f64.assign(f32 ? 0 : size, sb_infinity_f64());
  for (std::uint32_t f = 0; f < a.x.n_features; ++f) {
    const std::uint32_t n = a.edge_offset[f + 1] - a.edge_offset[f];
    if (n >= SB_EDGES)
      refuse("bin_assign: edges of feature " + std::to_string(f) + ", got " + std::to_string(n) + ", need at most 254");
    edges.n.push_back(n);
    for (std::uint32_t e = 0; e < n; ++e) {
      const double edge = a.edges[a.edge_offset[f] + e];
      const std::size_t at = static_cast<std::size_t>(f) * SB_EDGES + e;
      if (f32) {
        edges.f32[at] = sb_floor_f32(edge);
      } else {
        edges.f64[at] = edge;
      }
    }
  }
  return edges;
}

}  // namespace

void quantile_cuts(Context& context, const sb_quantile_cuts_args& a) {
  require_quantiles(a);
  const std::uint64_t m = a.sample_rows != nullptr ? a.n_sample : a.x.n_rows;
  if (m == 0) {
    std::fill_n(a.n_cuts, a.x.n_features, 0u);
    std::fill_n(a.infinite, a.x.n_features, std::uint64_t{0});
    return;
  }
  Scratch<std::uint32_t> sample(context, a.sample_rows != nullptr ? m : 1);
  if (a.sample_rows != nullptr) context.upload(sample.data(), a.sample_rows, m * sizeof(std::uint32_t));
  const auto batch = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kKeys / m, 1, kGridY));
  for (std::uint32_t f = 0; f < a.x.n_features; f += std::min(batch, a.x.n_features - f)) {
    cut_batch(context, a, a.sample_rows != nullptr ? sample.data() : nullptr, m, f,
              std::min(batch, a.x.n_features - f));
  }
}

void bin_assign(Context& context, const sb_bin_assign_args& a) {
  require_matrix("bin_assign", a.x);
  *a.n_infinite = 0;
  if (a.x.n_rows == 0 || a.x.n_features == 0) return;
  const Edges edges = edges_of(a);
  Upload up(context);
  const auto f32 = up.add(edges.f32);
  const auto f64 = up.add(edges.f64);
  const auto n_edges = up.add(edges.n);
  up.send();
  Scratch<std::int64_t> infinite(context, 1);
  context.fill_bytes(infinite.data(), 0, sizeof(std::int64_t));
  const std::uint64_t rows = SB_ASSIGN_BLOCK / sb_assign_columns_of(a.bins.width) * SB_ASSIGN_OWN;
  const std::uint64_t blocks =
      std::min<std::uint64_t>(ceil_div(a.x.n_rows, rows), static_cast<std::uint64_t>(context.multiprocessors()) * 4);
  const std::size_t shared = std::size_t{SB_EDGES} * SB_EDGE_LANES * (a.x.dtype == SB_DTYPE_F32 ? 4 : 8);
  const std::uint64_t panels = ceil_div(a.bins.n_features, a.bins.width);
  const Grid grid{blocks, panels * (a.bins.width / sb_assign_columns_of(a.bins.width)), shared};
  if (a.x.dtype == SB_DTYPE_F32) {
    SB_LAUNCH(context, sb_assign_f32, grid, static_cast<const float*>(a.x.data), a.x.n_rows, a.x.n_features,
              a.x.row_stride, a.x.column_stride, up[f32], up[n_edges], a.bins.data, a.bins.width, infinite.data());
  } else {
    SB_LAUNCH(context, sb_assign_f64, grid, static_cast<const double*>(a.x.data), a.x.n_rows, a.x.n_features,
              a.x.row_stride, a.x.column_stride, up[f64], up[n_edges], a.bins.data, a.bins.width, infinite.data());
  }
  if (a.bins.columns != nullptr) {
    SB_LAUNCH(context, sb_assign_columns, (Grid{ceil_div(a.x.n_rows, SB_COLUMN_ROWS), panels}), a.bins.data,
              a.bins.n_rows, a.bins.n_features, a.bins.width, a.bins.columns);
  }
  std::int64_t counted = 0;
  context.download(&counted, infinite.data(), sizeof(counted));
  *a.n_infinite = static_cast<std::uint64_t>(counted);
}

}  // namespace samebits::gpu
