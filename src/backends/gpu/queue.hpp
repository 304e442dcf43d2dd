// What a GPU backend brings: one opened device with an in-order queue of work. Everything else of the host side (memory
// pool, transfers, primitives, the border of the interface) is written once, on top of this.
#pragma once

#include "runtime/backend_abi.h"

#include "backends/simt/kernels.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace samebits::gpu {

// A failure on its way to the interface, where it becomes a status and "[backend] text".
struct Failure {
  sb_status status;
  std::string text;
};

// The kernels of the shared text, and the threads of their blocks.
enum class Kernel : int {
#define SB_ENUMERATOR(name, threads) name,
  SB_FOR_EACH_KERNEL(SB_ENUMERATOR)
#undef SB_ENUMERATOR
      count
};
constexpr std::size_t kKernelCount = static_cast<std::size_t>(Kernel::count);

struct KernelRow {
  const char* name;
  unsigned threads;
};
constexpr KernelRow kKernels[] = {
#define SB_KERNEL_ROW(name, threads) {#name, threads},
    SB_FOR_EACH_KERNEL(SB_KERNEL_ROW)
#undef SB_KERNEL_ROW
};

struct Grid {
  std::uint64_t x = 1;
  std::uint64_t y = 1;
  std::size_t shared_bytes = 0;
};

// An argument of a kernel: its bytes, and whether they are the address of device memory.
struct Argument {
  void* data;
  std::size_t bytes;
  bool is_address;
};

// Device addresses are plain pointers that the host never follows. Functions throw Failure.
class Queue {
 public:
  Queue() = default;
  virtual ~Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  virtual int multiprocessors() const = 0;

  // Around every call from outside: makes the device current for this thread and gives the caller's back.
  virtual void enter() {}
  virtual void leave() noexcept {}

  virtual void* allocate(std::size_t bytes) = 0;  // nullptr: out of memory
  virtual void free(void* device) noexcept = 0;
  virtual void* allocate_pinned(std::size_t bytes) = 0;  // host memory that the device copies from and to
  virtual void free_pinned(void* host) noexcept = 0;

  // In order, without waiting; host memory must stay as it is until the copy has happened.
  virtual void copy_up(void* device, const void* host, std::size_t bytes, const char* what) = 0;
  virtual void copy_down(void* host, const void* device, std::size_t bytes, const char* what) = 0;
  virtual void fill(void* device, unsigned char value, std::size_t bytes) = 0;
  virtual void launch(Kernel kernel, const Grid& grid, const std::vector<Argument>& arguments) = 0;

  virtual void synchronize() = 0;
  virtual void mark(int slot) = 0;  // remembers this place of the queue
  virtual void wait_for_mark(int slot) = 0;  // returns when everything before the last mark(slot) is done
  static constexpr int kMarks = 3;
};

// Makes the device current for a call and gives the caller's back.
class Entered {
 public:
  explicit Entered(Queue& queue) : queue_(queue) { queue_.enter(); }
  ~Entered() { queue_.leave(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  Queue& queue_;
};

}  // namespace samebits::gpu
