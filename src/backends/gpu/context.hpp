// A context: one device's queue, a caching allocator and pinned memory for transfers.
// Everything of a context happens in its queue, in call order, so memory may be reused as soon as it is released.
#pragma once

#include "backends/gpu/queue.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace samebits::gpu {

constexpr std::uint32_t kGridY = 65535;  // most blocks in y

class Context {
 public:
  explicit Context(std::unique_ptr<Queue> queue);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void* allocate(std::size_t bytes);
  void release(void* pointer);
  void upload(void* device, const void* host, std::size_t bytes);    // returns when done
  void download(void* host, const void* device, std::size_t bytes);  // returns when done
  void fill_bytes(void* device, unsigned char value, std::size_t bytes);
  void synchronize() { queue_->synchronize(); }
  void launch(Kernel kernel, const Grid& grid, const std::vector<Argument>& arguments);
  int multiprocessors() const { return queue_->multiprocessors(); }
  Queue& queue() const { return *queue_; }

  // One asynchronous copy of a few host arrays packed together; see Upload.
  void* send(const std::vector<std::pair<const void*, std::size_t>>& pieces, std::size_t bytes, void** own);

 private:
  void* allocate_fresh(std::size_t bytes);
  void free_cached();
  void prepare_staging();
  void upload_staged(char* device, const char* host, std::size_t bytes);
  void download_staged(char* host, const char* device, std::size_t bytes);
  void tear_down() noexcept;

  static constexpr std::size_t kRingBytes = std::size_t{8} << 20;
  static constexpr std::size_t kStageBytes = std::size_t{16} << 20;
  static constexpr int kStages = Queue::kMarks;

  std::unique_ptr<Queue> queue_;
  std::multimap<std::size_t, void*> free_;
  std::unordered_map<void*, std::size_t> size_;
  char* ring_host_ = nullptr;  // pinned; mirrored by ring_device_
  char* ring_device_ = nullptr;
  std::size_t ring_at_ = 0;
  std::array<char*, kStages> stage_{};  // pinned, for large transfers; made on first use
};

inline Context& context_of(sb_context* context) { return *reinterpret_cast<Context*>(context); }

// Device memory for the time of a call.
template <class T>
class Scratch {
 public:
  Scratch(Context& context, std::uint64_t n)
      : context_(context), data_(static_cast<T*>(context.allocate(n * sizeof(T)))) {}
  ~Scratch() { context_.release(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T* data() const { return data_; }

 private:
  Context& context_;
  T* data_;
};

// The small host arrays of a call: add() them all, send() once, then ask for their device addresses.
class Upload {
 public:
  template <class T>
  struct Array {
    std::size_t at;
  };

  explicit Upload(Context& context) : context_(context) {}
  ~Upload() {
    if (own_ != nullptr) context_.release(own_);
  }
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  // The host array must stay until send().
  template <class T>
  Array<T> add(const T* host, std::uint64_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    Array<T> array{bytes_};
    pieces_.emplace_back(host, n * sizeof(T));
    bytes_ += (n * sizeof(T) + 15) / 16 * 16;
    return array;
  }
  template <class T>
  Array<T> add(const std::vector<T>& host) {
    return add(host.data(), host.size());
  }
  void send() { base_ = static_cast<char*>(context_.send(pieces_, bytes_, &own_)); }
  template <class T>
  const T* operator[](Array<T> array) const {
    return reinterpret_cast<const T*>(base_ + array.at);
  }

 private:
  Context& context_;
  std::vector<std::pair<const void*, std::size_t>> pieces_;
  std::size_t bytes_ = 0;
  char* base_ = nullptr;
  void* own_ = nullptr;  // memory of its own when too large for the ring
};

template <class... P>
void launch(Context& context, Kernel kernel, void (*)(P...), const Grid& grid, std::type_identity_t<P>... arguments) {
  if (grid.x > 0 && grid.y > 0) {
    context.launch(kernel, grid, {Argument{static_cast<void*>(&arguments), sizeof(P), std::is_pointer_v<P>}...});
  }
}

// Arguments are converted to the types of the kernel's own text.
#define SB_LAUNCH(context, kernel, ...)                                                                        \
  ::samebits::gpu::launch(context, ::samebits::gpu::Kernel::kernel, static_cast<decltype(&::kernel)>(nullptr), \
                          __VA_ARGS__)

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Segments [begin, end) cut into tiles of `tile` elements: first tile of each segment, and the number of all at the end.
std::vector<std::uint32_t> first_tiles(const std::uint64_t* begin, const std::uint64_t* end, std::uint32_t n,
                                       std::uint64_t tile);

// A grid for a loop with a stride over n elements: enough blocks of SB_BLOCK threads to fill the device, no more.
Grid stride_grid(const Context& context, std::uint64_t n);

}  // namespace samebits::gpu
