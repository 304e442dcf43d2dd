// Predictions: rows in, arrays out.
#include "arrays.hpp"
#include "init.hpp"
#include "samebits/boosting.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

namespace nb = nanobind;

namespace samebits::python {
namespace {

using boosting::Model;

nb::ndarray<nb::numpy, double> predict_raw(const Device& device, const Model& model, const MatrixArray& x,
                                           std::uint32_t n_trees) {
  const boosting::Matrix matrix = matrix_of(x);
  std::vector<double> out(matrix.n_rows);
  {
    nb::gil_scoped_release release;
    boosting::predict_raw(device, model, matrix, n_trees, out.data());
  }
  return to_numpy(std::move(out));
}

nb::ndarray<nb::numpy, double> staged_predict_raw(const Device& device, const Model& model, const MatrixArray& x) {
  const boosting::Matrix matrix = matrix_of(x);
  const std::size_t n_rows = matrix.n_rows, n_trees = model.n_trees;
  std::vector<double> out(n_rows * n_trees);
  {
    nb::gil_scoped_release release;
    boosting::staged_predict_raw(device, model, matrix, out.data());
  }
  return to_numpy(std::move(out), {n_trees, n_rows});
}

nb::ndarray<nb::numpy, std::int32_t> apply(const Device& device, const Model& model, const MatrixArray& x) {
  const boosting::Matrix matrix = matrix_of(x);
  const std::size_t n_rows = matrix.n_rows, n_trees = model.n_trees;
  std::vector<std::int32_t> out(n_rows * n_trees);
  {
    nb::gil_scoped_release release;
    boosting::apply(device, model, matrix, out.data());
  }
  return to_numpy(std::move(out), {n_rows, n_trees});
}

nb::ndarray<nb::numpy, double> logistic(const VectorArray& raw) {
  std::vector<double> out(raw.size());
  const double* data = raw.data();
  {
    nb::gil_scoped_release release;
    boosting::logistic(data, out.size(), out.data());
  }
  return to_numpy(std::move(out));
}

}  // namespace

void init_predict(nb::module_& m) {
  m.def("predict_raw", &predict_raw, nb::arg("device"), nb::arg("model"), nb::arg("x"), nb::arg("n_trees"));
  m.def("staged_predict_raw", &staged_predict_raw, nb::arg("device"), nb::arg("model"), nb::arg("x"));
  m.def("apply", &apply, nb::arg("device"), nb::arg("model"), nb::arg("x"));
  m.def("logistic", &logistic, nb::arg("raw"));
}

}  // namespace samebits::python
