// Vectors that become NumPy arrays without another copy.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>

namespace samebits::python {

template <class T>
nanobind::ndarray<nanobind::numpy, T> array_of(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::ndarray<nanobind::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

template <class T>
nanobind::ndarray<nanobind::numpy, T> array_of(std::vector<T> values) {
  std::size_t n = values.size();
  return array_of(std::move(values), {n});
}

}  // namespace samebits::python
