#include "support/boosting_data.hpp"

namespace samebits::test {
namespace {

template <class T>
boosting::Matrix matrix_of(const HostMatrix<T>& x, boosting::DType dtype) {
  return {x.storage.data() + x.origin, dtype, x.n_rows, x.n_features, x.row_stride, x.column_stride};
}

// A step, a slope and noise; NaN counts as a value of its own.
double target_of(const HostMatrix<float>& x, std::uint64_t row, Random& random) {
  double y = random.between(-0.3, 0.3);
  for (std::uint32_t f = 0; f < x.n_features; ++f) {
    const float v = x.at(row, f);
    if (v != v) {
      y += f % 2 == 0 ? 0.7 : -0.4;
    } else if (f % 3 == 0) {
      y += v > 0.25f ? 1.0 : -0.5;
    } else if (v > -4.0f && v < 4.0f) {
      y += 0.3 * static_cast<double>(v);
    }
  }
  return y;
}

}  // namespace

boosting::Matrix view_of(const HostMatrix<float>& x) { return matrix_of(x, boosting::DType::f32); }
boosting::Matrix view_of(const HostMatrix<double>& x) { return matrix_of(x, boosting::DType::f64); }

boosting::Dataset Data::view() const { return {view_of(x), target.data(), weight.empty() ? nullptr : weight.data()}; }

Data draw_data(std::uint64_t seed, std::uint64_t n_rows, std::uint32_t n_features, boosting::Loss loss, bool weighted,
               Layout layout) {
  constexpr Values kKinds[] = {Values::uniform,   Values::some_nan,    Values::small_ints, Values::uniform,
                               Values::subnormal, Values::constant,    Values::all_nan,    Values::huge_range,
                               Values::adjacent,  Values::signed_zero, Values::uniform};
  Data d{draw_matrix<float>(11 * seed, n_rows, n_features, layout, kKinds, std::size(kKinds)), {}, {}};
  Random random(seed + 77);
  for (std::uint64_t row = 0; row < n_rows; ++row) {
    const double y = target_of(d.x, row, random);
    d.target.push_back(loss == boosting::Loss::log_loss ? (y > 0.4 ? 1.0 : 0.0) : 1000.0 + 3.0 * y);
    if (weighted) d.weight.push_back(random.below(6) == 0 ? 0.0 : random.between(0.1, 5.0));
  }
  return d;
}

FitRun fit_on(const Device& device, const Data& train, const std::vector<const Data*>& evals,
              const boosting::Params& params) {
  FitRun run;
  std::vector<boosting::Dataset> sets;
  for (const Data* d : evals) sets.push_back(d->view());
  boosting::Hooks hooks;
  hooks.trace = &run.trace;
  run.result = boosting::fit(device, train.view(), sets, params, hooks);
  return run;
}

Outputs outputs_of(const boosting::FitResult& r) {
  Outputs o;
  const boosting::Model& m = r.model;
  o.add_one("n_features", m.n_features);
  o.add_one("n_trees", m.n_trees);
  o.add_one("init_score", m.init_score);
  o.add_one("output_offset", m.output_offset);
  o.add_one("output_scale", m.output_scale);
  o.add("edge_offset", m.edge_offset);
  o.add("edges", m.edges);
  o.add("tree_offset", m.trees.tree_offset);
  o.add("feature", m.trees.feature);
  o.add("threshold", m.trees.threshold);
  o.add("bin", m.trees.bin);
  o.add("default_left", m.trees.default_left);
  o.add("left", m.trees.left);
  o.add("value", m.trees.value);
  o.add("gain", m.trees.gain);
  o.add("cover", m.trees.cover);
  o.add("count", m.trees.count);
  o.add("train_loss", r.train_loss);
  for (const std::vector<double>& loss : r.eval_loss) o.add("eval_loss", loss);
  o.add_one("n_iterations", r.n_iterations);
  o.add_one("best_iteration", r.best_iteration);
  return o;
}

void add_to_digest(const FitRun& run) {
  for (const Stage& s : run.trace.stages()) {
    std::string name = s.tag + " " + s.dtype;
    for (std::uint64_t extent : s.shape) name += " " + std::to_string(extent);
    add_to_digest(name, s.dtype == "u8" ? 1 : s.dtype[1] == '6' ? 8 : 4, s.count, s.sha256);
  }
  add_to_digest(outputs_of(run.result));
}

void expect_same_run(const FitRun& want, const FitRun& got) {
  const std::vector<Stage>&a = want.trace.stages(), &b = got.trace.stages();
  ASSERT_FALSE(a.empty());
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    ASSERT_EQ(a[i].tag, b[i].tag);
    ASSERT_EQ(a[i].dtype, b[i].dtype) << a[i].tag;
    ASSERT_EQ(a[i].shape, b[i].shape) << a[i].tag;
    ASSERT_EQ(a[i].sha256, b[i].sha256) << "stage " << a[i].tag;
  }
  ASSERT_EQ(a.size(), b.size());
  expect_same(outputs_of(want.result), outputs_of(got.result));
}

}  // namespace samebits::test
