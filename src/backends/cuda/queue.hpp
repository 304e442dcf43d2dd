// A CUDA device as a queue: the primary context, one stream, the kernels of one code object.
#pragma once

#include "backends/gpu/images/images.hpp"
#include "backends/gpu/queue.hpp"

#include <memory>

namespace samebits::cuda {

std::unique_ptr<gpu::Queue> open_queue(int index, const gpu::Image& image);

}  // namespace samebits::cuda
