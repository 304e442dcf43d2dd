#include "samebits/environment.hpp"

#include "init.hpp"

#include <optional>

namespace nb = nanobind;

namespace samebits::python {
namespace {

// A context manager: entered once, left on the same thread.
class Scope {
 public:
  void enter() { environment_.emplace(); }
  void leave(const nb::args&) { environment_.reset(); }

 private:
  std::optional<FpEnvironment> environment_;
};

}  // namespace

void init_environment(nb::module_& m) {
  nb::class_<Scope>(m, "FpEnvironment")
      .def(nb::init<>())
      .def("__enter__", &Scope::enter)
      .def("__exit__", &Scope::leave);
}

}  // namespace samebits::python
