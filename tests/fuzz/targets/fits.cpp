// Whole boosting fits, stage by stage, and their predictions.
#include "fuzz/targets/targets.hpp"
#include "support/boosting_data.hpp"

namespace samebits::fuzz {
namespace {

using boosting::GrowPolicy;
using boosting::Loss;
using test::Data;
using test::Outputs;

Loss loss_of(const Parameters& p) { return p.at("loss") != 0 ? Loss::log_loss : Loss::squared_error; }

boosting::Params params_of(std::uint64_t seed, const Parameters& p) {
  boosting::Params params;
  params.loss = loss_of(p);
  params.grow_policy = p.at("policy") == 0   ? GrowPolicy::lossguide
                       : p.at("policy") == 1 ? GrowPolicy::depthwise
                                             : GrowPolicy::symmetric;
  params.n_estimators = small(p, "trees");
  params.learning_rate = 0.25 * static_cast<double>(p.at("rate"));
  params.max_depth = small(p, "depth");
  params.max_leaf_nodes = params.grow_policy == GrowPolicy::symmetric ? 0 : small(p, "leaves");
  params.min_samples_leaf = small(p, "leaf rows");
  params.l2_regularization = 0.5 * static_cast<double>(p.at("l2"));
  params.max_bins = small(p, "max_bins");
  params.subsample = p.at("sampled") != 0 ? 0.6 : 1.0;
  params.colsample_bytree = p.at("sampled") != 0 ? 0.5 : 1.0;
  params.seed = seed;
  params.early_stopping_rounds = small(p, "patience");
  params.record_train_loss = true;
  return params;
}

// One class only is no data set for log_loss.
void mix_classes(Data* d, Loss loss) {
  if (loss != Loss::log_loss || d->target.size() < 2) return;
  d->target[0] = 0.0;
  d->target[1] = 1.0;
}

// The same bytes, by elements of the same size.
template <class U>
void add_as(const Outputs::Item& item, Outputs* o) {
  std::vector<U> x(item.bytes.size() / sizeof(U));
  if (!x.empty()) std::memcpy(x.data(), item.bytes.data(), item.bytes.size());
  o->add(item.name, x);
}

void add_all(const Outputs& from, Outputs* o) {
  for (const Outputs::Item& item : from.items()) {
    if (item.element_size == 8) {
      add_as<std::uint64_t>(item, o);
    } else if (item.element_size == 4) {
      add_as<std::uint32_t>(item, o);
    } else {
      add_as<std::uint8_t>(item, o);
    }
  }
}

Outputs boosting_fit(const Device& device, std::uint64_t seed, const Parameters& p) {
  const Loss loss = loss_of(p);
  const test::Layout layout = test::kLayouts[p.at("layout")];
  Data train = test::draw_data(seed >> 8, whole(p, "rows"), small(p, "features"), loss, p.at("weighted") != 0, layout);
  Data eval = test::draw_data((seed >> 8) + 1, whole(p, "rows") / 2 + 1, small(p, "features"), loss, false, layout);
  mix_classes(&train, loss);
  if (!train.weight.empty()) train.weight[0] = train.weight[train.weight.size() - 1] = 1.0;
  test::FitRun run;
  std::vector<double> raw(eval.x.n_rows);
  const boosting::Params params = params_of(seed, p);
  within_environment(p, [&] {
    run = test::fit_on(device, train, {&eval}, params);
    boosting::predict_raw(device, run.result.model, view_of(eval.x), run.result.model.n_trees, raw.data());
  });
  Outputs o;
  for (const Stage& s : run.trace.stages())
    o.add("stage " + s.tag, std::vector<char>(s.sha256.begin(), s.sha256.end()));
  add_all(test::outputs_of(run.result), &o);
  o.add("predictions", raw);
  return o;
}

}  // namespace

std::vector<Target> fit_targets() {
  return {{"boosting_fit",
           {{"rows", Spec::size, 1, 1500},
            features(12),
            {"trees", Spec::size, 1, 8},
            flag("loss"),
            flag("weighted"),
            {"policy", Spec::choice, 0, 2},
            {"rate", Spec::choice, 1, 4},
            {"depth", Spec::choice, 1, 6},
            {"leaves", Spec::size, 2, 40},
            {"leaf rows", Spec::size, 1, 20},
            {"l2", Spec::choice, 0, 3},
            {"max_bins", Spec::size, 2, 255},
            flag("sampled"),
            {"patience", Spec::choice, 0, 2},
            {"layout", Spec::choice, 0, std::int64_t{std::size(test::kLayouts)} - 1}},
           boosting_fit}};
}

}  // namespace samebits::fuzz
