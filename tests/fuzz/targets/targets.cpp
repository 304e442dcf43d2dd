#include "fuzz/targets/targets.hpp"

namespace samebits::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list;
    for (auto part : {array_targets, binning_targets, fit_targets, histogram_targets, loss_targets, product_targets,
                      row_targets, tree_targets}) {
      for (Target& t : part()) {
        t.specs.push_back({"environment", Spec::choice, 0, std::int64_t{std::size(test::kEnvironments)}});
        t.specs.push_back({"shift", Spec::choice, 0, 3});  // of arrays, in elements (test::Unaligned)
        list.push_back(std::move(t));
      }
    }
    return list;
  }();
  return all;
}

}  // namespace samebits::fuzz
