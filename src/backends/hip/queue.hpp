// A HIP device as a queue: one stream and the kernels of one code object.
#pragma once

#include "backends/gpu/images/images.hpp"
#include "backends/gpu/queue.hpp"

#include <memory>

namespace samebits::hip {

std::unique_ptr<gpu::Queue> open_queue(int index, const gpu::Image& image);

}  // namespace samebits::hip
