// Single primitives on NumPy arrays. samebits/primitives.py checks shapes and dtypes by name; here they are exact.
#include "samebits/primitives.hpp"
#include "arrays.hpp"
#include "init.hpp"

#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace samebits::python {
namespace {

template <class T, std::size_t Dimensions = 1>
using In = nb::ndarray<const T, nb::numpy, nb::ndim<Dimensions>, nb::c_contig>;

template <class T>
std::vector<T> copy(const In<T>& a) {
  return std::vector<T>(a.data(), a.data() + a.size());
}

double reduce_sum(const Device& device, const In<double>& x, const std::optional<In<double>>& y) {
  nb::gil_scoped_release release;
  return primitives::reduce_sum(device, x.data(), y.has_value() ? y->data() : nullptr, x.size());
}

template <class T>
nb::ndarray<nb::numpy, T> elementary_map(const Device& device, const std::string& function, const In<T>& x) {
  std::vector<T> out(x.size());
  {
    nb::gil_scoped_release release;
    primitives::elementary_map(device, function, x.data(), out.data(), x.size());
  }
  return array_of(std::move(out));
}

nb::tuple histogram_build(const Device& device, const In<std::uint8_t, 2>& codes, const In<std::int32_t, 2>& gradients,
                          const In<std::uint32_t>& cell_offset, const In<std::uint32_t>& active,
                          const In<std::uint32_t>& rows, const In<std::uint64_t>& begin, const In<std::uint64_t>& end) {
  primitives::HistogramInput in{codes.data(), gradients.data(), codes.shape(0), copy(cell_offset),
                                copy(active), copy(rows),       copy(begin),    copy(end)};
  const std::size_t n_nodes = in.begin.size(), n_cells = in.cell_offset.back();
  primitives::Histograms out;
  {
    nb::gil_scoped_release release;
    out = primitives::histogram_build(device, in);
  }
  return nb::make_tuple(array_of(std::move(out.gradient), {n_nodes, n_cells}),
                        array_of(std::move(out.hessian), {n_nodes, n_cells}),
                        array_of(std::move(out.count), {n_nodes, n_cells}));
}

nb::ndarray<nb::numpy, std::uint32_t> row_sample(const Device& device, std::uint64_t seed, std::uint32_t purpose,
                                                 std::uint32_t draw, std::uint64_t threshold, std::uint64_t n) {
  std::vector<std::uint32_t> rows;
  {
    nb::gil_scoped_release release;
    rows = primitives::row_sample(device, seed, purpose, draw, threshold, n);
  }
  return array_of(std::move(rows));
}

nb::ndarray<nb::numpy, std::uint32_t> philox_words(std::uint64_t seed, std::uint32_t purpose,
                                                   const In<std::uint64_t>& element, std::uint32_t draw) {
  std::vector<std::uint32_t> words(4 * element.size());
  primitives::philox_words(seed, purpose, element.data(), draw, element.size(), words.data());
  return array_of(std::move(words), {element.size(), 4});
}

nb::ndarray<nb::numpy, float> uniform_f32(const In<std::uint32_t>& word) {
  std::vector<float> out(word.size());
  primitives::uniform_f32(word.data(), word.size(), out.data());
  return array_of(std::move(out));
}

nb::ndarray<nb::numpy, double> uniform_f64(const In<std::uint64_t>& word) {
  std::vector<double> out(word.size());
  primitives::uniform_f64(word.data(), word.size(), out.data());
  return array_of(std::move(out));
}

nb::ndarray<nb::numpy, std::uint32_t> below(const In<std::uint64_t>& word, const In<std::uint32_t>& bound) {
  std::vector<std::uint32_t> out(word.size());
  primitives::below(word.data(), bound.data(), word.size(), out.data());
  return array_of(std::move(out));
}

}  // namespace

void init_primitives(nb::module_& m) {
  m.def("reduce_sum", &reduce_sum, nb::arg("device"), nb::arg("x"), nb::arg("y").none());
  m.def("elementary_functions", &primitives::elementary_functions);
  m.def("elementary_map_f32", &elementary_map<float>);
  m.def("elementary_map_f64", &elementary_map<double>);
  m.def("histogram_build", &histogram_build);
  m.def("row_sample", &row_sample);
  m.def("philox_words", &philox_words);
  m.def("uniform_f32", &uniform_f32);
  m.def("uniform_f64", &uniform_f64);
  m.def("below", &below);
}

}  // namespace samebits::python
