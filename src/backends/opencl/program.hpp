// The kernels' text compiled for a device by its driver, kept on disk by content: the text, the options, the device and the
// driver make the name of the file, so that nothing stale is ever taken.
#pragma once

#include "backends/opencl/driver.hpp"

namespace samebits::opencl {

// Throws a Failure with the driver's own words when it cannot compile the text.
cl_program build_program(cl_context context, const DeviceFacts& device);

}  // namespace samebits::opencl
