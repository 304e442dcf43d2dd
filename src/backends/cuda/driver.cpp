#include "backends/cuda/driver.hpp"

#include <fstream>

namespace samebits::cuda {
namespace {

std::string describe(const Driver& d, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (d.cuGetErrorName(result, &name) != CUDA_SUCCESS) name = nullptr;
  if (d.cuGetErrorString(result, &text) != CUDA_SUCCESS) text = nullptr;
  return gpu::error_words(static_cast<int>(result), name, text);
}

// Fills the function pointers; false and `why` when the library or a function is missing.
bool find_functions(Driver* d) {
  constexpr const char* kNames[] = {"libcuda.so.1", nullptr};
  std::string text;
  void* library = gpu::open_library(kNames, &text);
  if (library == nullptr) {
    d->why = "the NVIDIA driver library cannot be opened: " + text + "; install the NVIDIA driver";
    return false;
  }
#define SB_FIND(name)                                                                \
  d->name = reinterpret_cast<decltype(d->name)>(gpu::find_function(library, #name)); \
  if (d->name == nullptr) {                                                          \
    d->why = "the NVIDIA driver library has no function " #name "; update it";       \
    return false;                                                                    \
  }
  SB_FOR_EACH_DRIVER_FUNCTION(SB_FIND)
#undef SB_FIND
  d->emulated = gpu::find_function(library, "samebits_emulated_driver") != nullptr;
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

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  throw gpu::Failure{result == CUDA_ERROR_OUT_OF_MEMORY ? SB_ERROR_MEMORY : SB_ERROR_DEVICE,
                     std::string(what) + ", got " + describe(driver(), result)};
}

}  // namespace samebits::cuda
