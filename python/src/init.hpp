// One init function per topic; each adds its names to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace samebits::python {

void init_errors(nanobind::module_& m);
void init_environment(nanobind::module_& m);
void init_device(nanobind::module_& m);
void init_trace(nanobind::module_& m);
void init_primitives(nanobind::module_& m);
void init_boosting(nanobind::module_& m);

}  // namespace samebits::python
