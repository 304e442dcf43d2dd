#include "numerics/product/product.h"
#include "primitives/reference/reference.hpp"

namespace samebits::reference {
namespace {

template <class T, class Product>
void multiply(const sb_gemm_args& a, Product product) {
  for (std::uint64_t i = 0; i < a.m; ++i) {
    for (std::uint64_t j = 0; j < a.n; ++j) {
      const auto row = static_cast<std::int64_t>(i), column = static_cast<std::int64_t>(j);
      static_cast<T*>(a.c)[row * a.c_row_stride + column * a.c_column_stride] =
          product(static_cast<const T*>(a.a) + row * a.a_row_stride, a.a_column_stride,
                  static_cast<const T*>(a.b) + column * a.b_column_stride, a.b_row_stride, a.k);
    }
  }
}

}  // namespace

sb_status gemm(const sb_gemm_args& a) {
  if (a.dtype == SB_DTYPE_F32) {
    multiply<float>(a, sb_product_f32);
  } else if (a.dtype == SB_DTYPE_F64) {
    multiply<double>(a, sb_product_f64);
  } else {
    return refuse("gemm: dtype is " + std::to_string(a.dtype) + ", need 0 (f32) or 1 (f64)");
  }
  return SB_OK;
}

}  // namespace samebits::reference
