#include "init.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.doc() = "Binding of libsamebits. Private: use the package samebits.";
  // Estimators kept in module globals live until the interpreter has gone; that is not a leak worth a message.
  nb::set_leak_warnings(false);
  samebits::python::init_errors(m);
  samebits::python::init_environment(m);
  samebits::python::init_device(m);
  samebits::python::init_trace(m);
  samebits::python::init_primitives(m);
  samebits::python::init_boosting(m);
}
