// samebits::Error becomes the class of samebits/exceptions.py that its code names.
#include "init.hpp"
#include "samebits/error.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace samebits::python {
namespace {

const char* class_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "InvalidInputError";
    case ErrorCode::out_of_memory: return "OutOfMemoryError";
    case ErrorCode::device: return "DeviceError";
    case ErrorCode::unavailable: return "DeviceUnavailableError";
    case ErrorCode::interrupted: return nullptr;
  }
  return "SamebitsError";
}

void set_python_error(const Error& error) {
  const char* name = class_of(error.code());
  if (name == nullptr) {
    // What a signal handler or a progress function raised is already set, and is what the caller should see.
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    return;
  }
  nb::object type = nb::module_::import_("samebits.exceptions").attr(name);
  PyErr_SetString(type.ptr(), error.what());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    set_python_error(error);
  }
}

}  // namespace

void init_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace samebits::python
