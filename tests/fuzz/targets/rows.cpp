// row_sample, partition_rows, add_leaf_values.
#include "fuzz/targets/binned_rows.hpp"

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::HostNodes;
using test::Outputs;

Outputs row_sample(const Device& device, std::uint64_t seed, const Parameters& p) {
  const std::uint64_t n = whole(p, "rows"), share = whole(p, "share");
  const DeviceArray<std::uint32_t> rows(device, n);
  std::uint64_t kept = ~std::uint64_t{0};
  call_primitive(
      p, device, "row_sample", &sb_primitives::row_sample,
      sb_row_sample_args{seed, small(p, "purpose"), small(p, "draw"), (share << 32) / 16, n, rows.data(), &kept});
  Outputs o;
  o.add_one("kept", kept);
  std::vector<std::uint32_t> all = rows.read();
  if (kept < n) all.resize(kept);  // what stands behind them is not specified
  o.add("rows", all);
  return o;
}

struct Splits {
  std::vector<std::uint32_t> feature, bin, default_left;
  std::vector<std::uint64_t> n_left;
};

Splits draw_splits(std::uint64_t seed, const test::HostBins& bins, const HostNodes& nodes) {
  test::Random random(seed);
  Splits s;
  for (std::uint32_t j = 0; j < nodes.count(); ++j) {
    const auto f = static_cast<std::uint32_t>(random.below(bins.n_features));
    const std::uint32_t missing = bins.missing(f), bin = static_cast<std::uint32_t>(random.below(missing)),
                        to_left = static_cast<std::uint32_t>(random.below(2));
    std::uint64_t left = 0;
    for (std::uint64_t i = nodes.begin[j]; i < nodes.end[j]; ++i) {
      const std::uint32_t code = bins.at(nodes.rows[i], f);
      left += (code == missing ? to_left == 1 : code <= bin) ? 1 : 0;
    }
    s.feature.push_back(f);
    s.bin.push_back(bin);
    s.default_left.push_back(to_left);
    s.n_left.push_back(left);
  }
  return s;
}

Outputs partition_rows(const Device& device, std::uint64_t seed, const Parameters& p) {
  const test::HostBins host = draw_bins(seed, p);
  const HostNodes nodes = test::draw_nodes(seed + 1, host.n_rows, small(p, "nodes"));
  const Splits s = draw_splits(seed + 2, host, nodes);
  const test::DeviceBins bins(device, host, p.at("columns") != 0);
  const DeviceArray<std::uint32_t> rows(device, nodes.rows), scratch(device, nodes.rows.size());
  call_primitive(
      p, device, "partition_rows", &sb_primitives::partition_rows,
      sb_partition_rows_args{bins.bins(), bins.layout(), rows.data(), scratch.data(), nodes.count(), nodes.begin.data(),
                             nodes.end.data(), s.n_left.data(), s.feature.data(), s.bin.data(), s.default_left.data()});
  scratch.read();  // its guards
  Outputs o;
  o.add("rows", rows.read());
  return o;
}

Outputs add_leaf_values(const Device& device, std::uint64_t seed, const Parameters& p) {
  const HostNodes leaves = test::draw_nodes(seed, whole(p, "rows"), small(p, "leaves"));
  const std::vector<float> value = draw_values<float>(seed + 1, p.at("values"), p.at("precision"), 0, leaves.count());
  const DeviceArray<float> score(device,
                                 draw_values<float>(seed + 2, p.at("values"), p.at("precision"), 0, p.at("rows")));
  const DeviceArray<std::uint32_t> rows(device, leaves.rows);
  call_primitive(p, device, "add_leaf_values", &sb_primitives::add_leaf_values,
                 sb_add_leaf_values_args{score.data(), rows.data(), leaves.count(), leaves.begin.data(),
                                         leaves.end.data(), value.data()});
  Outputs o;
  o.add("score", score.read());
  return o;
}

}  // namespace

std::vector<Target> row_targets() {
  return {
      {"row_sample",
       {rows(50000), {"share", Spec::choice, 0, 16}, {"purpose", Spec::choice, 0, 9}, {"draw", Spec::choice, 0, 99}},
       row_sample},
      {"partition_rows", binned_specs(20000), partition_rows},
      {"add_leaf_values", {rows(20000), {"leaves", Spec::size, 1, 100}, values(), precision()}, add_leaf_values},
  };
}

}  // namespace samebits::fuzz
