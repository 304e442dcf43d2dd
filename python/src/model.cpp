// The fitted model: a bound class whose arrays go to and come from NumPy.
#include "arrays.hpp"
#include "init.hpp"
#include "samebits/boosting.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace samebits::python {
namespace {

using boosting::Loss;
using boosting::Model;

// Calls f(name, vector) for every array of the model; the one list of their names.
template <class M, class F>
void for_each_array(M& m, F f) {
  f("edges", m.edges);
  f("edge_offset", m.edge_offset);
  f("tree_offset", m.trees.tree_offset);
  f("feature", m.trees.feature);
  f("threshold", m.trees.threshold);
  f("bin", m.trees.bin);
  f("default_left", m.trees.default_left);
  f("left", m.trees.left);
  f("value", m.trees.value);
  f("gain", m.trees.gain);
  f("cover", m.trees.cover);
  f("count", m.trees.count);
}

nb::dict to_arrays(const Model& m) {
  nb::dict out;
  for_each_array(m, [&](const char* name, const auto& values) { out[name] = to_numpy(values); });
  return out;
}

template <class T>
void read_array(const nb::dict& arrays, const char* name, std::vector<T>* to) {
  nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu> a;
  if (!arrays.contains(name) || !nb::try_cast(arrays[name], a, false)) {
    throw Error(ErrorCode::invalid_argument, std::string("[boosting] the model is malformed: its array '") + name +
                                                 "' is missing or of another type");
  }
  to->assign(a.data(), a.data() + a.size());
}

Loss loss_of(const std::string& name) {
  if (name == "squared_error") return Loss::squared_error;
  if (name == "log_loss") return Loss::log_loss;
  throw Error(ErrorCode::invalid_argument, "[boosting] the model is malformed: its loss is '" + name + "'");
}

const char* loss_name(const Model& m) { return m.loss == Loss::log_loss ? "log_loss" : "squared_error"; }

Model from_arrays(const std::string& loss, std::uint32_t n_features, float init_score, double output_offset,
                  double output_scale, const nb::dict& arrays) {
  Model m;
  m.loss = loss_of(loss);
  m.n_features = n_features;
  m.init_score = init_score;
  m.output_offset = output_offset;
  m.output_scale = output_scale;
  for_each_array(m, [&](const char* name, auto& values) { read_array(arrays, name, &values); });
  m.n_trees = m.trees.tree_offset.empty() ? 0 : static_cast<std::uint32_t>(m.trees.tree_offset.size() - 1);
  nb::gil_scoped_release release;
  boosting::validate(m);
  return m;
}

}  // namespace

void init_model(nb::module_& m) {
  nb::class_<Model>(m, "Model")
      .def_static("from_arrays", &from_arrays, nb::arg("loss"), nb::arg("n_features"), nb::arg("init_score"),
                  nb::arg("output_offset"), nb::arg("output_scale"), nb::arg("arrays"))
      .def("to_arrays", &to_arrays)
      .def_prop_ro("loss", &loss_name)
      .def_ro("n_features", &Model::n_features)
      .def_ro("n_trees", &Model::n_trees)
      .def_ro("init_score", &Model::init_score)
      .def_ro("output_offset", &Model::output_offset)
      .def_ro("output_scale", &Model::output_scale);
}

}  // namespace samebits::python
