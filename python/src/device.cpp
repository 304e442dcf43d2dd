// Devices, what the loader found, and the library's own description, as plain data.
#include "samebits/device.hpp"
#include "init.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace samebits::python {
namespace {

nb::dict to_dict(const DeviceInfo& d) {
  nb::dict out;
  out["id"] = d.id;
  out["name"] = d.name;
  out["vendor"] = d.vendor;
  out["architecture"] = d.architecture;
  out["column"] = d.column;
  out["code_object"] = d.code_object;
  out["driver"] = d.driver;
  out["memory_bytes"] = d.memory_bytes;
  out["compute_units"] = d.compute_units;
  out["refusal"] = d.refusal;
  return out;
}

nb::dict to_dict(const BackendReport& r) {
  nb::dict out;
  out["name"] = r.name;
  out["path"] = r.path;
  out["status"] = r.status;
  out["reason"] = r.reason;
  out["version"] = r.version;
  out["commit"] = r.commit;
  out["dirty"] = r.dirty;
  out["broken_rule"] = r.broken_rule;
  out["code_objects"] = r.code_objects;
  out["profiles"] = r.profiles;
  out["device_count"] = r.device_count;
  return out;
}

nb::dict to_dict(const BuildInfo& b) {
  nb::dict out;
  out["version"] = b.version;
  out["commit"] = b.commit;
  out["dirty"] = b.dirty;
  out["broken_rule"] = b.broken_rule;
  out["compiler"] = b.compiler;
  out["profile"] = b.profile;
  out["cpu_isas"] = b.cpu_isas;
  out["cpu_isa"] = b.cpu_isa;
  return out;
}

// Calls f without the GIL: a first look may open plugins and ask drivers.
template <class F>
auto unlocked(F f) {
  nb::gil_scoped_release release;
  return f();
}

template <class T>
nb::list to_list(const std::vector<T>& all) {
  nb::list out;
  for (const T& item : all) out.append(to_dict(item));
  return out;
}

}  // namespace

void init_device(nb::module_& m) {
  m.def("build_info", [] { return to_dict(unlocked(build_info)); });
  m.def(
      "backends",
      [](bool automatic_only) { return to_list(unlocked([&] { return backend_reports(automatic_only); })); },
      nb::arg("automatic_only") = false);
  m.def("devices", [] { return to_list(unlocked(devices)); });
  m.def("auto_device", [] { return unlocked(auto_device); });
  m.def("auto_device_reason", [] { return unlocked(auto_device_reason); });
  m.def("set_plugin_folder", &set_plugin_folder);
  nb::class_<Device>(m, "Device")
      .def_static("open", &Device::open, nb::arg("id"), nb::arg("n_threads") = 0,
                  nb::call_guard<nb::gil_scoped_release>())
      .def("info", [](const Device& d) { return to_dict(d.info()); });
}

}  // namespace samebits::python
