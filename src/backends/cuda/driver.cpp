#include "backends/cuda/driver.hpp"

#include <fstream>

#include <dlfcn.h>
#include <unistd.h>

namespace samebits::cuda {
namespace {

std::string describe(const Driver& d, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (d.cuGetErrorName == nullptr || d.cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) {
    return "error " + std::to_string(static_cast<int>(result));
  }
  if (d.cuGetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) text = "no text";
  return std::string(name) + " (" + text + ")";
}

// Fills the function pointers; false and `why` when the library or a function is missing.
bool find_functions(Driver* d) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = dlerror();
    d->why = std::string("the NVIDIA driver library cannot be opened: ") + (text != nullptr ? text : "libcuda.so.1") +
             "; install the NVIDIA driver";
    return false;
  }
#define SB_FIND(name)                                                          \
  d->name = reinterpret_cast<decltype(d->name)>(dlsym(library, #name));        \
  if (d->name == nullptr) {                                                    \
    d->why = "the NVIDIA driver library has no function " #name "; update it"; \
    return false;                                                              \
  }
  SB_FOR_EACH_DRIVER_FUNCTION(SB_FIND)
#undef SB_FIND
  d->emulated = dlsym(library, "samebits_emulated_driver") != nullptr;
  return true;
}

int attribute(const Driver& d, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  return d.cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

DeviceFacts facts_of(const Driver& d, int index) {
  DeviceFacts facts;
  CUdevice device = 0;
  if (d.cuDeviceGet(&device, index) != CUDA_SUCCESS) return facts;
  char name[256] = {0};
  if (d.cuDeviceGetName(name, sizeof(name) - 1, device) == CUDA_SUCCESS) facts.name = name;
  if (d.cuDeviceTotalMem_v2(&facts.memory_bytes, device) != CUDA_SUCCESS) facts.memory_bytes = 0;
  facts.major = attribute(d, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  facts.minor = attribute(d, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.multiprocessors = attribute(d, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.shared_bytes = attribute(d, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return facts;
}

// "580.159.04" from the kernel module's own line, "" when it cannot be read.
std::string kernel_module_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word[0] >= '0' && word[0] <= '9' && word.find('.') != std::string::npos) return word;
  }
  return "";
}

Driver load() {
  Driver d;
  d.process = getpid();
  if (!find_functions(&d)) return d;
  CUresult result = d.cuInit(0);
  if (result != CUDA_SUCCESS) {
    d.why = "the NVIDIA driver does not start: cuInit gave " + describe(d, result);
    return d;
  }
  int version = 0, count = 0;
  if (d.cuDriverGetVersion(&version) == CUDA_SUCCESS) {
    d.version = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    const std::string module = kernel_module_version();
    if (!module.empty()) d.version = module + ", " + d.version;
  }
  result = d.cuDeviceGetCount(&count);
  if (result != CUDA_SUCCESS || count == 0) {
    d.why = result != CUDA_SUCCESS ? "cuDeviceGetCount gave " + describe(d, result) : "the NVIDIA driver finds no GPU";
    return d;
  }
  for (int i = 0; i < count; ++i) d.devices.push_back(facts_of(d, i));
  return d;
}

}  // namespace

const Driver& driver() {
  static const Driver d = load();
  return d;
}

bool forked() { return driver().process != getpid(); }

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  throw gpu::Failure{result == CUDA_ERROR_OUT_OF_MEMORY ? SB_ERROR_MEMORY : SB_ERROR_DEVICE,
                     std::string(what) + ", got " + describe(driver(), result)};
}

}  // namespace samebits::cuda
