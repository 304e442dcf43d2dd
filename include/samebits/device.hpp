// Devices: what exists, why, and opening one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct sb_backend;
struct sb_context;

namespace [[gnu::visibility("default")]] samebits {

struct DeviceInfo {
  std::string id;  // "reference", "cpu", "cuda:0"
  std::string name, vendor, architecture, column, code_object, driver;
  std::uint64_t memory_bytes = 0;
  int compute_units = 0;
  std::string refusal;  // why it cannot be opened, "" when it can
};

// One plugin file or built-in backend as the loader judged it.
struct BackendReport {
  std::string name;    // "cpu", "cuda"
  std::string path;    // "" when built in
  std::string status;  // "loaded", "refused", "missing"
  std::string reason;  // why not, and what to do; also when loaded but without a device that can be opened
  std::string version, commit, broken_rule;
  bool dirty = false;
  std::vector<std::string> code_objects, profiles;
  int device_count = 0;
};

// The library's own description.
struct BuildInfo {
  std::string version, commit, compiler, broken_rule, profile;
  bool dirty = false;
  std::vector<std::string> cpu_isas;  // instruction sets this machine can run, of those built
  std::string cpu_isa;                // the one in use
};

BuildInfo build_info();
// automatic_only: leave out backends that device="auto" never takes, whose drivers need not be opened then.
std::vector<BackendReport> backend_reports(bool automatic_only = false);
std::vector<DeviceInfo> devices();
// The id that "auto" means here, and the sentence that says why.
std::string auto_device();
std::string auto_device_reason();

// Where plugins are looked for besides SAMEBITS_BACKEND_PATH (the package's folder). Set once, before the first use.
void set_plugin_folder(const std::string& folder);

// An opened device. Movable handle; closes on destruction. Used by one thread at a time.
class Device {
 public:
  // id: "auto", "cpu", "reference", "cuda", "cuda:1"; n_threads 0: SAMEBITS_NUM_THREADS or all hardware threads.
  // Throws Error(unavailable) naming what was asked, what was found and what to do.
  static Device open(const std::string& id, int n_threads = 0);

  const DeviceInfo& info() const;
  const sb_backend& backend() const;
  sb_context* context() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace samebits
