// An OpenCL device as a queue: one context, one in-order command queue, the kernels of the compiled text.
#pragma once

#include "backends/gpu/queue.hpp"
#include "backends/opencl/driver.hpp"

#include <memory>

namespace samebits::opencl {

std::unique_ptr<gpu::Queue> open_queue(const DeviceFacts& device);

}  // namespace samebits::opencl
