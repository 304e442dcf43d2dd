// Identity cards: the stages of one run.
#include "samebits/trace.hpp"
#include "init.hpp"
#include "samebits/error.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace samebits::python {
namespace {

using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

std::string dtype_name(const AnyArray& a) {
  const auto dtype = a.dtype();
  const std::string bits = std::to_string(dtype.bits);
  switch (static_cast<nb::dlpack::dtype_code>(dtype.code)) {
    case nb::dlpack::dtype_code::Float: return "f" + bits;
    case nb::dlpack::dtype_code::Int: return "i" + bits;
    case nb::dlpack::dtype_code::UInt: return "u" + bits;
    default:
      throw Error(ErrorCode::invalid_argument, "[trace] arrays of this type are not recorded, need float, int or uint");
  }
}

void record(Trace& trace, const std::string& tag, const AnyArray& a) {
  const std::string dtype = dtype_name(a);
  std::vector<std::uint64_t> shape;
  for (std::size_t i = 0; i < a.ndim(); ++i) shape.push_back(a.shape(i));
  const void* data = a.data();
  nb::gil_scoped_release release;
  trace.record(tag, dtype, shape, data);
}

nb::list stages(const Trace& trace) {
  nb::list out;
  for (const Stage& s : trace.stages()) {
    nb::dict stage;
    stage["tag"] = s.tag;
    stage["dtype"] = s.dtype;
    stage["shape"] = s.shape;
    stage["count"] = s.count;
    stage["sha256"] = s.sha256;
    out.append(stage);
  }
  return out;
}

}  // namespace

void init_trace(nb::module_& m) {
  nb::class_<Trace>(m, "Trace").def(nb::init<>()).def("record", &record).def("stages", &stages);
}

}  // namespace samebits::python
