// Identity cards: the stages of one run.
#include "samebits/trace.hpp"
#include "init.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace samebits::python {
namespace {

nb::list stages(const Trace& trace) {
  nb::list out;
  for (const Stage& s : trace.stages()) {
    nb::dict stage;
    stage["tag"] = s.tag;
    stage["dtype"] = s.dtype;
    stage["shape"] = s.shape;
    stage["count"] = s.count;
    stage["sha256"] = s.sha256;
    if (trace.keeps_bytes()) stage["bytes"] = nb::bytes(s.bytes.data(), s.bytes.size());
    out.append(stage);
  }
  return out;
}

}  // namespace

void init_trace(nb::module_& m) {
  nb::class_<Trace>(m, "Trace").def(nb::init<bool>(), nb::arg("keep_bytes") = false).def("stages", &stages);
}

}  // namespace samebits::python
