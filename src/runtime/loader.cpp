#include "runtime/loader.hpp"

#include "numerics/dialect/break.h"
#include "samebits_build_info.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

#include <dlfcn.h>

namespace samebits {
namespace {

namespace fs = std::filesystem;

// Every plugin the project ships; a file of another name is not looked for.
constexpr const char* kPluginNames[] = {"cuda", "hip", "opencl"};

std::string& plugin_folder() {
  static std::string folder;
  return folder;
}

bool broken_allowed() {
  const char* text = std::getenv("SAMEBITS_ALLOW_BROKEN");
  return text != nullptr && std::strcmp(text, "1") == 0;
}

std::string file_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// SAMEBITS_BACKEND_PATH (colon-separated folders), then the package's own folder.
std::vector<fs::path> search_folders() {
  std::vector<fs::path> folders;
  if (const char* text = std::getenv("SAMEBITS_BACKEND_PATH")) {
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ':');) {
      if (!part.empty()) folders.emplace_back(part);
    }
  }
  if (!plugin_folder().empty()) folders.emplace_back(plugin_folder());
  return folders;
}

std::vector<fs::path> plugin_files(const std::string& name) {
  std::vector<fs::path> files;
  for (const fs::path& folder : search_folders()) {
    fs::path file = folder / ("libsamebits_" + name + ".so");
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    fs::path real = fs::weakly_canonical(file, error);
    if (std::find(files.begin(), files.end(), real) == files.end()) files.push_back(real);
  }
  return files;
}

void copy_description(const sb_backend& b, BackendReport* report) {
  report->version = b.library_version;
  report->commit = b.commit;
  report->dirty = b.dirty != 0;
  report->broken_rule = b.broken_rule;
  for (const char* const* p = b.profiles; *p != nullptr; ++p) report->profiles.push_back(*p);
  for (const char* const* p = b.code_objects; *p != nullptr; ++p) report->code_objects.push_back(*p);
}

std::string refusal_of(const std::string& name, const sb_backend* b) {
  if (b->abi_version != SB_ABI_VERSION || b->struct_size != sizeof(sb_backend)) {
    return "its interface version is " + std::to_string(b->abi_version) + ", this library needs " +
           std::to_string(SB_ABI_VERSION) + "; reinstall the plugin of version " SAMEBITS_VERSION;
  }
  if (name != b->name) return "the file is named '" + name + "' but says it is '" + b->name + "'; reinstall it";
  if (std::strcmp(b->library_version, SAMEBITS_VERSION) != 0 || std::strcmp(b->commit, SAMEBITS_COMMIT) != 0) {
    return std::string("it was built from version ") + b->library_version + " commit " + b->commit +
           ", the library from " SAMEBITS_VERSION " commit " SAMEBITS_COMMIT "; install both from one build";
  }
  if (b->broken_rule[0] != '\0' && !broken_allowed()) {
    return std::string("it is a separating build that breaks the rule '") + b->broken_rule +
           "'; set SAMEBITS_ALLOW_BROKEN=1 to use it in a test";
  }
  return "";
}

LoadedBackend judge(const std::string& name, const std::string& path, const sb_backend* b) {
  LoadedBackend loaded;
  loaded.report.name = name;
  loaded.report.path = path;
  std::string refusal = refusal_of(name, b);
  if (b->abi_version == SB_ABI_VERSION && b->struct_size == sizeof(sb_backend)) copy_description(*b, &loaded.report);
  if (refusal.empty()) {
    loaded.backend = b;
    loaded.report.status = "loaded";
  } else {
    loaded.report.status = "refused";
    loaded.report.reason = (path.empty() ? "the built-in backend" : path) + " is refused: " + refusal;
  }
  return loaded;
}

LoadedBackend refused(const std::string& name, const std::string& path, const std::string& status,
                      const std::string& reason) {
  LoadedBackend loaded;
  loaded.report.name = name;
  loaded.report.path = path;
  loaded.report.status = status;
  loaded.report.reason = reason;
  return loaded;
}

const char* how_to_build(const std::string& name) {
  if (name == "opencl") return "build it with the package opencl-headers installed";
  if (name == "hip") return "build it with the packages clang-19 and lld-19 installed";
  return "build it with nvcc on the PATH";
}

LoadedBackend load_plugin(const std::string& name) {
  std::vector<fs::path> files = plugin_files(name);
  if (files.empty()) {
    return refused(name, "", "missing",
                   "no libsamebits_" + name + ".so in SAMEBITS_BACKEND_PATH or the package's folder; " +
                       std::string(how_to_build(name)));
  }
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (file_bytes(files[i]) != file_bytes(files[0])) {
      return refused(
          name, files[0], "refused",
          "two different plugins were found: " + files[0].string() + " and " + files[i].string() + "; remove one");
    }
  }
  void* handle = dlopen(files[0].c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return refused(name, files[0], "refused", std::string("it cannot be opened: ") + dlerror() + "; reinstall it");
  auto entry = reinterpret_cast<sb_backend_fn>(dlsym(handle, SB_BACKEND_SYMBOL));
  if (entry == nullptr)
    return refused(name, files[0], "refused", files[0].string() + " exports no " SB_BACKEND_SYMBOL "; reinstall it");
  return judge(name, files[0], entry());
}

const std::vector<LoadedBackend>& built_in_backends() {
  static const std::vector<LoadedBackend> all = [] {
    std::vector<LoadedBackend> judged;
    for (const sb_backend* b : built_in()) judged.push_back(judge(b->name, "", b));
    return judged;
  }();
  return all;
}

std::vector<LoadedBackend> load_all() {
  std::vector<LoadedBackend> all = built_in_backends();
  for (const char* name : kPluginNames) all.push_back(load_plugin(name));
  return all;
}

}  // namespace

void set_plugin_folder(const std::string& folder) { plugin_folder() = folder; }

const std::vector<LoadedBackend>& loaded_backends() {
  static const std::vector<LoadedBackend> all = load_all();
  return all;
}

const LoadedBackend* find_backend(const std::string& name) {
  for (const LoadedBackend& b : built_in_backends()) {
    if (b.report.name == name) return &b;
  }
  for (const LoadedBackend& b : loaded_backends()) {
    if (b.report.name == name) return &b;
  }
  return nullptr;
}

DeviceInfo describe_device(const sb_backend& backend, int index, int count) {
  sb_device_info raw{};
  DeviceInfo info;
  info.id =
      backend.host_memory != 0 && count == 1 ? backend.name : std::string(backend.name) + ":" + std::to_string(index);
  info.vendor = backend.vendor;
  if (backend.device_info(index, &raw) != SB_OK) return info;
  info.name = raw.name;
  info.architecture = raw.architecture;
  info.column = raw.column;
  info.code_object = raw.code_object;
  info.driver = raw.driver;
  info.memory_bytes = raw.memory_bytes;
  info.compute_units = raw.compute_units;
  info.refusal = raw.refusal;
  return info;
}

}  // namespace samebits
