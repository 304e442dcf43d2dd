// What this plugin states about itself.
#include "backends/gpu/plugin.hpp"
#include "backends/opencl/driver.hpp"
#include "backends/opencl/queue.hpp"

namespace samebits::opencl {
namespace {

using gpu::Failure;

int32_t device_count(const char** why) {
  if (!library().devices.empty() && forked()) {
    *why = gpu::kForkedText;
    return 0;
  }
  *why = library().why.c_str();
  return static_cast<int32_t>(library().devices.size());
}

const DeviceFacts& facts_at(int32_t index) {
  const auto& devices = library().devices;
  if (index < 0 || static_cast<std::size_t>(index) >= devices.size()) {
    throw Failure{SB_ERROR_UNAVAILABLE, "device, got " + std::to_string(index) + ", need less than " +
                                            std::to_string(devices.size()) +
                                            (library().why.empty() ? "" : ": " + library().why)};
  }
  return devices[static_cast<std::size_t>(index)];
}

void describe(int32_t index, sb_device_info* out) {
  const DeviceFacts& facts = facts_at(index);
  gpu::set_text(out->name, facts.name);
  gpu::set_text(out->architecture, facts.platform);
  gpu::set_text(out->column, facts.column);
  gpu::set_text(out->code_object, "OpenCL C compiled by the driver");
  gpu::set_text(out->driver, facts.driver);
  gpu::set_text(out->refusal, facts.refusal);
  out->memory_bytes = facts.memory_bytes;
  out->compute_units = facts.compute_units;
}

std::unique_ptr<gpu::Queue> open(int32_t index) {
  const DeviceFacts& facts = facts_at(index);
  if (!facts.refusal.empty()) throw Failure{SB_ERROR_UNAVAILABLE, facts.refusal};
  if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, gpu::kForkedText};
  return open_queue(facts);
}

const char* const* code_objects() {
  static const char* const names[] = {"opencl_c_1.2", nullptr};
  return names;
}

}  // namespace
}  // namespace samebits::opencl

namespace samebits::gpu {
const Plugin kPlugin = {"opencl",         "khronos",    opencl::code_objects, opencl::device_count,
                        opencl::describe, opencl::open, /*automatic=*/0,      /*check_answers=*/1};
}  // namespace samebits::gpu
