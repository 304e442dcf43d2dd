// What the code of one plugin states about itself; border.cpp makes the exported description of it.
#pragma once

#include "backends/gpu/queue.hpp"

#include <memory>

namespace samebits::gpu {

struct Plugin {
  const char* name;    // "cuda"
  const char* vendor;  // "nvidia"
  const char* const* (*code_objects)();  // NULL-terminated
  int32_t (*device_count)(const char** why);
  void (*describe)(int32_t index, sb_device_info* out);  // throws Failure
  std::unique_ptr<Queue> (*open)(int32_t index);         // throws Failure
  int32_t automatic;      // 1 when device="auto" may take a device of this backend
  int32_t check_answers;  // 1 when a device must repeat known answers before it is used
};

// Defined by the plugin.
extern const Plugin kPlugin;

// Why a GPU is refused in a child that was forked after the driver was opened.
constexpr const char* kForkedText =
    "the GPU cannot be used in a forked child of a process that used it; start workers with 'spawn', or use the cpu "
    "device there";

// Copies a text into a field of sb_device_info, cut to its size.
template <std::size_t Size>
void set_text(char (&field)[Size], const std::string& text) {
  const std::size_t n = text.size() < Size - 1 ? text.size() : Size - 1;
  text.copy(field, n);
  field[n] = '\0';
}

}  // namespace samebits::gpu
