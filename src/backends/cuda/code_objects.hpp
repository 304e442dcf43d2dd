// Which of the plugin's code objects runs on a device: machine code per architecture (sm_90), or PTX that the driver
// compiles (ptx_90).
#pragma once

#include "backends/cuda/driver.hpp"
#include "backends/gpu/images/images.hpp"

#include <string>

namespace samebits::cuda {

// Exactly the device's architecture, a lower one of the same major family, or PTX. nullptr and `why` when none fits.
const gpu::Image* choose_image(const DeviceFacts& device, std::string* why);

std::string architecture_of(const DeviceFacts& device);  // "sm_90"
std::string column_of(const gpu::Image& image);          // "cuda-sm_90", "cuda-ptx"
std::string description_of(const gpu::Image& image);     // "native sm_90", "ptx_90 compiled by the driver"

}  // namespace samebits::cuda
