// NumPy arrays in and out.
#pragma once

#include "samebits/boosting.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace samebits::python {

// A matrix of f32 or f64 with any strides; read in place.
using MatrixArray = nanobind::ndarray<nanobind::ro, nanobind::ndim<2>, nanobind::device::cpu>;
using VectorArray = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

inline boosting::Matrix matrix_of(const MatrixArray& x) {
  const bool f32 = x.dtype() == nanobind::dtype<float>();
  if (!f32 && x.dtype() != nanobind::dtype<double>()) {
    throw Error(ErrorCode::invalid_argument, "[boosting] the feature matrix has another type, need float32 or float64");
  }
  if (x.shape(1) > 0xffffffffu) throw Error(ErrorCode::invalid_argument, "[boosting] more than 2^32 features");
  return {x.data(),    f32 ? boosting::DType::f32 : boosting::DType::f64,
          x.shape(0),  static_cast<std::uint32_t>(x.shape(1)),
          x.stride(0), x.stride(1)};
}

// A NumPy array that owns the vector.
template <class T>
nanobind::ndarray<nanobind::numpy, T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::ndarray<nanobind::numpy, T>(kept->data(), shape, owner);
}

template <class T>
nanobind::ndarray<nanobind::numpy, T> to_numpy(std::vector<T> values) {
  const std::size_t n = values.size();
  return to_numpy(std::move(values), {n});
}

}  // namespace samebits::python
