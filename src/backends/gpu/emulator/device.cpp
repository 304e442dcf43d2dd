#include "backends/gpu/emulator/device.hpp"

#include "backends/gpu/emulator/fibres.hpp"
#include "backends/simt/kernels.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace samebits::emulator {
namespace {

template <class... P, std::size_t... I>
void call(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
  kernel(*static_cast<P*>(arguments[I])...);
}

template <class... P>
void call(void (*kernel)(P...), void** arguments) {
  call(kernel, arguments, std::index_sequence_for<P...>{});
}

const Kernel kKernels[] = {
#define SB_ENTRY(name, threads) {#name, [](void** arguments) { call(&name, arguments); }},
    SB_FOR_EACH_KERNEL(SB_ENTRY)
#undef SB_ENTRY
};

struct Memory {
  std::mutex mutex;
  std::map<void*, std::size_t> size;
  std::size_t held = 0;
};
Memory memory;

}  // namespace

const Kernel* find_kernel(const char* name) {
  for (const Kernel& kernel : kKernels) {
    if (std::strcmp(kernel.name, name) == 0) return &kernel;
  }
  return nullptr;
}

bool launch(const Kernel& kernel, unsigned x, unsigned y, unsigned threads, std::size_t shared_bytes,
            void** arguments) {
  const char* fault = std::getenv("SAMEBITS_EMULATOR_FAULT");
  if (fault != nullptr && std::strcmp(fault, kernel.name) == 0) return true;
  return run_grid({kernel.name, x, y, threads, shared_bytes}, [&] { kernel.invoke(arguments); });
}

int multiprocessors() {
  const char* text = std::getenv("SAMEBITS_EMULATOR_MULTIPROCESSORS");
  const int n = text != nullptr ? std::atoi(text) : 0;
  return n > 0 ? n : 2;
}

void* allocate(std::size_t bytes) {
  const char* text = std::getenv("SAMEBITS_EMULATOR_MEMORY");
  const std::size_t most = text != nullptr ? std::strtoull(text, nullptr, 10) : kMemoryBytes;
  std::lock_guard<std::mutex> lock(memory.mutex);
  if (bytes > most || memory.held > most - bytes) return nullptr;
  void* p = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (p == nullptr) return nullptr;
  std::memset(p, 0xa5, bytes);
  memory.size[p] = bytes;
  memory.held += bytes;
  return p;
}

void release(void* pointer) {
  std::lock_guard<std::mutex> lock(memory.mutex);
  const auto found = memory.size.find(pointer);
  if (found == memory.size.end()) return;
  memory.held -= found->second;
  memory.size.erase(found);
  std::free(pointer);
}

}  // namespace samebits::emulator
