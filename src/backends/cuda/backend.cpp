// What this plugin states about itself.
#include "backends/cuda/code_objects.hpp"
#include "backends/cuda/queue.hpp"
#include "backends/gpu/plugin.hpp"

namespace samebits::cuda {
namespace {

int32_t device_count(const char** why) { return driver().count(why); }

void describe(int32_t index, sb_device_info* out) {
  const DeviceFacts& facts = driver().at(index);
  std::string why;
  const gpu::Image* image = choose_image(facts, &why);
  gpu::set_text(out->name, facts.name);
  gpu::set_text(out->architecture, architecture_of(facts));
  gpu::set_text(out->column, image != nullptr ? column_of(*image) : "");
  gpu::set_text(out->code_object, image != nullptr ? description_of(*image) : "none fits");
  gpu::set_text(out->driver, driver().version);
  gpu::set_text(out->refusal, why);
  out->memory_bytes = facts.memory_bytes;
  out->compute_units = facts.multiprocessors;
}

std::unique_ptr<gpu::Queue> open(int32_t index) {
  std::string why;
  const gpu::Image* image = choose_image(driver().at(index), &why);
  if (image == nullptr) throw gpu::Failure{SB_ERROR_UNAVAILABLE, why};
  driver().refuse_forked();
  return open_queue(index, *image);
}

}  // namespace
}  // namespace samebits::cuda

namespace samebits::gpu {
const Plugin kPlugin = {"cuda",         "nvidia",   gpu::image_names, cuda::device_count,
                        cuda::describe, cuda::open, /*automatic=*/1,  /*check_answers=*/0};
}  // namespace samebits::gpu
