// quantile_cuts, bin_assign.
#include "fuzz/targets/targets.hpp"
#include "support/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::HostMatrix;
using test::Outputs;

// Column f of a kind of its own around `values`; element (row, f) does not depend on the number of rows.
template <class T>
HostMatrix<T> draw_matrix(std::uint64_t seed, const Parameters& p) {
  HostMatrix<T> m = test::empty_matrix<T>(whole(p, "rows"), small(p, "features"), test::kLayouts[p.at("layout")]);
  for (std::uint32_t f = 0; f < m.n_features; ++f) {
    const std::int64_t kind = p.at("mixed") != 0 ? (p.at("values") + f) % (kAllKinds + 1) : p.at("values");
    const std::vector<T> x = draw_values<T>(seed + f, kind, p.at("precision"), p.at("skip"), p.at("rows"));
    for (std::uint64_t i = 0; i < m.n_rows; ++i) m.at(i, f) = x[i];
  }
  return m;
}

template <class T>
Outputs cuts_of(const Device& device, std::uint64_t seed, const Parameters& p) {
  const HostMatrix<T> x = draw_matrix<T>(seed, p);
  const DeviceArray<T> data(device, x.storage);
  const std::uint32_t max_bins = small(p, "max_bins"), n = x.n_features;
  std::vector<std::uint32_t> sample, n_cuts(n);
  for (std::uint64_t i = 0; i < x.n_rows; i += whole(p, "every")) sample.push_back(static_cast<std::uint32_t>(i));
  std::vector<double> lower(std::size_t{n} * (max_bins - 1)), upper = lower;
  std::vector<std::uint64_t> infinite(n);
  const bool all = p.at("every") == 1;
  call_primitive(p, device, "quantile_cuts", &sb_primitives::quantile_cuts,
                 sb_quantile_cuts_args{x.view(data.data()), all ? nullptr : sample.data(), all ? 0 : sample.size(),
                                       max_bins, n_cuts.data(), lower.data(), upper.data(), infinite.data()});
  for (std::uint32_t f = 0; f < n; ++f) {  // what stands behind the last cut is not specified
    const auto first = static_cast<std::ptrdiff_t>(std::size_t{f} * (max_bins - 1)) + n_cuts[f];
    const auto end = static_cast<std::ptrdiff_t>(std::size_t{f + 1} * (max_bins - 1));
    std::fill(lower.begin() + first, lower.begin() + end, 0.0);
    std::fill(upper.begin() + first, upper.begin() + end, 0.0);
  }
  Outputs o;
  o.add("n_cuts", n_cuts);
  o.add("lower", lower);
  o.add("upper", upper);
  o.add("infinite", infinite);
  return o;
}

Outputs quantile_cuts(const Device& device, std::uint64_t seed, const Parameters& p) {
  return p.at("f64") != 0 ? cuts_of<double>(device, seed, p) : cuts_of<float>(device, seed, p);
}

// Edges are values of the column and values beside them.
template <class T>
std::vector<double> draw_edges(test::Random& random, const HostMatrix<T>& x, std::uint32_t f, std::uint64_t n) {
  std::vector<double> e;
  for (std::uint64_t i = 0; i < n; ++i) {
    double v = x.n_rows > 0 ? static_cast<double>(x.at(random.below(x.n_rows), f)) : 0.0;
    if (!std::isfinite(v)) v = random.between(-2, 2);
    const std::uint64_t beside = random.below(3);
    e.push_back(beside == 0 ? v : std::nextafter(v, beside == 1 ? -HUGE_VAL : HUGE_VAL));
  }
  std::sort(e.begin(), e.end());
  return e;
}

template <class T>
Outputs codes_of(const Device& device, std::uint64_t seed, const Parameters& p) {
  const HostMatrix<T> x = draw_matrix<T>(seed, p);
  test::Random random(seed + 7);
  std::vector<double> edges;
  std::vector<std::uint32_t> offset{0};
  for (std::uint32_t f = 0; f < x.n_features; ++f) {
    for (double e : draw_edges(random, x, f, whole(p, "edges"))) edges.push_back(e);
    offset.push_back(static_cast<std::uint32_t>(edges.size()));
  }
  const DeviceArray<T> data(device, x.storage);
  const DeviceArray<std::uint8_t> codes(device, sb_bins_bytes(x.n_rows, x.n_features)),
      columns(device, p.at("columns") != 0 ? x.n_rows * x.n_features : 0);
  const sb_bins bins{codes.data(), x.n_rows, x.n_features, sb_bins_width(x.n_features),
                     p.at("columns") != 0 ? columns.data() : nullptr};
  std::uint64_t infinite = 77;
  call_primitive(p, device, "bin_assign", &sb_primitives::bin_assign,
                 sb_bin_assign_args{x.view(data.data()), edges.data(), offset.data(), bins, &infinite});
  Outputs o;
  o.add("codes", codes.read());
  o.add("columns", columns.read());
  o.add_one("infinite", infinite);
  return o;
}

Outputs bin_assign(const Device& device, std::uint64_t seed, const Parameters& p) {
  return p.at("f64") != 0 ? codes_of<double>(device, seed, p) : codes_of<float>(device, seed, p);
}

std::vector<Spec> matrix_specs() {
  return {rows(5000),  skip(), features(40),  values(),
          precision(), f64(),  flag("mixed"), {"layout", Spec::choice, 0, std::int64_t{std::size(test::kLayouts)} - 1}};
}

}  // namespace

std::vector<Target> binning_targets() {
  std::vector<Spec> cuts = matrix_specs(), codes = matrix_specs();
  cuts.push_back({"max_bins", Spec::size, 2, 255});
  cuts.push_back({"every", Spec::choice, 1, 4});
  codes.push_back({"edges", Spec::size, 0, 254});
  codes.push_back(flag("columns"));
  return {{"quantile_cuts", cuts, quantile_cuts}, {"bin_assign", codes, bin_assign}};
}

}  // namespace samebits::fuzz
