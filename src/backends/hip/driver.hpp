// The HIP library, opened at run time: the plugin loads on a machine without it and says what is missing. The list of
// devices is read once and stays readable in a forked child.
#pragma once

#include "backends/gpu/library.hpp"
#include "backends/hip/api.hpp"

#include <cstddef>
#include <string>

namespace samebits::hip {

struct DeviceFacts {
  std::string name;          // "AMD Instinct MI300X"
  std::string architecture;  // "gfx942", "" when it could not be found out
  std::size_t memory_bytes = 0;
  int compute_units = 0;
  int shared_bytes = 0;  // most LDS of one work group
};

struct Driver : gpu::DriverState<DeviceFacts> {
#define SB_MEMBER(name) decltype(&::name) name = nullptr;
  SB_FOR_EACH_HIP_FUNCTION(SB_MEMBER)
#undef SB_MEMBER
};

// Looked up and initialised once per process.
const Driver& driver();

// Throws a gpu::Failure "what, got NAME (text)" unless the result is hipSuccess.
void check(hipError_t result, const char* what);

}  // namespace samebits::hip
