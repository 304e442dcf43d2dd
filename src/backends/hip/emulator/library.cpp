// The functions of the HIP library that the plugin uses, on host memory. SAMEBITS_EMULATED_HIP lists the architectures of
// its devices ("gfx942" when not set).
#include "backends/gpu/emulator/device.hpp"
#include "backends/hip/api.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace samebits::emulator;

thread_local int current = 0;

const std::vector<std::string>& architectures() {
  static const std::vector<std::string> all = [] {
    const char* text = std::getenv("SAMEBITS_EMULATED_HIP");
    std::stringstream parts(text != nullptr ? text : "gfx942");
    std::vector<std::string> list;
    for (std::string part; std::getline(parts, part, ',');) list.push_back(part);
    return list;
  }();
  return all;
}

bool exists(int index) { return index >= 0 && static_cast<std::size_t>(index) < architectures().size(); }

template <class T>
hipError_t give(T* out, T value) {
  *out = value;
  return hipSuccess;
}

template <class Handle>
Handle handle() {
  return reinterpret_cast<Handle>(std::uintptr_t{1});
}

}  // namespace

extern "C" {

int samebits_emulated_driver(void) { return 1; }

hipError_t hipInit(unsigned) { return hipSuccess; }
hipError_t hipDriverGetVersion(int* version) { return give(version, 60000000); }
const char* hipGetErrorName(hipError_t error) {
  return error == hipErrorOutOfMemory ? "hipErrorOutOfMemory" : "an error of the emulator";
}
const char* hipGetErrorString(hipError_t) { return kErrorText; }

hipError_t hipGetDeviceCount(int* count) {
  *count = static_cast<int>(architectures().size());
  return *count > 0 ? hipSuccess : hipErrorNoDevice;
}
hipError_t hipGetDevice(int* index) { return give(index, current); }
hipError_t hipSetDevice(int index) { return exists(index) ? give(&current, index) : hipErrorInvalidDevice; }
hipError_t hipDeviceGet(hipDevice_t* device, int index) { return give(device, index); }
hipError_t hipDeviceGetName(char* name, int size, hipDevice_t) {
  std::snprintf(name, static_cast<std::size_t>(size), "emulated device");
  return hipSuccess;
}
hipError_t hipDeviceTotalMem(std::size_t* bytes, hipDevice_t) { return give(bytes, kMemoryBytes); }
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int) {
  return give(value, attribute == hipDeviceAttributeMultiprocessorCount ? multiprocessors() : 65536);
}
// No machine has this address, so that the architecture comes from the properties.
hipError_t hipDeviceGetPCIBusId(char* id, int size, int) {
  std::snprintf(id, static_cast<std::size_t>(size), "ffff:ff:1f.0");
  return hipSuccess;
}
hipError_t hipGetDevicePropertiesR0600(void* properties, int index) {
  constexpr std::size_t kNameOfTheArchitecture = 1160;
  const std::string text = architectures()[static_cast<std::size_t>(index)] + ":sramecc+:xnack-";
  std::memset(properties, 0, 1472);
  std::memcpy(static_cast<char*>(properties) + kNameOfTheArchitecture, text.c_str(), text.size());
  return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return std::memcmp(image, "\177ELF", 4) == 0 ? give(module, handle<hipModule_t>()) : hipErrorInvalidImage;
}
hipError_t hipModuleUnload(hipModule_t) { return hipSuccess; }
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t, const char* name) {
  const Kernel* kernel = find_kernel(name);
  if (kernel == nullptr) return hipErrorNotFound;
  return give(function, reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(kernel)));
}
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned x, unsigned y, unsigned, unsigned threads, unsigned,
                                 unsigned, unsigned shared_bytes, hipStream_t, void** arguments, void**) {
  const auto& kernel = *reinterpret_cast<const Kernel*>(function);
  return launch(kernel, x, y, threads, shared_bytes, arguments) ? hipSuccess : hipErrorLaunchFailure;
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) { return give(stream, handle<hipStream_t>()); }
hipError_t hipStreamDestroy(hipStream_t) { return hipSuccess; }
hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) { return give(event, handle<hipEvent_t>()); }
hipError_t hipEventDestroy(hipEvent_t) { return hipSuccess; }
hipError_t hipEventRecord(hipEvent_t, hipStream_t) { return hipSuccess; }
hipError_t hipEventSynchronize(hipEvent_t) { return hipSuccess; }

hipError_t hipMalloc(void** device, std::size_t bytes) {
  *device = allocate(bytes);
  return *device != nullptr ? hipSuccess : hipErrorOutOfMemory;
}
hipError_t hipFree(void* device) {
  release(device);
  return hipSuccess;
}
hipError_t hipHostMalloc(void** host, std::size_t bytes, unsigned) {
  *host = std::malloc(bytes);
  return *host != nullptr ? hipSuccess : hipErrorOutOfMemory;
}
hipError_t hipHostFree(void* host) {
  std::free(host);
  return hipSuccess;
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, std::size_t bytes, hipStream_t) {
  std::memcpy(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, std::size_t bytes, hipStream_t) {
  std::memcpy(to, from, bytes);
  return hipSuccess;
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, std::size_t bytes, hipStream_t) {
  std::memset(to, value, bytes);
  return hipSuccess;
}

}  // extern "C"
