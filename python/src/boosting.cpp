#include "arrays.hpp"
#include "init.hpp"

#include "samebits/boosting.hpp"

#include <chrono>
#include <cstring>
#include <optional>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace samebits::python {
namespace {

using boosting::Dataset;
using boosting::DType;
using boosting::Matrix;
using boosting::Model;
using boosting::Params;

using AnyMatrix = nb::ndarray<nb::ro, nb::numpy, nb::ndim<2>>;
using Vector = nb::ndarray<const double, nb::numpy, nb::ndim<1>, nb::c_contig>;

Matrix matrix_of(const AnyMatrix& a) {
  Matrix x;
  x.data = a.data();
  x.dtype = a.dtype() == nb::dtype<float>() ? DType::f32 : DType::f64;
  x.n_rows = a.shape(0);
  x.n_features = static_cast<std::uint32_t>(a.shape(1));
  x.row_stride = a.stride(0);
  x.column_stride = a.stride(1);
  return x;
}

Dataset dataset_of(const AnyMatrix& x, const Vector& y, const std::optional<Vector>& w) {
  return {matrix_of(x), y.data(), w.has_value() ? w->data() : nullptr};
}

template <class T>
std::vector<T> vector_of(const nb::dict& d, const char* name) {
  if (!d.contains(name))
    throw Error(ErrorCode::invalid_argument, std::string("[boosting] the model has no array '") + name + "'");
  nb::ndarray<nb::ro, nb::numpy, nb::ndim<1>, nb::c_contig> a;
  // No dtype in the type: the caster would convert silently, and a file with another dtype is another format.
  if (!nb::try_cast(d[name], a) || a.dtype() != nb::dtype<T>())
    throw Error(ErrorCode::invalid_argument, std::string("[boosting] the model's array '") + name +
                                                 "' has another type or shape than this version writes");
  const T* data = static_cast<const T*>(a.data());
  return std::vector<T>(data, data + a.size());
}

boosting::Loss loss_of(const std::string& name) {
  if (name == "squared_error") return boosting::Loss::squared_error;
  if (name == "log_loss") return boosting::Loss::log_loss;
  throw Error(ErrorCode::invalid_argument, "[boosting] loss is '" + name + "', need 'squared_error' or 'log_loss'");
}

boosting::GrowPolicy grow_policy_of(const std::string& name) {
  if (name == "symmetric") return boosting::GrowPolicy::symmetric;
  if (name == "depthwise") return boosting::GrowPolicy::depthwise;
  if (name == "lossguide") return boosting::GrowPolicy::lossguide;
  throw Error(ErrorCode::invalid_argument,
              "[boosting] grow_policy is '" + name + "', need 'symmetric', 'depthwise' or 'lossguide'");
}

Params params_of(const nb::dict& d) {
  Params p;
  p.loss = loss_of(nb::cast<std::string>(d["loss"]));
  p.grow_policy = grow_policy_of(nb::cast<std::string>(d["grow_policy"]));
  p.n_estimators = nb::cast<std::uint32_t>(d["n_estimators"]);
  p.learning_rate = nb::cast<double>(d["learning_rate"]);
  p.max_depth = nb::cast<std::uint32_t>(d["max_depth"]);
  p.max_leaf_nodes = nb::cast<std::uint32_t>(d["max_leaf_nodes"]);
  p.min_samples_leaf = nb::cast<std::uint32_t>(d["min_samples_leaf"]);
  p.min_child_weight = nb::cast<double>(d["min_child_weight"]);
  p.l2_regularization = nb::cast<double>(d["l2_regularization"]);
  p.max_bins = nb::cast<std::uint32_t>(d["max_bins"]);
  p.subsample = nb::cast<double>(d["subsample"]);
  p.colsample_bytree = nb::cast<double>(d["colsample_bytree"]);
  p.seed = nb::cast<std::uint64_t>(d["seed"]);
  p.early_stopping_rounds = nb::cast<std::uint32_t>(d["early_stopping_rounds"]);
  p.tol = nb::cast<double>(d["tol"]);
  p.record_train_loss = nb::cast<bool>(d["record_train_loss"]);
  return p;
}

nb::dict model_to_dict(const Model& m) {
  nb::dict d;
  d["loss"] = m.loss == boosting::Loss::log_loss ? "log_loss" : "squared_error";
  d["n_features"] = m.n_features;
  d["n_trees"] = m.n_trees;
  d["init_score"] = array_of(std::vector<float>{m.init_score});
  d["output"] = array_of(std::vector<double>{m.output_offset, m.output_scale});
  d["edges"] = array_of(m.edges);
  d["edge_offset"] = array_of(m.edge_offset);
  d["tree_offset"] = array_of(m.trees.tree_offset);
  d["feature"] = array_of(m.trees.feature);
  d["threshold"] = array_of(m.trees.threshold);
  d["bin"] = array_of(m.trees.bin);
  d["default_left"] = array_of(m.trees.default_left);
  d["left"] = array_of(m.trees.left);
  d["value"] = array_of(m.trees.value);
  d["gain"] = array_of(m.trees.gain);
  d["cover"] = array_of(m.trees.cover);
  d["count"] = array_of(m.trees.count);
  return d;
}

Model model_from_dict(const nb::dict& d) {
  Model m;
  m.loss = loss_of(nb::cast<std::string>(d["loss"]));
  m.n_features = nb::cast<std::uint32_t>(d["n_features"]);
  m.n_trees = nb::cast<std::uint32_t>(d["n_trees"]);
  auto init = vector_of<float>(d, "init_score");
  auto output = vector_of<double>(d, "output");
  if (init.size() != 1 || output.size() != 2)
    throw Error(ErrorCode::invalid_argument, "[boosting] the model's start values have the wrong length");
  m.init_score = init[0];
  m.output_offset = output[0];
  m.output_scale = output[1];
  m.edges = vector_of<double>(d, "edges");
  m.edge_offset = vector_of<std::uint32_t>(d, "edge_offset");
  m.trees.tree_offset = vector_of<std::uint64_t>(d, "tree_offset");
  m.trees.feature = vector_of<std::int32_t>(d, "feature");
  m.trees.threshold = vector_of<double>(d, "threshold");
  m.trees.bin = vector_of<std::uint32_t>(d, "bin");
  m.trees.default_left = vector_of<std::uint8_t>(d, "default_left");
  m.trees.left = vector_of<std::uint32_t>(d, "left");
  m.trees.value = vector_of<float>(d, "value");
  m.trees.gain = vector_of<double>(d, "gain");
  m.trees.cover = vector_of<double>(d, "cover");
  m.trees.count = vector_of<std::uint32_t>(d, "count");
  boosting::validate(m);
  return m;
}

// Asks Python about pending signals, at most every 50 ms.
class SignalCheck {
 public:
  bool operator()() {
    auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return false;
    last_ = now;
    nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct EvalSet {
  AnyMatrix x;
  Vector y;
  std::optional<Vector> w;
};

std::vector<EvalSet> eval_sets_of(const nb::list& list) {
  std::vector<EvalSet> sets;
  for (nb::handle item : list) {
    auto t = nb::cast<nb::tuple>(item);
    sets.push_back({nb::cast<AnyMatrix>(t[0]), nb::cast<Vector>(t[1]), nb::cast<std::optional<Vector>>(t[2])});
  }
  return sets;
}

nb::dict fit(const Device& device, const AnyMatrix& x, const Vector& y, const std::optional<Vector>& w,
             const nb::list& eval_list, const nb::dict& params, Trace* trace, const nb::object& progress,
             const Model* start) {
  const Params p = params_of(params);
  std::vector<EvalSet> sets = eval_sets_of(eval_list);
  std::vector<Dataset> evals;
  for (const EvalSet& s : sets) evals.push_back(dataset_of(s.x, s.y, s.w));
  boosting::Hooks hooks;
  hooks.trace = trace;
  hooks.interrupted = SignalCheck();
  bool failed = false;
  if (!progress.is_none()) {
    hooks.progress = [&](std::uint32_t done, std::uint32_t total, double loss) {
      nb::gil_scoped_acquire gil;
      if (PyObject* r = PyObject_CallFunction(progress.ptr(), "IId", done, total, loss)) {
        Py_DECREF(r);
      } else {
        failed = true;
      }
    };
    hooks.interrupted = [&failed, check = SignalCheck()]() mutable { return failed || check(); };
  }
  boosting::FitResult r;
  {
    nb::gil_scoped_release release;
    const Dataset train = dataset_of(x, y, w);
    r = start == nullptr ? boosting::fit(device, train, evals, p, hooks)
                         : boosting::continue_fit(device, train, evals, p, *start, hooks);
  }
  if (failed) throw nb::python_error();
  nb::dict out;
  out["model"] = nb::cast(std::move(r.model));
  out["train_loss"] = r.train_loss;
  out["eval_loss"] = r.eval_loss;
  out["n_iterations"] = r.n_iterations;
  out["best_iteration"] = r.best_iteration;
  return out;
}

nb::ndarray<nb::numpy, double> predict_raw(const Device& device, const Model& m, const AnyMatrix& x,
                                           std::uint32_t n_trees) {
  std::vector<double> out(x.shape(0));
  {
    nb::gil_scoped_release release;
    boosting::predict_raw(device, m, matrix_of(x), n_trees, out.data());
  }
  return array_of(std::move(out));
}

nb::ndarray<nb::numpy, double> staged_predict_raw(const Device& device, const Model& m, const AnyMatrix& x,
                                                  std::uint32_t n_trees) {
  std::vector<double> out(x.shape(0) * n_trees);
  {
    nb::gil_scoped_release release;
    boosting::staged_predict_raw(device, m, matrix_of(x), n_trees, out.data());
  }
  return array_of(std::move(out), {n_trees, x.shape(0)});
}

nb::ndarray<nb::numpy, std::int32_t> apply(const Device& device, const Model& m, const AnyMatrix& x,
                                           std::uint32_t n_trees) {
  std::vector<std::int32_t> out(x.shape(0) * n_trees);
  {
    nb::gil_scoped_release release;
    boosting::apply(device, m, matrix_of(x), n_trees, out.data());
  }
  return array_of(std::move(out), {x.shape(0), n_trees});
}

nb::ndarray<nb::numpy, double> logistic(const Vector& raw) {
  std::vector<double> out(raw.size());
  {
    nb::gil_scoped_release release;
    boosting::logistic(raw.data(), raw.size(), out.data());
  }
  return array_of(std::move(out));
}

}  // namespace

void init_boosting(nb::module_& m) {
  nb::class_<Model>(m, "BoostingModel")
      .def_static("from_dict", &model_from_dict)
      .def("to_dict", &model_to_dict)
      .def_ro("n_features", &Model::n_features)
      .def_ro("n_trees", &Model::n_trees)
      .def("node_features", [](const Model& model) { return array_of(model.trees.feature); })
      .def("node_gains", [](const Model& model) { return array_of(model.trees.gain); });
  m.def("boosting_fit", &fit, nb::arg("device"), nb::arg("x"), nb::arg("y"), nb::arg("w").none(), nb::arg("eval_sets"),
        nb::arg("params"), nb::arg("trace").none(), nb::arg("progress").none(), nb::arg("start").none() = nb::none());
  m.def("boosting_predict_raw", &predict_raw);
  m.def("boosting_staged_predict_raw", &staged_predict_raw);
  m.def("boosting_apply", &apply);
  m.def("logistic", &logistic);
}

}  // namespace samebits::python
