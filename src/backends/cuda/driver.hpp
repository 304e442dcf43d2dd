// The CUDA driver library, opened at run time: the plugin loads on a machine without it and says what is missing.
// Nothing here creates a context; the list of devices is read once and stays readable in a forked child.
#pragma once

#include "backends/gpu/library.hpp"

#include <cuda.h>

#include <cstddef>
#include <string>

namespace samebits::cuda {

#define SB_FOR_EACH_DRIVER_FUNCTION(X) \
  X(cuInit)                            \
  X(cuDriverGetVersion)                \
  X(cuDeviceGetCount)                  \
  X(cuDeviceGet)                       \
  X(cuDeviceGetName)                   \
  X(cuDeviceTotalMem_v2)               \
  X(cuDeviceGetAttribute)              \
  X(cuDevicePrimaryCtxRetain)          \
  X(cuDevicePrimaryCtxRelease_v2)      \
  X(cuCtxPushCurrent_v2)               \
  X(cuCtxPopCurrent_v2)                \
  X(cuModuleLoadDataEx)                \
  X(cuModuleUnload)                    \
  X(cuModuleGetFunction)               \
  X(cuFuncSetAttribute)                \
  X(cuFuncGetAttribute)                \
  X(cuStreamCreate)                    \
  X(cuStreamDestroy_v2)                \
  X(cuStreamSynchronize)               \
  X(cuEventCreate)                     \
  X(cuEventDestroy_v2)                 \
  X(cuEventRecord)                     \
  X(cuEventSynchronize)                \
  X(cuMemAlloc_v2)                     \
  X(cuMemFree_v2)                      \
  X(cuMemHostAlloc)                    \
  X(cuMemFreeHost)                     \
  X(cuMemcpyHtoDAsync_v2)              \
  X(cuMemcpyDtoHAsync_v2)              \
  X(cuMemsetD8Async)                   \
  X(cuLaunchKernel)                    \
  X(cuGetErrorName)                    \
  X(cuGetErrorString)

struct DeviceFacts {
  std::string name;
  std::size_t memory_bytes = 0;
  int major = 0, minor = 0;
  int multiprocessors = 0;
  int shared_bytes = 0;  // most shared memory of one block
};

struct Driver : gpu::DriverState<DeviceFacts> {
#define SB_MEMBER(name) decltype(&::name) name = nullptr;
  SB_FOR_EACH_DRIVER_FUNCTION(SB_MEMBER)
#undef SB_MEMBER
};

// Looked up and initialised once per process.
const Driver& driver();

// Throws a gpu::Failure "what, got NAME (text)" unless the result is CUDA_SUCCESS.
void check(CUresult result, const char* what);

}  // namespace samebits::cuda
