#include "numerics/order/order.h"
#include "primitives/reference/reference.hpp"

#include <algorithm>
#include <vector>

namespace samebits::reference {
namespace {

// The sampled values of feature f without NaN, -0 as +0, sorted by the total order.
std::vector<double> sorted_values(const sb_quantile_cuts_args& a, std::uint32_t f) {
  std::vector<double> s;
  const std::uint64_t m = a.sample_rows == nullptr ? a.x.n_rows : a.n_sample;
  for (std::uint64_t i = 0; i < m; ++i) {
    double x = value_at(a.x, a.sample_rows == nullptr ? i : a.sample_rows[i], f);
    if (sb_isnan_f64(x) == 0) s.push_back(x == 0.0 ? 0.0 : x);
  }
  std::sort(s.begin(), s.end(), [](double p, double q) { return sb_order_key_f64(p) < sb_order_key_f64(q); });
  return s;
}

// The places p > 0 where s is cut between s[p - 1] and s[p].
std::vector<std::uint64_t> places(const std::vector<double>& s, std::uint64_t max_bins) {
  const std::uint64_t k = s.size();
  std::vector<std::uint64_t> steps;  // where a new distinct value starts
  for (std::uint64_t p = 1; p < k; ++p) {
    if (s[p - 1] != s[p]) steps.push_back(p);
  }
  if (k == 0 || steps.size() + 1 <= max_bins) return steps;
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t j = 1; j < max_bins; ++j) {
    std::uint64_t p = j * k / max_bins;
    while (p > 0 && s[p - 1] == s[p]) --p;
    if (p > 0 && (chosen.empty() || chosen.back() != p)) chosen.push_back(p);
  }
  return chosen;
}

}  // namespace

sb_status quantile_cuts(const sb_quantile_cuts_args& a) {
  if (a.max_bins < 2 || a.max_bins > 255) {
    return refuse("quantile_cuts: max_bins is " + std::to_string(a.max_bins) + ", need 2 to 255");
  }
  for (std::uint64_t i = 0; a.sample_rows != nullptr && i < a.n_sample; ++i) {
    if (a.sample_rows[i] >= a.x.n_rows) {
      return refuse("quantile_cuts: sample row " + std::to_string(a.sample_rows[i]) + " of " +
                    std::to_string(a.x.n_rows) + " rows");
    }
  }
  for (std::uint32_t f = 0; f < a.x.n_features; ++f) {
    const std::vector<double> s = sorted_values(a, f);
    const std::vector<std::uint64_t> cuts = places(s, a.max_bins);
    const std::uint64_t first = static_cast<std::uint64_t>(f) * (a.max_bins - 1);
    a.n_cuts[f] = static_cast<std::uint32_t>(cuts.size());
    for (std::uint64_t c = 0; c < cuts.size(); ++c) {
      a.lower[first + c] = s[cuts[c] - 1];
      a.upper[first + c] = s[cuts[c]];
    }
    a.infinite[f] = 0;
    for (double x : s) a.infinite[f] += sb_isinf_f64(x) != 0 ? 1 : 0;
  }
  return SB_OK;
}

}  // namespace samebits::reference
