#include "backends/opencl/driver.hpp"

#include <cctype>

#include <dlfcn.h>
#include <unistd.h>

namespace samebits::opencl {
namespace {

// Shared memory of the largest kernel, fixed and chosen at launch, in bytes (radix scatter, histogram pieces).
constexpr cl_ulong kLocalBytes = 47 * 1024;
constexpr std::size_t kBlock = 256;

bool find_functions(Library* l) {
  void* handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* text = dlerror();
    l->why = std::string("the OpenCL library cannot be opened: ") + (text != nullptr ? text : "libOpenCL.so.1") +
             "; install ocl-icd-libopencl1 and the driver of the device (for the CPU: pocl-opencl-icd)";
    return false;
  }
#define SB_FIND(name)                                                              \
  l->name = reinterpret_cast<decltype(l->name)>(dlsym(handle, #name));             \
  if (l->name == nullptr) {                                                        \
    l->why = "the OpenCL library has no function " #name "; OpenCL 1.2 is needed"; \
    return false;                                                                  \
  }
  SB_FOR_EACH_OPENCL_FUNCTION(SB_FIND)
#undef SB_FIND
  return true;
}

std::string text_of(const Library& l, cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (l.clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string text(size, '\0');
  if (l.clGetDeviceInfo(device, what, size, text.data(), nullptr) != CL_SUCCESS) return "";
  return text.substr(0, text.find('\0'));
}

std::string text_of(const Library& l, cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (l.clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return "";
  std::string text(size, '\0');
  if (l.clGetPlatformInfo(platform, what, size, text.data(), nullptr) != CL_SUCCESS) return "";
  return text.substr(0, text.find('\0'));
}

template <class T>
T number_of(const Library& l, cl_device_id device, cl_device_info what) {
  T value{};
  return l.clGetDeviceInfo(device, what, sizeof(value), &value, nullptr) == CL_SUCCESS ? value : T{};
}

bool holds_word(const std::string& list, const std::string& word) {
  return (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

void need(std::string* missing, bool there, const char* what) {
  if (!there) *missing += (missing->empty() ? "" : ", ") + std::string(what);
}

// What the contract's arithmetic and the kernels need (C1, C6), by the names of the OpenCL specification.
std::string missing_capabilities(const Library& l, cl_device_id d) {
  const auto f32 = number_of<cl_device_fp_config>(l, d, CL_DEVICE_SINGLE_FP_CONFIG);
  const auto f64 = number_of<cl_device_fp_config>(l, d, CL_DEVICE_DOUBLE_FP_CONFIG);
  const std::string extensions = text_of(l, d, CL_DEVICE_EXTENSIONS);
  std::string missing;
  need(&missing, number_of<cl_bool>(l, d, CL_DEVICE_AVAILABLE) != 0,
       "the device itself (CL_DEVICE_AVAILABLE is false)");
  need(&missing, number_of<cl_bool>(l, d, CL_DEVICE_COMPILER_AVAILABLE) != 0,
       "a compiler (CL_DEVICE_COMPILER_AVAILABLE)");
  need(&missing, number_of<cl_bool>(l, d, CL_DEVICE_ENDIAN_LITTLE) != 0, "little-endian memory");
  need(&missing, (f32 & CL_FP_DENORM) != 0, "subnormal f32 numbers (CL_FP_DENORM)");
  need(&missing, (f32 & CL_FP_INF_NAN) != 0, "f32 infinity and NaN (CL_FP_INF_NAN)");
  need(&missing, (f32 & CL_FP_ROUND_TO_NEAREST) != 0, "f32 rounding to nearest (CL_FP_ROUND_TO_NEAREST)");
  need(&missing, (f32 & CL_FP_FMA) != 0, "f32 fma (CL_FP_FMA)");
  need(&missing, (f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0,
       "correctly rounded f32 division (CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)");
  need(&missing, f64 != 0 && holds_word(extensions, "cl_khr_fp64"), "f64 (cl_khr_fp64)");
  need(&missing, f64 == 0 || (f64 & CL_FP_DENORM) != 0, "subnormal f64 numbers (CL_FP_DENORM)");
  need(&missing, f64 == 0 || (f64 & CL_FP_FMA) != 0, "f64 fma (CL_FP_FMA)");
  need(&missing, holds_word(extensions, "cl_khr_int64_base_atomics"), "64-bit atomics (cl_khr_int64_base_atomics)");
  need(&missing, holds_word(extensions, "cl_khr_int64_extended_atomics"),
       "64-bit atomic maximum (cl_khr_int64_extended_atomics)");
  need(&missing, number_of<cl_ulong>(l, d, CL_DEVICE_LOCAL_MEM_SIZE) >= kLocalBytes, "47 KB of local memory");
  need(&missing, number_of<std::size_t>(l, d, CL_DEVICE_MAX_WORK_GROUP_SIZE) >= kBlock, "work groups of 256");
  return missing;
}

// "opencl-pocl" for Portable Computing Language, else the first word of the platform's name.
std::string column_of(const std::string& platform) {
  if (platform.find("Portable Computing Language") != std::string::npos) return "opencl-pocl";
  std::string word;
  for (char c : platform) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return "opencl-" + (word.empty() ? "unknown" : word);
}

DeviceFacts facts_of(const Library& l, const std::string& platform, cl_device_id device) {
  DeviceFacts facts;
  facts.id = device;
  facts.platform = platform;
  facts.name = text_of(l, device, CL_DEVICE_NAME);
  facts.driver = text_of(l, device, CL_DEVICE_VERSION) + ", driver " + text_of(l, device, CL_DRIVER_VERSION);
  facts.column = column_of(platform);
  facts.memory_bytes = number_of<cl_ulong>(l, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.most_bytes = number_of<cl_ulong>(l, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.compute_units = static_cast<int>(number_of<cl_uint>(l, device, CL_DEVICE_MAX_COMPUTE_UNITS));
  const std::string missing = missing_capabilities(l, device);
  if (!missing.empty()) facts.refusal = "the device " + facts.name + " (" + platform + ") lacks: " + missing;
  return facts;
}

void read_devices(Library* l) {
  cl_uint n = 0;
  const cl_int code = l->clGetPlatformIDs(0, nullptr, &n);
  if (code != CL_SUCCESS || n == 0) {
    l->why = "the OpenCL library finds no platform (" + error_name(code) +
             "); install the driver of the device (for the CPU: pocl-opencl-icd)";
    return;
  }
  std::vector<cl_platform_id> platforms(n);
  if (l->clGetPlatformIDs(n, platforms.data(), nullptr) != CL_SUCCESS) return;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (l->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0) continue;
    std::vector<cl_device_id> devices(count);
    if (l->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS) continue;
    const std::string name = text_of(*l, platform, CL_PLATFORM_NAME);
    for (cl_device_id device : devices) l->devices.push_back(facts_of(*l, name, device));
  }
  if (l->devices.empty()) l->why = "no OpenCL platform has a device";
}

Library load() {
  Library l;
  l.process = getpid();
  if (find_functions(&l)) read_devices(&l);
  return l;
}

}  // namespace

const Library& library() {
  static const Library l = load();
  return l;
}

bool forked() { return library().process != getpid(); }

std::string error_name(cl_int code) {
  const char* name = "error";
  switch (code) {
#define SB_NAME(value) \
  case value: name = #value; break;
    SB_NAME(CL_SUCCESS)
    SB_NAME(CL_DEVICE_NOT_FOUND)
    SB_NAME(CL_DEVICE_NOT_AVAILABLE)
    SB_NAME(CL_COMPILER_NOT_AVAILABLE)
    SB_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    SB_NAME(CL_OUT_OF_RESOURCES)
    SB_NAME(CL_OUT_OF_HOST_MEMORY)
    SB_NAME(CL_BUILD_PROGRAM_FAILURE)
    SB_NAME(CL_INVALID_VALUE)
    SB_NAME(CL_INVALID_DEVICE)
    SB_NAME(CL_INVALID_MEM_OBJECT)
    SB_NAME(CL_INVALID_BINARY)
    SB_NAME(CL_INVALID_BUILD_OPTIONS)
    SB_NAME(CL_INVALID_KERNEL_NAME)
    SB_NAME(CL_INVALID_KERNEL_ARGS)
    SB_NAME(CL_INVALID_WORK_GROUP_SIZE)
    SB_NAME(CL_INVALID_ARG_SIZE)
    SB_NAME(CL_INVALID_ARG_INDEX)
    SB_NAME(CL_INVALID_BUFFER_SIZE)
    SB_NAME(-1001) /* CL_PLATFORM_NOT_FOUND_KHR */
#undef SB_NAME
    default: break;
  }
  return std::string(name) + " (" + std::to_string(code) + ")";
}

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
  throw gpu::Failure{memory ? SB_ERROR_MEMORY : SB_ERROR_DEVICE, std::string(what) + ", got " + error_name(code)};
}

}  // namespace samebits::opencl
