/* A libOpenCL.so.1 that hands every call on to the real one, and misbehaves as STUB_OPENCL says:
   build_fails    clBuildProgram fails with a log
   no_fma         the devices have no f32 fma
   no_platform    there is no platform
   contracts      the compiler fuses a * b + c although the text forbids it
   x86-64 only: a forwarded function is a jump. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define FORWARDED(X)                                                                                               \
  X(clGetPlatformInfo)                                                                                             \
  X(clGetDeviceIDs)                                                                                                \
  X(clCreateContext)                                                                                               \
  X(clReleaseContext)                                                                                              \
  X(clCreateCommandQueue)                                                                                          \
  X(clReleaseCommandQueue)                                                                                         \
  X(clCreateBuffer) X(clReleaseMemObject) X(clCreateProgramWithBinary) X(clGetProgramInfo) X(clReleaseProgram)     \
      X(clCreateKernel) X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelWorkGroupInfo) X(clEnqueueNDRangeKernel) \
          X(clEnqueueWriteBuffer) X(clEnqueueReadBuffer) X(clEnqueueFillBuffer) X(clEnqueueMarkerWithWaitList)     \
              X(clWaitForEvents) X(clReleaseEvent) X(clFlush) X(clFinish)

/* clang-format on */
#define JUMP(name)                                         \
  __attribute__((visibility("hidden"))) void* real_##name; \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n  jmp *real_" #name "(%rip)\n");
FORWARDED(JUMP)

static void* real;

__attribute__((constructor)) static void find(void) {
  real = dlopen(getenv("STUB_OPENCL_REAL"), RTLD_NOW | RTLD_LOCAL);
  if (real == NULL) abort();
#define FIND(name) real_##name = dlsym(real, #name);
  FORWARDED(FIND)
}

static int asked(const char* what) {
  const char* text = getenv("STUB_OPENCL");
  return text != NULL && strcmp(text, what) == 0;
}

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id* ids, cl_uint* count) {
  if (asked("no_platform")) {
    if (count != NULL) *count = 0;
    return -1001; /* CL_PLATFORM_NOT_FOUND_KHR */
  }
  return ((cl_int(*)(cl_uint, cl_platform_id*, cl_uint*))dlsym(real, "clGetPlatformIDs"))(n, ids, count);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void* value, size_t* needed) {
  cl_int code = ((cl_int(*)(cl_device_id, cl_device_info, size_t, void*, size_t*))dlsym(real, "clGetDeviceInfo"))(
      device, what, size, value, needed);
  if (asked("no_fma") && what == CL_DEVICE_SINGLE_FP_CONFIG && value != NULL)
    *(cl_device_fp_config*)value &= ~(cl_device_fp_config)CL_FP_FMA;
  return code;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char** text, const size_t* size,
                                     cl_int* code) {
  char* own = strndup(text[0], size[0]);
  const char* given = own;
  char* off = asked("contracts") ? strstr(own, "FP_CONTRACT OFF") : NULL;
  if (off != NULL) memcpy(off, "FP_CONTRACT ON ", 15);
  cl_program program = ((cl_program(*)(cl_context, cl_uint, const char**, const size_t*, cl_int*))dlsym(
      real, "clCreateProgramWithSource"))(context, n, &given, size, code);
  free(own);
  return program;
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  if (asked("build_fails")) return CL_BUILD_PROGRAM_FAILURE;
  return ((cl_int(*)(cl_program, cl_uint, const cl_device_id*, const char*, void(CL_CALLBACK*)(cl_program, void*),
                     void*))dlsym(real, "clBuildProgram"))(program, n, devices, options, notify, data);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size,
                             void* value, size_t* needed) {
  static const char log[] = "kernels.cl:7: error: this driver cannot";
  if (asked("build_fails") && what == CL_PROGRAM_BUILD_LOG) {
    if (needed != NULL) *needed = sizeof log;
    if (value != NULL) memcpy(value, log, size < sizeof log ? size : sizeof log);
    return CL_SUCCESS;
  }
  return ((cl_int(*)(cl_program, cl_device_id, cl_program_build_info, size_t, void*, size_t*))dlsym(
      real, "clGetProgramBuildInfo"))(program, device, what, size, value, needed);
}
