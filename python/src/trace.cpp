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
    out.append(stage);
  }
  return out;
}

}  // namespace

void init_trace(nb::module_& m) { nb::class_<Trace>(m, "Trace").def(nb::init<>()).def("stages", &stages); }

}  // namespace samebits::python
