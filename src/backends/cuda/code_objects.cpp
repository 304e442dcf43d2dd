#include "backends/cuda/code_objects.hpp"

#include <cstdlib>
#include <cstring>

namespace samebits::cuda {
namespace {

bool is_native(const gpu::Image& image) { return gpu::is_kind(image, "native"); }

// 90 of "sm_90" and "ptx_90".
int number_of(const gpu::Image& image) { return std::atoi(std::strchr(image.name, '_') + 1); }

// Native before PTX, then the higher architecture.
int rank(const gpu::Image& image, const DeviceFacts& d) {
  const int device = d.major * 10 + d.minor, number = number_of(image);
  if (number > device || (is_native(image) && number / 10 != d.major)) return 0;
  return number + (is_native(image) ? 100000 : 0);
}

}  // namespace

const gpu::Image* choose_image(const DeviceFacts& device, std::string* why) {
  return gpu::choose_image({device.name + " (" + architecture_of(device) + ")", "SAMEBITS_CUDA_ARCHITECTURES",
                            [&](const gpu::Image& image) { return rank(image, device); }},
                           why);
}

std::string architecture_of(const DeviceFacts& device) {
  return "sm_" + std::to_string(device.major) + std::to_string(device.minor);
}

std::string column_of(const gpu::Image& image) {
  if (driver().emulated) return "cuda-emulated";
  return is_native(image) ? std::string("cuda-") + image.name : "cuda-ptx";
}

std::string description_of(const gpu::Image& image) {
  if (driver().emulated) return "the kernels' text run on the CPU by the emulated driver";
  return is_native(image) ? std::string("native ") + image.name : std::string(image.name) + " compiled by the driver";
}

}  // namespace samebits::cuda
