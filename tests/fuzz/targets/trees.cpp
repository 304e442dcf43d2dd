// add_tree_binned, ensemble_predict.
#include "fuzz/targets/binned_rows.hpp"
#include "support/forest.hpp"

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::HostForest;
using test::HostMatrix;
using test::Outputs;

Outputs add_tree_binned(const Device& device, std::uint64_t seed, const Parameters& p) {
  const test::HostBins host = draw_bins(seed, p);
  test::Random random(seed + 1);
  const std::vector<sb_binned_node> tree = test::draw_binned_tree(random, host, small(p, "inner"), p.at("chain") != 0);
  const test::DeviceBins bins(device, host, p.at("columns") != 0);
  const DeviceArray<float> score(device, draw_values<float>(seed + 2, p.at("values"), 24, p.at("skip"), p.at("rows")));
  call_primitive(p, device, "add_tree_binned", &sb_primitives::add_tree_binned,
                 sb_add_tree_binned_args{bins.bins(), bins.layout(), score.data(), tree.data(),
                                         static_cast<std::uint32_t>(tree.size())});
  Outputs o;
  o.add("score", score.read());
  return o;
}

template <class T>
Outputs predict(const Device& device, std::uint64_t seed, const Parameters& p) {
  const test::Values kinds[] = {kSimplestFirst[p.at("values")], test::Values::uniform, test::Values::some_nan};
  const HostMatrix<T> x = test::draw_matrix<T>(seed, whole(p, "rows"), small(p, "features"),
                                               test::kLayouts[p.at("layout")], kinds, std::size(kinds));
  // One row more for the thresholds, so that there is one.
  const HostMatrix<T> other = test::draw_matrix<T>(seed, whole(p, "rows") + 1, small(p, "features"),
                                                   test::Layout::c_order, kinds, std::size(kinds));
  HostForest forest;
  test::Random random(seed + 1);
  for (std::uint32_t t = 0; t < small(p, "trees"); ++t)
    test::add_tree(random, other, small(p, "inner"), p.at("chain") != 0, &forest);
  const std::uint32_t begin = small(p, "first"), end = std::max(small(p, "trees"), begin);
  const DeviceArray<T> data(device, x.storage);
  const DeviceArray<float> score(device, std::vector<float>(x.n_rows, 0.125f));
  const std::uint64_t n_leaves = begin < forest.offset.size() - 1 ? x.n_rows * (end - begin) : 0;
  const DeviceArray<std::int32_t> leaf(device, n_leaves);
  if (n_leaves > 0) {
    call_primitive(p, device, "ensemble_predict", &sb_primitives::ensemble_predict,
                   sb_ensemble_predict_args{x.view(data.data()), forest.node.data(), forest.offset.data(), begin, end,
                                            p.at("leaves") == 1 ? nullptr : score.data(),
                                            p.at("leaves") == 0 ? nullptr : leaf.data()});
  }
  Outputs o;
  o.add("score", score.read());
  o.add("leaf", leaf.read());
  return o;
}

Outputs ensemble_predict(const Device& device, std::uint64_t seed, const Parameters& p) {
  return p.at("f64") != 0 ? predict<double>(device, seed, p) : predict<float>(device, seed, p);
}

}  // namespace

std::vector<Target> tree_targets() {
  const Spec inner{"inner", Spec::size, 0, 60};
  return {
      {"add_tree_binned",
       {rows(10000), skip(), features(40), values(), flag("columns"), inner, flag("chain")},
       add_tree_binned},
      {"ensemble_predict",
       {rows(3000),
        features(20),
        {"trees", Spec::size, 1, 30},
        {"first", Spec::choice, 0, 2},
        inner,
        values(),
        f64(),
        flag("chain"),
        {"leaves", Spec::choice, 0, 2},
        {"layout", Spec::choice, 0, std::int64_t{std::size(test::kLayouts)} - 1}},
       ensemble_predict},
  };
}

}  // namespace samebits::fuzz
