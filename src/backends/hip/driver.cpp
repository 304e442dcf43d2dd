#include "backends/hip/driver.hpp"

#include "backends/hip/architecture.hpp"

#include <fstream>

namespace samebits::hip {
namespace {

// The versions whose interface api.hpp describes. The last name is where ROCm installs itself.
constexpr const char* kLibraries[] = {"libamdhip64.so.6",
                                      "libamdhip64.so.5",
                                      "libamdhip64.so.7",
                                      "libamdhip64.so",
                                      "/opt/rocm/lib/libamdhip64.so",
                                      nullptr};

std::string describe(const Driver& d, hipError_t result) {
  return gpu::error_words(result, d.hipGetErrorName(result), d.hipGetErrorString(result));
}

// The library, with the function pointers filled; nullptr and `why` when it or a function is missing.
void* find_functions(Driver* d) {
  std::string text;
  void* library = gpu::open_library(kLibraries, &text);
  if (library == nullptr) {
    d->why = "AMD's HIP library cannot be opened: " + text + "; install the HIP runtime of ROCm";
    return nullptr;
  }
#define SB_FIND(name)                                                                \
  d->name = reinterpret_cast<decltype(d->name)>(gpu::find_function(library, #name)); \
  if (d->name == nullptr) {                                                          \
    d->why = "AMD's HIP library has no function " #name "; install ROCm 5 or newer"; \
    return nullptr;                                                                  \
  }
  SB_FOR_EACH_HIP_FUNCTION(SB_FIND)
#undef SB_FIND
  d->emulated = gpu::find_function(library, "samebits_emulated_driver") != nullptr;
  return library;
}

int attribute(const Driver& d, int index, hipDeviceAttribute_t which) {
  int value = 0;
  return d.hipDeviceGetAttribute(&value, which, index) == hipSuccess ? value : 0;
}

// What the kernel driver says about the device, else what the library says. HSA_OVERRIDE_GFX_VERSION changes only the
// latter: a device runs what was compiled for it.
std::string find_architecture(const Driver& d, void* library, int index) {
  char address[64] = {0};
  if (d.hipDeviceGetPCIBusId(address, sizeof(address) - 1, index) == hipSuccess) {
    std::string found = architecture_at(kTopology, address);
    if (!found.empty()) return found;
  }
  for (const char* name : {"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"}) {
    auto properties = reinterpret_cast<decltype(&hipGetDeviceProperties)>(gpu::find_function(library, name));
    std::string bytes(std::size_t{1} << 16, '\0');  // the largest layout so far has 1472
    if (properties == nullptr || properties(bytes.data(), index) != hipSuccess) continue;
    // The name of the device is the first field, 256 characters in every layout; it may hold a "gfx" of its own.
    return architecture_in(bytes.data() + 256, bytes.size() - 256);
  }
  return "";
}

DeviceFacts facts_of(const Driver& d, void* library, int index) {
  DeviceFacts facts;
  hipDevice_t device = 0;
  if (d.hipDeviceGet(&device, index) != hipSuccess) return facts;
  char name[256] = {0};
  if (d.hipDeviceGetName(name, sizeof(name) - 1, device) == hipSuccess) facts.name = name;
  if (d.hipDeviceTotalMem(&facts.memory_bytes, device) != hipSuccess) facts.memory_bytes = 0;
  facts.architecture = find_architecture(d, library, index);
  facts.compute_units = attribute(d, index, hipDeviceAttributeMultiprocessorCount);
  facts.shared_bytes = attribute(d, index, hipDeviceAttributeMaxSharedMemoryPerBlock);
  return facts;
}

// "HIP 6.3.42134", and the kernel module's version where it states one.
std::string version_of(const Driver& d) {
  int version = 0;
  std::string text, module;
  if (d.hipDriverGetVersion(&version) == hipSuccess) {
    text = "HIP " + std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100) + "." +
           std::to_string(version % 100000);
  }
  std::ifstream file("/sys/module/amdgpu/version");
  if (file >> module) text = "amdgpu " + module + ", " + text;
  return text;
}

Driver load() {
  Driver d;
  void* library = find_functions(&d);
  if (library == nullptr) return d;
  int count = 0;
  hipError_t result = d.hipInit(0);
  if (result == hipSuccess) result = d.hipGetDeviceCount(&count);
  if (result != hipSuccess && result != hipErrorNoDevice) {
    d.why = "AMD's HIP library does not start: got " + describe(d, result);
  } else if (count == 0) {
    d.why = "AMD's HIP library finds no GPU (is /dev/kfd there, and may this user open it?)";
  }
  d.version = version_of(d);
  for (int i = 0; i < count && d.why.empty(); ++i) d.devices.push_back(facts_of(d, library, i));
  return d;
}

}  // namespace

const Driver& driver() {
  static const Driver d = load();
  return d;
}

void check(hipError_t result, const char* what) {
  if (result == hipSuccess) return;
  throw gpu::Failure{result == hipErrorOutOfMemory ? SB_ERROR_MEMORY : SB_ERROR_DEVICE,
                     std::string(what) + ", got " + describe(driver(), result)};
}

}  // namespace samebits::hip
