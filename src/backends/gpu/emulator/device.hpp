// What a stand-in for a vendor's driver library is made of: the kernels by name, and host memory in the place of a
// device's. Fresh memory is filled with 0xa5.
#pragma once

#include <cstddef>

namespace samebits::emulator {

struct Kernel {
  const char* name;
  void (*invoke)(void** arguments);
};

// nullptr when there is none of that name.
const Kernel* find_kernel(const char* name);

// False when threads of a block ended while others waited at a barrier. The kernel that SAMEBITS_EMULATOR_FAULT names does
// nothing: a device that computes wrong bits.
bool launch(const Kernel& kernel, unsigned x, unsigned y, unsigned threads, std::size_t shared_bytes, void** arguments);

// nullptr: out of memory, also when more than SAMEBITS_EMULATOR_MEMORY bytes would be held (kMemoryBytes when not set).
void* allocate(std::size_t bytes);
void release(void* pointer);

constexpr std::size_t kMemoryBytes = std::size_t{1} << 32;
// 2, or SAMEBITS_EMULATOR_MULTIPROCESSORS: grids are cut by it, so another number is another tiling.
int multiprocessors();
constexpr const char* kErrorText = "threads of a block ended while others waited at a barrier, or out of memory";

}  // namespace samebits::emulator
