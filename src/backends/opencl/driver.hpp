// The OpenCL library, opened at run time: the plugin loads on a machine without it and says what is missing. The list of
// devices is read once; each is judged by what the contract needs.
#pragma once

#include "backends/gpu/queue.hpp"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstddef>
#include <string>
#include <vector>

#include <sys/types.h>

namespace samebits::opencl {

#define SB_FOR_EACH_OPENCL_FUNCTION(X) \
  X(clGetPlatformIDs)                  \
  X(clGetPlatformInfo)                 \
  X(clGetDeviceIDs)                    \
  X(clGetDeviceInfo)                   \
  X(clCreateContext)                   \
  X(clReleaseContext)                  \
  X(clCreateCommandQueue)              \
  X(clReleaseCommandQueue)             \
  X(clCreateBuffer)                    \
  X(clReleaseMemObject)                \
  X(clCreateProgramWithSource)         \
  X(clCreateProgramWithBinary)         \
  X(clBuildProgram)                    \
  X(clGetProgramInfo)                  \
  X(clGetProgramBuildInfo)             \
  X(clReleaseProgram)                  \
  X(clCreateKernel)                    \
  X(clReleaseKernel)                   \
  X(clSetKernelArg)                    \
  X(clGetKernelWorkGroupInfo)          \
  X(clEnqueueNDRangeKernel)            \
  X(clEnqueueWriteBuffer)              \
  X(clEnqueueReadBuffer)               \
  X(clEnqueueFillBuffer)               \
  X(clEnqueueMarkerWithWaitList)       \
  X(clWaitForEvents)                   \
  X(clReleaseEvent)                    \
  X(clFlush)                           \
  X(clFinish)

struct DeviceFacts {
  cl_device_id id = nullptr;
  std::string name, platform, driver;
  std::string column;  // "opencl-pocl", "opencl-nvidia"
  std::string refusal;  // what the contract needs and the device lacks, "" when nothing
  std::uint64_t memory_bytes = 0;
  std::uint64_t most_bytes = 0;  // of one buffer
  int compute_units = 0;
};

struct Library {
#define SB_MEMBER(name) decltype(&::name) name = nullptr;
  SB_FOR_EACH_OPENCL_FUNCTION(SB_MEMBER)
#undef SB_MEMBER
  std::string why;  // why there is no device, "" when there is one
  std::vector<DeviceFacts> devices;
  pid_t process = 0;  // the process that opened the library
};

// Opened and read once per process.
const Library& library();

// True in a child forked after the library was opened: its threads are not there.
bool forked();

// "CL_OUT_OF_RESOURCES (-5)".
std::string error_name(cl_int code);

// Throws a gpu::Failure "what, got NAME" unless the code is CL_SUCCESS.
void check(cl_int code, const char* what);

}  // namespace samebits::opencl
