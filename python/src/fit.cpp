// Fitting: parameters in, a model and the loss history out. The GIL is released; signals are looked at now and then.
#include "arrays.hpp"
#include "init.hpp"
#include "samebits/boosting.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace nb = nanobind;

namespace samebits::python {
namespace {

using boosting::GrowPolicy;
using boosting::Params;

struct PolicyRow {
  const char* name;
  GrowPolicy policy;
};
constexpr PolicyRow kPolicies[] = {
    {"symmetric", GrowPolicy::symmetric}, {"depthwise", GrowPolicy::depthwise}, {"lossguide", GrowPolicy::lossguide}};

void set_policy(Params& p, const std::string& name) {
  for (const PolicyRow& row : kPolicies) {
    if (name == row.name) {
      p.grow_policy = row.policy;
      return;
    }
  }
  throw Error(ErrorCode::invalid_argument,
              "[boosting] grow_policy is '" + name + "', need symmetric, depthwise or lossguide");
}

const char* policy_of(const Params& p) { return kPolicies[static_cast<int>(p.grow_policy)].name; }

// Asks Python for signals at most every 50 ms, and keeps what a signal handler or a progress function raised: that, not
// the core's own error, is what the caller of fit sees.
class Watch {
 public:
  bool interrupted() {
    if (raised_) return true;
    auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) raised_ = std::make_unique<nb::python_error>();
    next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    return raised_ != nullptr;
  }

  void progress(const nb::object& function, std::uint32_t done, std::uint32_t total, double loss) {
    nb::gil_scoped_acquire acquire;
    try {
      function(done, total, loss);
    } catch (nb::python_error& error) {
      raised_ = std::make_unique<nb::python_error>(std::move(error));
    }
  }

  // With the GIL held.
  void rethrow() {
    if (!raised_) return;
    nb::python_error error = std::move(*raised_);
    raised_.reset();
    throw error;
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  std::unique_ptr<nb::python_error> raised_;
};

using DatasetArrays = std::tuple<MatrixArray, VectorArray, std::optional<VectorArray>>;

void need_rows(const char* what, std::size_t got, std::size_t n_rows) {
  if (got == n_rows) return;
  throw Error(ErrorCode::invalid_argument, std::string("[boosting] ") + what + " has " + std::to_string(got) +
                                               " values for " + std::to_string(n_rows) + " rows");
}

boosting::Dataset dataset_of(const DatasetArrays& a) {
  const auto& [x, y, w] = a;
  need_rows("target", y.size(), x.shape(0));
  if (w) need_rows("weight", w->size(), x.shape(0));
  return {matrix_of(x), y.data(), w ? w->data() : nullptr};
}

nb::dict to_dict(boosting::FitResult result) {
  nb::list eval_loss;
  for (auto& losses : result.eval_loss) eval_loss.append(to_numpy(std::move(losses)));
  nb::dict out;
  out["train_loss"] = to_numpy(std::move(result.train_loss));
  out["eval_loss"] = eval_loss;
  out["n_iterations"] = result.n_iterations;
  out["best_iteration"] = result.best_iteration;
  out["model"] = std::move(result.model);
  return out;
}

nb::dict fit(const Device& device, const DatasetArrays& train, const std::vector<DatasetArrays>& eval_sets,
             const Params& params, Trace* trace, const nb::object& progress) {
  const boosting::Dataset train_set = dataset_of(train);
  std::vector<boosting::Dataset> evals;
  for (const DatasetArrays& set : eval_sets) evals.push_back(dataset_of(set));
  Watch watch;
  boosting::Hooks hooks;
  hooks.trace = trace;
  hooks.interrupted = [&watch] { return watch.interrupted(); };
  if (!progress.is_none()) {
    hooks.progress = [&](std::uint32_t done, std::uint32_t total, double loss) {
      watch.progress(progress, done, total, loss);
    };
  }
  boosting::FitResult result;
  try {
    nb::gil_scoped_release release;
    result = boosting::fit(device, train_set, evals, params, hooks);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) watch.rethrow();
    throw;
  }
  watch.rethrow();
  return to_dict(std::move(result));
}

}  // namespace

void init_fit(nb::module_& m) {
  nb::class_<Params>(m, "Params")
      .def(nb::init<>())
      .def_prop_rw(
          "loss", [](const Params& p) { return p.loss == boosting::Loss::log_loss ? "log_loss" : "squared_error"; },
          [](Params& p, const std::string& name) {
            p.loss = name == "log_loss" ? boosting::Loss::log_loss : boosting::Loss::squared_error;
          })
      .def_prop_rw("grow_policy", &policy_of, &set_policy)
      .def_rw("n_estimators", &Params::n_estimators)
      .def_rw("learning_rate", &Params::learning_rate)
      .def_rw("max_depth", &Params::max_depth)
      .def_rw("max_leaf_nodes", &Params::max_leaf_nodes)
      .def_rw("min_samples_leaf", &Params::min_samples_leaf)
      .def_rw("min_child_weight", &Params::min_child_weight)
      .def_rw("l2_regularization", &Params::l2_regularization)
      .def_rw("max_bins", &Params::max_bins)
      .def_rw("subsample", &Params::subsample)
      .def_rw("colsample_bytree", &Params::colsample_bytree)
      .def_rw("seed", &Params::seed)
      .def_rw("early_stopping_rounds", &Params::early_stopping_rounds)
      .def_rw("tol", &Params::tol)
      .def_rw("record_train_loss", &Params::record_train_loss);
  m.def("fit", &fit, nb::arg("device"), nb::arg("train"), nb::arg("eval_sets"), nb::arg("params"),
        nb::arg("trace").none(), nb::arg("progress").none());
}

}  // namespace samebits::python
