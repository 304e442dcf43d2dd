// A vendor's driver library, opened at run time, and what a plugin keeps about it for the life of the process.
#pragma once

#include "backends/gpu/plugin.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

namespace samebits::gpu {

// Opens the first of the libraries (NULL-terminated names) that is there; one that the process has already loaded goes
// before the others, so that there are never two of them. nullptr when none opens, with what was looked for and what
// the loader said of those that are there.
void* open_library(const char* const* names, std::string* why);
void* find_function(void* library, const char* name);

// "NAME (text)" of an error code; either may be nullptr.
std::string error_words(int code, const char* name, const char* text);

// Looked up once per process; stays readable in a forked child, where the driver itself cannot be used.
template <class Facts>
struct DriverState {
  std::string why;      // why there is no device, "" when there is one
  std::string version;  // "CUDA 13.0"
  std::vector<Facts> devices;
  bool emulated = false;  // the library is an emulator of this project: no GPU behind it
  pid_t process = getpid();

  bool forked() const { return process != getpid(); }

  // For Plugin::device_count: none in a forked child, so that "auto" takes the cpu there.
  std::int32_t count(const char** reason) const {
    const bool unusable = !devices.empty() && forked();
    *reason = unusable ? kForkedText : why.c_str();
    return unusable ? 0 : static_cast<std::int32_t>(devices.size());
  }

  const Facts& at(std::int32_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= devices.size()) {
      throw Failure{SB_ERROR_UNAVAILABLE, "device, got " + std::to_string(index) + ", need less than " +
                                              std::to_string(devices.size()) + (why.empty() ? "" : ": " + why)};
    }
    return devices[static_cast<std::size_t>(index)];
  }

  void refuse_forked() const {
    if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, kForkedText};
  }
};

}  // namespace samebits::gpu
