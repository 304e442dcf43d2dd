#include "backends/hip/queue.hpp"

#include "backends/gpu/stream_queue.hpp"
#include "backends/hip/driver.hpp"

namespace samebits::hip {
namespace {

// A device made current for the time of a call, and the library's names for what a StreamQueue does.
class HipApi {
 public:
  using Stream = hipStream_t;
  using Event = hipEvent_t;
  using Module = hipModule_t;
  using Function = hipFunction_t;
  static constexpr hipError_t kSuccess = hipSuccess;

  explicit HipApi(int index) : index_(index), facts_(driver().at(index)) {}
  void release() noexcept {}
  hipError_t enter() {
    const hipError_t result = driver().hipGetDevice(&before_);
    return result != hipSuccess ? result : driver().hipSetDevice(index_);
  }
  void leave() noexcept { driver().hipSetDevice(before_); }
  int multiprocessors() const { return facts_.compute_units > 0 ? facts_.compute_units : 1; }
  void prepare(hipFunction_t) const {}

  // The size of a grid is a 32-bit number of threads.
  static std::uint64_t most_blocks(unsigned threads) { return 0xffffffffu / threads; }
  static bool forked() { return driver().forked(); }
  static bool is_out_of_memory(hipError_t result) { return result == hipErrorOutOfMemory; }
  static void check(hipError_t result, const char* what) { hip::check(result, what); }

  static hipError_t load_module(hipModule_t* out, const void* image) { return driver().hipModuleLoadData(out, image); }
  static hipError_t unload_module(hipModule_t m) { return driver().hipModuleUnload(m); }
  static hipError_t find_kernel(hipFunction_t* out, hipModule_t m, const char* name) {
    return driver().hipModuleGetFunction(out, m, name);
  }
  static hipError_t create_stream(hipStream_t* out) {
    return driver().hipStreamCreateWithFlags(out, hipStreamNonBlocking);
  }
  static hipError_t destroy_stream(hipStream_t s) { return driver().hipStreamDestroy(s); }
  static hipError_t synchronize(hipStream_t s) { return driver().hipStreamSynchronize(s); }
  static hipError_t create_event(hipEvent_t* out) {
    return driver().hipEventCreateWithFlags(out, hipEventDisableTiming);
  }
  static hipError_t destroy_event(hipEvent_t e) { return driver().hipEventDestroy(e); }
  static hipError_t record(hipEvent_t e, hipStream_t s) { return driver().hipEventRecord(e, s); }
  static hipError_t wait(hipEvent_t e) { return driver().hipEventSynchronize(e); }

  static hipError_t allocate(void** out, std::size_t bytes) { return driver().hipMalloc(out, bytes); }
  static void free(void* device) noexcept { driver().hipFree(device); }
  static hipError_t allocate_pinned(void** out, std::size_t bytes) { return driver().hipHostMalloc(out, bytes, 0); }
  static void free_pinned(void* host) noexcept { driver().hipHostFree(host); }
  static hipError_t copy_up(void* device, const void* host, std::size_t bytes, hipStream_t s) {
    return driver().hipMemcpyHtoDAsync(device, const_cast<void*>(host), bytes, s);
  }
  static hipError_t copy_down(void* host, const void* device, std::size_t bytes, hipStream_t s) {
    return driver().hipMemcpyDtoHAsync(host, const_cast<void*>(device), bytes, s);
  }
  static hipError_t fill(void* device, unsigned char value, std::size_t bytes, hipStream_t s) {
    return driver().hipMemsetD8Async(device, value, bytes, s);
  }
  static hipError_t launch(hipFunction_t kernel, unsigned x, unsigned y, unsigned threads, unsigned shared_bytes,
                           hipStream_t s, void** arguments) {
    return driver().hipModuleLaunchKernel(kernel, x, y, 1, threads, 1, 1, shared_bytes, s, arguments, nullptr);
  }

 private:
  int index_;
  int before_ = 0;  // the caller's current device
  DeviceFacts facts_;
};

}  // namespace

std::unique_ptr<gpu::Queue> open_queue(int index, const gpu::Image& image) {
  return std::make_unique<gpu::StreamQueue<HipApi>>(index, image);
}

}  // namespace samebits::hip
