// The functions of the driver library that the plugin uses, on host memory.
#include "backends/cuda/driver.hpp"
#include "backends/gpu/emulator/device.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace samebits::emulator;

template <class T>
CUresult give(T* out, T value) {
  *out = value;
  return CUDA_SUCCESS;
}

template <class Handle>
Handle handle() {
  return reinterpret_cast<Handle>(std::uintptr_t{1});
}

void* memory(CUdeviceptr p) { return reinterpret_cast<void*>(p); }

}  // namespace

extern "C" {

int samebits_emulated_driver(void) { return 1; }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { return give(version, CUDA_VERSION); }
CUresult cuDeviceGetCount(int* count) { return give(count, 1); }
CUresult cuDeviceGet(CUdevice* device, int index) { return give(device, index); }
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::snprintf(name, static_cast<std::size_t>(size), "emulated device");
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) { return give(bytes, kMemoryBytes); }
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  return give(value, which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? 9
                     : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
                     : which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? multiprocessors()
                                                                             : 232448);
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return give(context, handle<CUcontext>()); }
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxPushCurrent_v2(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent_v2(CUcontext* context) { return give(context, handle<CUcontext>()); }
CUresult cuModuleLoadDataEx(CUmodule* module, const void*, unsigned, CUjit_option*, void**) {
  return give(module, handle<CUmodule>());
}
CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  const Kernel* kernel = find_kernel(name);
  if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
  return give(function, reinterpret_cast<CUfunction>(const_cast<Kernel*>(kernel)));
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) { return give(value, 0); }
CUresult cuStreamCreate(CUstream* stream, unsigned) { return give(stream, handle<CUstream>()); }
CUresult cuStreamDestroy_v2(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuEventCreate(CUevent* event, unsigned) { return give(event, handle<CUevent>()); }
CUresult cuEventDestroy_v2(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }

CUresult cuMemAlloc_v2(CUdeviceptr* out, std::size_t bytes) {
  void* p = allocate(bytes);
  if (p == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  return give(out, reinterpret_cast<CUdeviceptr>(p));
}
CUresult cuMemFree_v2(CUdeviceptr p) {
  release(memory(p));
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** out, std::size_t bytes, unsigned) { return give(out, std::malloc(bytes)); }
CUresult cuMemFreeHost(void* p) {
  std::free(p);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  std::memcpy(memory(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  std::memcpy(to, memory(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  std::memset(memory(to), value, bytes);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned, unsigned threads, unsigned, unsigned,
                        unsigned shared_bytes, CUstream, void** arguments, void**) {
  const auto& kernel = *reinterpret_cast<const Kernel*>(function);
  return launch(kernel, x, y, threads, shared_bytes, arguments) ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
}
CUresult cuGetErrorName(CUresult, const char** text) { return give(text, "CUDA_ERROR of the emulator"); }
CUresult cuGetErrorString(CUresult, const char** text) { return give(text, kErrorText); }

}  // extern "C"
