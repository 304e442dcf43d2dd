// Binned data whose rows can be dropped from the front.
#pragma once

#include "fuzz/targets/targets.hpp"
#include "support/binned.hpp"
#include "support/nodes.hpp"

namespace samebits::fuzz {

inline test::HostBins draw_bins(std::uint64_t seed, const Parameters& p) {
  test::HostBins bins = test::draw_bins(seed, whole(p, "rows") + whole(p, "skip"), small(p, "features"));
  bins.code.erase(bins.code.begin(),
                  bins.code.begin() + static_cast<std::ptrdiff_t>(whole(p, "skip") * bins.n_features));
  bins.n_rows = whole(p, "rows");
  return bins;
}

// Gradients in [-2^30, 2^30], hessians in [0, 2^30]. kind 0: all alike, 1: +-2^28, 2: any, 3: many at the bounds.
inline std::vector<std::int32_t> draw_gh(std::uint64_t seed, const Parameters& p) {
  constexpr std::int32_t kLargest = 1 << 30;
  std::vector<std::int32_t> gh;
  test::Random random(seed);
  for (std::uint64_t i = 0; i < whole(p, "rows") + whole(p, "skip"); ++i) {
    const std::uint64_t w = random.word();
    const std::int64_t kind = p.at("gradients");
    const bool edge = kind == 3 && w % 4 == 0;
    std::int32_t g = kind == 0 ? 3 : kind == 1 ? 1 << 28 : static_cast<std::int32_t>((w >> 8) % (1u << 30));
    if (edge) g = kLargest;
    if (i < whole(p, "skip")) continue;
    gh.push_back(kind != 0 && (w & 64) != 0 ? -g : g);
    gh.push_back(edge       ? ((w & 128) != 0 ? kLargest : 0)
                 : kind < 2 ? 1 << 29
                            : static_cast<std::int32_t>((w >> 33) % (1u << 30)));
  }
  return gh;
}

inline std::vector<std::uint32_t> active_features(const Parameters& p) {
  std::vector<std::uint32_t> active;
  for (std::uint32_t f = 0; f < small(p, "features"); ++f) {
    if (p.at("some") == 0 || f % 3 != 1) active.push_back(f);
  }
  return active;
}

inline std::vector<Spec> binned_specs(std::int64_t most_rows) {
  return {rows(most_rows), skip(), features(40), {"nodes", Spec::size, 1, 60}, flag("columns")};
}

}  // namespace samebits::fuzz
