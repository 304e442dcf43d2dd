#include "backends/opencl/program.hpp"

#include <openssl/evp.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

// The text, from text.cpp.
extern "C" __attribute__((visibility("hidden"))) const char samebits_opencl_text[];
extern "C" __attribute__((visibility("hidden"))) const char samebits_opencl_text_end[];

namespace samebits::opencl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptions = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";

std::string sha256(const std::string& bytes) {
  unsigned char digest[32];
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) != 1) {
    throw gpu::Failure{SB_ERROR_DEVICE, "SHA-256 of the kernels' text failed"};
  }
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

std::string kernels_text() {
  return {samebits_opencl_text, static_cast<std::size_t>(samebits_opencl_text_end - samebits_opencl_text)};
}

// SAMEBITS_CACHE_DIR, else the user's cache folder; empty when there is neither.
fs::path cache_folder() {
  if (const char* own = std::getenv("SAMEBITS_CACHE_DIR"); own != nullptr && own[0] != '\0')
    return fs::path(own) / "opencl";
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] != '\0') {
    return fs::path(xdg) / "samebits" / "opencl";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] != '\0') {
    return fs::path(home) / ".cache" / "samebits" / "opencl";
  }
  return {};
}

fs::path cache_file(const DeviceFacts& device, const std::string& text) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  const std::string key = text + '\n' + kOptions + '\n' + device.platform + '\n' + device.name + '\n' + device.driver;
  return folder / (sha256(key) + ".bin");
}

// A file holds the SHA-256 of the program and then the program; anything else counts as not there.
std::string read_cached(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const std::string all = bytes.str();
  if (!file || all.size() <= 64) return "";
  std::string program = all.substr(64);
  return sha256(program) == all.substr(0, 64) ? program : "";
}

// A cache that cannot be written is no failure: the next process compiles again.
void write_cached(const fs::path& path, const std::string& program) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path temporary = path.string() + "." + std::to_string(getpid()) + ".new";
  {
    std::ofstream file(temporary, std::ios::binary);
    file << sha256(program) << program;
    if (!file.flush()) {
      file.close();
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, path, error);
  if (error) fs::remove(temporary, error);
}

std::string build_log(cl_program program, cl_device_id device) {
  constexpr std::size_t kMost = 800;
  std::size_t size = 0;
  const Library& l = library();
  if (l.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string log(size, '\0');
  if (l.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS)
    return "";
  log = log.substr(0, log.find('\0'));
  return log.size() > kMost ? log.substr(0, kMost) + " ..." : log;
}

// nullptr when the driver does not take the cached program (another build of the driver under the same version).
cl_program from_cache(cl_context context, const DeviceFacts& device, const std::string& bytes) {
  const Library& l = library();
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t size = bytes.size();
  cl_int status = 0, code = 0;
  cl_program program = l.clCreateProgramWithBinary(context, 1, &device.id, &size, &data, &status, &code);
  if (code != CL_SUCCESS || program == nullptr) return nullptr;
  if (status == CL_SUCCESS && l.clBuildProgram(program, 1, &device.id, kOptions, nullptr, nullptr) == CL_SUCCESS) {
    return program;
  }
  l.clReleaseProgram(program);
  return nullptr;
}

cl_program compile(cl_context context, const DeviceFacts& device, const std::string& text) {
  const Library& l = library();
  const char* source = text.data();
  const std::size_t size = text.size();
  cl_int code = 0;
  cl_program program = l.clCreateProgramWithSource(context, 1, &source, &size, &code);
  check(code, "hand the kernels' text to the driver");
  code = l.clBuildProgram(program, 1, &device.id, kOptions, nullptr, nullptr);
  if (code == CL_SUCCESS) return program;
  const std::string log = build_log(program, device.id);
  l.clReleaseProgram(program);
  throw gpu::Failure{SB_ERROR_UNAVAILABLE, "the driver of " + device.name + " (" + device.driver +
                                               ") cannot compile the kernels, got " + error_name(code) + ": " + log +
                                               "; update the driver or use another device"};
}

std::string binary_of(cl_program program) {
  const Library& l = library();
  std::size_t size = 0;
  if (l.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) != CL_SUCCESS) return "";
  std::string bytes(size, '\0');
  char* data = bytes.data();
  if (l.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(data), &data, nullptr) != CL_SUCCESS) return "";
  return bytes;
}

}  // namespace

cl_program build_program(cl_context context, const DeviceFacts& device) {
  const std::string text = kernels_text();
  const fs::path path = cache_file(device, text);
  if (!path.empty()) {
    const std::string cached = read_cached(path);
    cl_program program = cached.empty() ? nullptr : from_cache(context, device, cached);
    if (program != nullptr) return program;
  }
  cl_program program = compile(context, device, text);
  const std::string binary = path.empty() ? "" : binary_of(program);
  if (!binary.empty()) write_cached(path, binary);
  return program;
}

}  // namespace samebits::opencl
