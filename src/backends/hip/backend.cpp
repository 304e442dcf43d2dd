// What this plugin states about itself.
#include "backends/gpu/images/images.hpp"
#include "backends/gpu/plugin.hpp"
#include "backends/hip/architecture.hpp"
#include "backends/hip/driver.hpp"
#include "backends/hip/queue.hpp"

namespace samebits::hip {
namespace {

constexpr int kSharedBytes = 65536;  // what the kernels' lanes are cut for (CMakeLists.txt)

int32_t device_count(const char** why) { return driver().count(why); }

// Exactly the device's architecture before a generic target that includes it.
const gpu::Image* choose_image(const DeviceFacts& device, std::string* why) {
  const std::string architecture = device.architecture.empty() ? "of unknown architecture" : device.architecture;
  if (device.shared_bytes < kSharedBytes) {
    *why = device.name + " (" + architecture + ") has " + std::to_string(device.shared_bytes) +
           " bytes of LDS a work group, need " + std::to_string(kSharedBytes);
    return nullptr;
  }
  return gpu::choose_image({device.name + " (" + architecture + ")", "SAMEBITS_HIP_ARCHITECTURES",
                            [&](const gpu::Image& image) {
                              if (!runs_on(image.name, device.architecture)) return 0;
                              return gpu::is_kind(image, "native") ? 2 : 1;
                            }},
                           why);
}

std::string column_of(const gpu::Image& image) {
  return driver().emulated ? "hip-emulated" : std::string("hip-") + image.name;
}

std::string description_of(const gpu::Image& image) {
  if (driver().emulated) return "the kernels' text run on the CPU by the emulated driver";
  return std::string(image.kind) + " " + image.name;
}

void describe(int32_t index, sb_device_info* out) {
  const DeviceFacts& facts = driver().at(index);
  std::string why;
  const gpu::Image* image = choose_image(facts, &why);
  gpu::set_text(out->name, facts.name);
  gpu::set_text(out->architecture, facts.architecture);
  gpu::set_text(out->column, image != nullptr ? column_of(*image) : "");
  gpu::set_text(out->code_object, image != nullptr ? description_of(*image) : "none fits");
  gpu::set_text(out->driver, driver().version);
  gpu::set_text(out->refusal, why);
  out->memory_bytes = facts.memory_bytes;
  out->compute_units = facts.compute_units;
}

std::unique_ptr<gpu::Queue> open(int32_t index) {
  std::string why;
  const gpu::Image* image = choose_image(driver().at(index), &why);
  if (image == nullptr) throw gpu::Failure{SB_ERROR_UNAVAILABLE, why};
  driver().refuse_forked();
  return open_queue(index, *image);
}

}  // namespace
}  // namespace samebits::hip

namespace samebits::gpu {
const Plugin kPlugin = {"hip",         "amd",     gpu::image_names, hip::device_count,
                        hip::describe, hip::open, /*automatic=*/1,  /*check_answers=*/1};
}  // namespace samebits::gpu
