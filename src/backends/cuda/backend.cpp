// What this plugin states about itself.
#include "backends/cuda/code_objects.hpp"
#include "backends/cuda/queue.hpp"
#include "backends/gpu/plugin.hpp"

namespace samebits::cuda {
namespace {

using gpu::Failure;

int32_t device_count(const char** why) {
  if (!driver().devices.empty() && forked()) {
    *why = gpu::kForkedText;  // so that "auto" takes the cpu there
    return 0;
  }
  *why = driver().why.c_str();
  return static_cast<int32_t>(driver().devices.size());
}

const DeviceFacts& facts_at(int32_t index) {
  const auto& devices = driver().devices;
  if (index < 0 || static_cast<std::size_t>(index) >= devices.size()) {
    throw Failure{SB_ERROR_UNAVAILABLE, "device, got " + std::to_string(index) + ", need less than " +
                                            std::to_string(devices.size()) +
                                            (driver().why.empty() ? "" : ": " + driver().why)};
  }
  return devices[static_cast<std::size_t>(index)];
}

void describe(int32_t index, sb_device_info* out) {
  const DeviceFacts& facts = facts_at(index);
  std::string why;
  const Image* image = choose_image(facts, &why);
  gpu::set_text(out->name, facts.name);
  gpu::set_text(out->architecture, "sm_" + std::to_string(facts.major) + std::to_string(facts.minor));
  gpu::set_text(out->column, image != nullptr ? column_of(*image) : "");
  gpu::set_text(out->code_object, image != nullptr ? description_of(*image) : "none fits");
  gpu::set_text(out->driver, driver().version);
  out->memory_bytes = facts.memory_bytes;
  out->compute_units = facts.multiprocessors;
}

std::unique_ptr<gpu::Queue> open(int32_t index) {
  std::string why;
  const Image* image = choose_image(facts_at(index), &why);
  if (image == nullptr) throw Failure{SB_ERROR_UNAVAILABLE, why};
  if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, gpu::kForkedText};
  return open_queue(index, *image);
}

}  // namespace
}  // namespace samebits::cuda

namespace samebits::gpu {
const Plugin kPlugin = {"cuda",         "nvidia",   cuda::image_names, cuda::device_count,
                        cuda::describe, cuda::open, /*automatic=*/1};
}  // namespace samebits::gpu
