// gemm.
#include "fuzz/targets/targets.hpp"
#include "support/matrix.hpp"

namespace samebits::fuzz {
namespace {

using test::DeviceArray;
using test::HostMatrix;
using test::Outputs;

constexpr std::int64_t kLayouts = std::int64_t{std::size(test::kLayouts)};

template <class T>
HostMatrix<T> draw_matrix(std::uint64_t seed, const Parameters& p, const std::string& n_rows,
                          const std::string& n_columns, const std::string& layout) {
  HostMatrix<T> m = test::empty_matrix<T>(whole(p, n_rows), small(p, n_columns), test::kLayouts[p.at(layout)]);
  for (std::uint64_t i = 0; i < m.n_rows; ++i) {  // element (i, j) does not depend on the number of columns
    test::Random random(seed + i * 0x9e3779b9u);
    for (std::uint32_t j = 0; j < m.n_features; ++j) {
      draw(random, kSimplestFirst[p.at("values")], &m.at(i, j));
      m.at(i, j) = with_precision(m.at(i, j), p.at("precision"));
    }
  }
  return m;
}

template <class T>
Outputs product(const Device& device, std::uint64_t seed, const Parameters& p) {
  const HostMatrix<T> a = draw_matrix<T>(seed, p, "m", "k", "layout a"),
                      b = draw_matrix<T>(seed + 1, p, "k", "n", "layout b");
  HostMatrix<T> c = test::empty_matrix<T>(whole(p, "m"), small(p, "n"), test::kLayouts[p.at("layout c")]);
  const DeviceArray<T> da(device, a.storage), db(device, b.storage), dc(device, c.storage);
  call_primitive(p, device, "gemm", &sb_primitives::gemm,
                 sb_gemm_args{sizeof(T) == 4 ? SB_DTYPE_F32 : SB_DTYPE_F64, whole(p, "m"), whole(p, "n"), whole(p, "k"),
                              da.data() + a.origin, a.row_stride, a.column_stride, db.data() + b.origin, b.row_stride,
                              b.column_stride, dc.data() + c.origin, c.row_stride, c.column_stride});
  Outputs o;
  o.add("c", dc.read());
  return o;
}

Outputs gemm(const Device& device, std::uint64_t seed, const Parameters& p) {
  return p.at("f64") != 0 ? product<double>(device, seed, p) : product<float>(device, seed, p);
}

}  // namespace

std::vector<Target> product_targets() {
  return {{"gemm",
           {{"m", Spec::size, 1, 40},
            {"n", Spec::size, 1, 70},
            {"k", Spec::size, 0, 1200},
            values(),
            precision(),
            f64(),
            {"layout a", Spec::choice, 0, kLayouts - 1},
            {"layout b", Spec::choice, 0, kLayouts - 1},
            {"layout c", Spec::choice, 0, kLayouts - 1}},
           gemm}};
}

}  // namespace samebits::fuzz
