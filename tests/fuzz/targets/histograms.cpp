// histogram_build, histogram_subtract, split_find.
#include "fuzz/targets/binned_rows.hpp"
#include "support/pool.hpp"

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::DevicePool;
using test::HostNodes;
using test::HostPool;
using test::Outputs;

Outputs histogram_build(const Device& device, std::uint64_t seed, const Parameters& p) {
  const test::HostBins host = draw_bins(seed, p);
  const HostNodes nodes = test::draw_nodes(seed + 1, host.n_rows, small(p, "nodes"));
  const std::vector<std::uint32_t> active = active_features(p);
  const test::DeviceBins bins(device, host, p.at("columns") != 0);
  const DeviceArray<std::int32_t> gh(device, draw_gh(seed + 2, p));
  const DeviceArray<std::uint32_t> rows(device, nodes.rows);
  const DevicePool pool(device, 2 * whole(p, "nodes") * host.n_cells());
  call_primitive(
      p, device, "histogram_build", &sb_primitives::histogram_build,
      sb_histogram_build_args{bins.bins(), gh.data(), p.at("listed") != 0 ? rows.data() : nullptr, bins.layout(),
                              pool.view(), active.data(), static_cast<std::uint32_t>(active.size()), nodes.count(),
                              nodes.begin.data(), nodes.end.data(), nodes.slot.data()});
  Outputs o;
  pool.add_to(&o);
  return o;
}

Outputs histogram_subtract(const Device& device, std::uint64_t seed, const Parameters& p) {
  const std::uint32_t cells = small(p, "cells"), pairs = small(p, "pairs");
  test::Random random(seed);
  HostPool host;
  for (std::uint64_t i = 0; i < std::uint64_t{cells} * 3 * pairs; ++i) {
    host.gradient.push_back(static_cast<std::int64_t>(random.word()) >> 3);
    host.hessian.push_back(static_cast<std::int64_t>(random.word()) >> 3);
    host.count.push_back(static_cast<std::uint32_t>(random.word()));
  }
  std::vector<std::uint32_t> parent, child, out;
  for (std::uint32_t j = 0; j < pairs; ++j) {
    parent.push_back(3 * j + 1);
    child.push_back(3 * j);
    out.push_back(3 * j + (p.at("in place") != 0 ? 1 : 2));
  }
  const DevicePool pool(device, host);
  call_primitive(p, device, "histogram_subtract", &sb_primitives::histogram_subtract,
                 sb_histogram_subtract_args{pool.view(), cells, pairs, parent.data(), child.data(), out.data()});
  Outputs o;
  pool.add_to(&o);
  return o;
}

struct Histograms {
  std::vector<std::uint32_t> offset, slot;
  HostPool pool;
  std::vector<sb_node_sums> sums;
};

// Histograms of nodes, added up here.
Histograms draw_histograms(std::uint64_t seed, const Parameters& p) {
  const test::HostBins bins = draw_bins(seed, p);
  const HostNodes nodes = test::draw_nodes(seed + 1, bins.n_rows, small(p, "nodes"));
  const std::vector<std::int32_t> gh = draw_gh(seed + 2, p);
  Histograms h{bins.offset, nodes.slot, {}, {}};
  h.pool.gradient.assign(2 * whole(p, "nodes") * bins.n_cells(), 0);
  h.pool.hessian = h.pool.gradient;
  h.pool.count.assign(h.pool.gradient.size(), 0);
  for (std::uint32_t j = 0; j < nodes.count(); ++j) {
    sb_node_sums sums{};
    for (std::uint64_t i = nodes.begin[j]; i < nodes.end[j]; ++i) {
      const std::uint32_t row = nodes.rows[i];
      sums.gradient += gh[2 * row];
      sums.hessian += gh[2 * row + 1];
      sums.count += 1;
      for (std::uint32_t f = 0; f < bins.n_features; ++f) {
        const std::uint64_t cell = std::uint64_t{nodes.slot[j]} * bins.n_cells() + bins.offset[f] + bins.at(row, f);
        h.pool.gradient[cell] += gh[2 * row];
        h.pool.hessian[cell] += gh[2 * row + 1];
        h.pool.count[cell] += 1;
      }
    }
    h.sums.push_back(sums);
  }
  return h;
}

Outputs outputs_of(const std::vector<sb_split>& best) {
  std::vector<float> gain;
  std::vector<std::int64_t> rest;
  for (const sb_split& s : best) {
    gain.push_back(s.gain);
    for (std::int64_t x : {std::int64_t{s.feature}, std::int64_t{s.bin}, std::int64_t{s.default_left}, s.left.gradient,
                           s.left.hessian, std::int64_t{s.left.count}})
      rest.push_back(x);
  }
  Outputs o;
  o.add("feature, bin, default_left, left sums", rest);
  o.add("gain", gain);
  return o;
}

Outputs split_find(const Device& device, std::uint64_t seed, const Parameters& p) {
  const Histograms h = draw_histograms(seed, p);
  const std::vector<std::uint32_t> active = active_features(p);
  const DeviceArray<std::uint32_t> offset(device, h.offset);
  const DevicePool pool(device, h.pool);
  constexpr float kL2[] = {0.0f, 1.0f, 0.75f, 1e-30f, 1e10f, 1e-45f};
  std::vector<sb_split> best(h.slot.size());
  const sb_split_parameters parameters{29, kL2[p.at("l2")], p.at("weighted") != 0 ? 0.5f : 0.0f, small(p, "leaf")};
  call_primitive(p, device, "split_find", &sb_primitives::split_find,
                 sb_split_find_args{{offset.data(), h.offset.data(), small(p, "features"), h.offset.back()},
                                    pool.view(),
                                    active.data(),
                                    static_cast<std::uint32_t>(active.size()),
                                    static_cast<std::uint32_t>(h.slot.size()),
                                    h.slot.data(),
                                    h.sums.data(),
                                    parameters,
                                    static_cast<std::int32_t>(p.at("shared")),
                                    best.data()});
  return outputs_of(best);
}

}  // namespace

std::vector<Target> histogram_targets() {
  std::vector<Spec> build = binned_specs(6000), split = binned_specs(1500);
  for (const Spec& spec : {Spec{"gradients", Spec::choice, 0, 3}, flag("some")}) {
    build.push_back(spec);
    split.push_back(spec);
  }
  build.push_back(flag("listed"));
  for (const Spec& spec :
       {Spec{"l2", Spec::choice, 0, 5}, flag("weighted"), Spec{"leaf", Spec::choice, 1, 9}, flag("shared")})
    split.push_back(spec);
  return {
      {"histogram_build", build, histogram_build},
      {"histogram_subtract",
       {{"cells", Spec::size, 1, 3000}, {"pairs", Spec::size, 0, 20}, flag("in place")},
       histogram_subtract},
      {"split_find", split, split_find},
  };
}

}  // namespace samebits::fuzz
