#include "backends/cuda/queue.hpp"

#include "backends/cuda/driver.hpp"
#include "backends/gpu/stream_queue.hpp"

namespace samebits::cuda {
namespace {

CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

// The primary context of a device, and the driver's names for what a StreamQueue does.
class CudaApi {
 public:
  using Stream = CUstream;
  using Event = CUevent;
  using Module = CUmodule;
  using Function = CUfunction;
  static constexpr CUresult kSuccess = CUDA_SUCCESS;

  explicit CudaApi(int index) : facts_(driver().at(index)) {
    check(driver().cuDeviceGet(&device_, index), "get the device");
    check(driver().cuDevicePrimaryCtxRetain(&context_, device_), "retain the primary context");
  }
  void release() noexcept { driver().cuDevicePrimaryCtxRelease_v2(device_); }
  CUresult enter() { return driver().cuCtxPushCurrent_v2(context_); }
  void leave() noexcept {
    CUcontext ignored = nullptr;
    driver().cuCtxPopCurrent_v2(&ignored);
  }
  int multiprocessors() const { return facts_.multiprocessors; }
  void prepare(CUfunction kernel) const {
    int fixed = 0;
    check(driver().cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel),
          "read a kernel's shared memory");
    check(driver().cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      facts_.shared_bytes - fixed),
          "raise a kernel's shared memory");
  }

  static std::uint64_t most_blocks(unsigned) { return 0x7fffffff; }
  static bool forked() { return driver().forked(); }
  static bool is_out_of_memory(CUresult result) { return result == CUDA_ERROR_OUT_OF_MEMORY; }
  static void check(CUresult result, const char* what) { cuda::check(result, what); }

  static CUresult load_module(CUmodule* out, const void* image) {
    return driver().cuModuleLoadDataEx(out, image, 0, nullptr, nullptr);
  }
  static CUresult unload_module(CUmodule m) { return driver().cuModuleUnload(m); }
  static CUresult find_kernel(CUfunction* out, CUmodule m, const char* name) {
    return driver().cuModuleGetFunction(out, m, name);
  }
  static CUresult create_stream(CUstream* out) { return driver().cuStreamCreate(out, CU_STREAM_NON_BLOCKING); }
  static CUresult destroy_stream(CUstream s) { return driver().cuStreamDestroy_v2(s); }
  static CUresult synchronize(CUstream s) { return driver().cuStreamSynchronize(s); }
  static CUresult create_event(CUevent* out) { return driver().cuEventCreate(out, CU_EVENT_DISABLE_TIMING); }
  static CUresult destroy_event(CUevent e) { return driver().cuEventDestroy_v2(e); }
  static CUresult record(CUevent e, CUstream s) { return driver().cuEventRecord(e, s); }
  static CUresult wait(CUevent e) { return driver().cuEventSynchronize(e); }

  static CUresult allocate(void** out, std::size_t bytes) {
    CUdeviceptr p = 0;
    const CUresult result = driver().cuMemAlloc_v2(&p, bytes);
    *out = reinterpret_cast<void*>(p);
    return result;
  }
  static void free(void* device) noexcept { driver().cuMemFree_v2(address(device)); }
  static CUresult allocate_pinned(void** out, std::size_t bytes) { return driver().cuMemHostAlloc(out, bytes, 0); }
  static void free_pinned(void* host) noexcept { driver().cuMemFreeHost(host); }
  static CUresult copy_up(void* device, const void* host, std::size_t bytes, CUstream s) {
    return driver().cuMemcpyHtoDAsync_v2(address(device), host, bytes, s);
  }
  static CUresult copy_down(void* host, const void* device, std::size_t bytes, CUstream s) {
    return driver().cuMemcpyDtoHAsync_v2(host, address(device), bytes, s);
  }
  static CUresult fill(void* device, unsigned char value, std::size_t bytes, CUstream s) {
    return driver().cuMemsetD8Async(address(device), value, bytes, s);
  }
  static CUresult launch(CUfunction kernel, unsigned x, unsigned y, unsigned threads, unsigned shared_bytes, CUstream s,
                         void** arguments) {
    return driver().cuLaunchKernel(kernel, x, y, 1, threads, 1, 1, shared_bytes, s, arguments, nullptr);
  }

 private:
  DeviceFacts facts_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

}  // namespace

std::unique_ptr<gpu::Queue> open_queue(int index, const gpu::Image& image) {
  return std::make_unique<gpu::StreamQueue<CudaApi>>(index, image);
}

}  // namespace samebits::cuda
