#include "samebits/device.hpp"

#include "runtime/cpu_features.hpp"
#include "runtime/loader.hpp"
#include "samebits/error.hpp"
#include "samebits_build_info.h"

#include "numerics/dialect/break.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace samebits {

struct Device::State {
  const sb_backend* backend = nullptr;
  sb_context* context = nullptr;
  DeviceInfo info;
  ~State() {
    if (context != nullptr) backend->close(context);
  }
};

namespace {

// An OpenCL driver is not even asked by "auto": opening all of a machine's drivers costs a tenth of a second, and an OpenCL
// device may be the CPU itself.
bool may_be_automatic(const LoadedBackend& b) {
  return b.backend != nullptr ? b.backend->automatic != 0 : b.report.name != "opencl";
}

std::string known_devices() {
  std::string text;
  for (const DeviceInfo& d : devices()) {
    if (d.refusal.empty()) text += (text.empty() ? "" : ", ") + d.id;
  }
  return text;
}

// Once per device and process.
std::string remembered_wrong_answer(const Device& device) {
  static std::mutex mutex;
  static std::map<std::string, std::string> answers;
  const std::lock_guard<std::mutex> lock(mutex);
  auto found = answers.find(device.info().id);
  if (found == answers.end()) found = answers.emplace(device.info().id, wrong_answer(device)).first;
  return found->second;
}

[[noreturn]] void refuse(const std::string& asked, const std::string& found, const std::string& remedy) {
  throw Error(ErrorCode::unavailable, "[device] asked for '" + asked + "': " + found +
                                          "; this machine has: " + known_devices() + ". " + remedy);
}

bool split_id(const std::string& id, std::string* name, int* index) {
  auto colon = id.find(':');
  *name = id.substr(0, colon);
  *index = 0;
  if (colon == std::string::npos) return true;
  std::string digits = id.substr(colon + 1);
  if (digits.empty() || digits.size() > 4 ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return false;
  *index = std::stoi(digits);
  return true;
}

}  // namespace

Device Device::open(const std::string& id, int n_threads) {
  std::string name;
  int index = 0;
  if (!split_id(id == "auto" ? auto_device() : id, &name, &index)) {
    refuse(id, "a device is written name or name:number", "Use one of these, or 'auto'.");
  }
  const LoadedBackend* found = find_backend(name);
  if (found == nullptr) refuse(id, "no backend of that name is known", "Use one of these, or 'auto'.");
  if (found->backend == nullptr) refuse(id, found->report.reason, "Run `samebits doctor` for all details.");
  const char* why = "";
  int count = found->backend->device_count(&why);
  if (index >= count) {
    refuse(id,
           count == 0 ? std::string("the ") + name + " backend finds no device (" + why + ")"
                      : "the " + name + " backend finds " + std::to_string(count) + " device(s)",
           "Run `samebits doctor` for all details.");
  }
  auto state = std::make_shared<State>();
  state->backend = found->backend;
  if (found->backend->open(index, n_threads, &state->context) != SB_OK) {
    state->context = nullptr;
    refuse(id, found->backend->last_error(), "Run `samebits doctor` for all details.");
  }
  state->info = describe_device(*found->backend, index, count);
  Device device;
  device.state_ = std::move(state);
  if (found->backend->check_answers != 0) {
    const std::string wrong = remembered_wrong_answer(device);
    if (!wrong.empty()) {
      refuse(id, "it computes wrong bits: the stage '" + wrong + "' of a known fit differs from the reference",
             "Its driver or compiler is at fault; update the driver (" + device.info().driver + ") or report it.");
    }
  }
  return device;
}

const DeviceInfo& Device::info() const { return state_->info; }
const sb_backend& Device::backend() const { return *state_->backend; }
sb_context* Device::context() const { return state_->context; }

BuildInfo build_info() {
  BuildInfo info;
  info.version = SAMEBITS_VERSION;
  info.commit = SAMEBITS_COMMIT;
  info.dirty = SAMEBITS_DIRTY != 0;
  info.compiler = SAMEBITS_COMPILER;
  info.broken_rule = SB_BROKEN_RULE;
  info.profile = "identical/1";
  for (const char* const* isa = find_backend("cpu")->backend->code_objects; *isa != nullptr; ++isa) {
    if (cpu_supports(*isa)) info.cpu_isas.push_back(*isa);
  }
  sb_device_info cpu{};
  if (find_backend("cpu")->backend->device_info(0, &cpu) == SB_OK) info.cpu_isa = cpu.code_object;
  return info;
}

namespace {

// Why none of a backend's devices can be opened; "" when one can.
std::string refusal_of_all(const sb_backend& backend, int count) {
  std::string all;
  for (int index = 0; index < count; ++index) {
    const DeviceInfo device = describe_device(backend, index, count);
    if (device.refusal.empty()) return "";
    all += (all.empty() ? "" : "; ") + device.id + ": " + device.refusal;
  }
  return all;
}

}  // namespace

std::vector<BackendReport> backend_reports(bool automatic_only) {
  std::vector<BackendReport> reports;
  for (const LoadedBackend& b : loaded_backends()) {
    if (automatic_only && !may_be_automatic(b)) continue;
    reports.push_back(b.report);
    const char* why = "";
    if (b.backend != nullptr) {
      reports.back().device_count = b.backend->device_count(&why);
      const int count = reports.back().device_count;
      reports.back().reason = count == 0 ? why : refusal_of_all(*b.backend, count);
    }
  }
  return reports;
}

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  for (const LoadedBackend& b : loaded_backends()) {
    if (b.backend == nullptr) continue;
    const char* why = "";
    int count = b.backend->device_count(&why);
    for (int index = 0; index < count; ++index) all.push_back(describe_device(*b.backend, index, count));
  }
  return all;
}

namespace {

// "auto": the first GPU device, else the cpu. A GPU is the fastest usable device for the sizes that matter.
std::pair<std::string, std::string> choose_auto() {
  std::string reason;
  for (const LoadedBackend& b : loaded_backends()) {
    if (b.report.name == "cpu" || b.report.name == "reference") continue;
    if (!may_be_automatic(b)) continue;
    if (b.backend == nullptr) {
      reason += b.report.name + ": " + b.report.reason + "; ";
      continue;
    }
    const char* why = "";
    const int count = b.backend->device_count(&why);
    for (int index = 0; index < count; ++index) {
      const DeviceInfo device = describe_device(*b.backend, index, count);
      if (device.refusal.empty()) return {device.id, "auto takes " + device.id + ", the first usable GPU"};
      reason += device.id + ": " + device.refusal + "; ";
    }
    if (count == 0) reason += b.report.name + ": " + why + "; ";
  }
  return {"cpu",
          "auto takes cpu: " + (reason.empty() ? std::string("no GPU plugin is installed") : reason + "no usable GPU")};
}

}  // namespace

std::string auto_device() { return choose_auto().first; }
std::string auto_device_reason() { return choose_auto().second; }

}  // namespace samebits
