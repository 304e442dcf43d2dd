#include "backends/cuda/queue.hpp"

#include "backends/gpu/plugin.hpp"

#include <array>

namespace samebits::cuda {
namespace {

using gpu::Argument;
using gpu::Failure;
using gpu::Grid;
using gpu::Kernel;
using gpu::kKernels;

CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

class CudaQueue : public gpu::Queue {
 public:
  CudaQueue(int index, const Image& image) : facts_(driver().devices[static_cast<std::size_t>(index)]) {
    const Driver& d = driver();
    check(d.cuDeviceGet(&device_, index), "get the device");
    check(d.cuDevicePrimaryCtxRetain(&context_, device_), "retain the primary context");
    try {
      gpu::Entered entered(*this);
      load(image);
      check(d.cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "create a stream");
      for (CUevent& mark : marks_) check(d.cuEventCreate(&mark, CU_EVENT_DISABLE_TIMING), "create an event");
    } catch (...) {
      tear_down();
      throw;
    }
  }
  ~CudaQueue() override {
    if (!forked()) tear_down();
  }

  int multiprocessors() const override { return facts_.multiprocessors; }

  void enter() override {
    if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, gpu::kForkedText};
    check(driver().cuCtxPushCurrent_v2(context_), "make the context current");
  }
  void leave() noexcept override {
    CUcontext ignored = nullptr;
    driver().cuCtxPopCurrent_v2(&ignored);
  }

  void* allocate(std::size_t bytes) override {
    CUdeviceptr p = 0;
    const CUresult result = driver().cuMemAlloc_v2(&p, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
    check(result, "allocate device memory");
    return reinterpret_cast<void*>(p);
  }
  void free(void* device) noexcept override { driver().cuMemFree_v2(address(device)); }
  void* allocate_pinned(std::size_t bytes) override {
    void* host = nullptr;
    check(driver().cuMemHostAlloc(&host, bytes, 0), "allocate pinned memory");
    return host;
  }
  void free_pinned(void* host) noexcept override { driver().cuMemFreeHost(host); }

  void copy_up(void* device, const void* host, std::size_t bytes, const char* what) override {
    check(driver().cuMemcpyHtoDAsync_v2(address(device), host, bytes, stream_), what);
  }
  void copy_down(void* host, const void* device, std::size_t bytes, const char* what) override {
    check(driver().cuMemcpyDtoHAsync_v2(host, address(device), bytes, stream_), what);
  }
  void fill(void* device, unsigned char value, std::size_t bytes) override {
    check(driver().cuMemsetD8Async(address(device), value, bytes, stream_), "fill device memory");
  }

  void launch(Kernel kernel, const Grid& grid, const std::vector<Argument>& arguments) override {
    const auto i = static_cast<std::size_t>(kernel);
    std::array<void*, 32> list;
    for (std::size_t k = 0; k < arguments.size(); ++k) list.at(k) = arguments[k].data;
    const CUresult result = driver().cuLaunchKernel(
        functions_[i], static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), 1, kKernels[i].threads, 1, 1,
        static_cast<unsigned>(grid.shared_bytes), stream_, list.data(), nullptr);
    if (result != CUDA_SUCCESS) check(result, (std::string("launch ") + kKernels[i].name).c_str());
  }

  void synchronize() override { check(driver().cuStreamSynchronize(stream_), "wait for the device"); }
  void mark(int slot) override {
    check(driver().cuEventRecord(marks_[static_cast<std::size_t>(slot)], stream_), "record an event");
  }
  void wait_for_mark(int slot) override {
    check(driver().cuEventSynchronize(marks_[static_cast<std::size_t>(slot)]), "wait for a transfer");
  }

 private:
  void load(const Image& image);
  void tear_down() noexcept;

  DeviceFacts facts_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
  std::array<CUfunction, gpu::kKernelCount> functions_{};
  std::array<CUevent, kMarks> marks_{};
};

void CudaQueue::load(const Image& image) {
  const Driver& d = driver();
  check(d.cuModuleLoadDataEx(&module_, image.begin, 0, nullptr, nullptr),
        (std::string("load the code object ") + image.name).c_str());
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    check(d.cuModuleGetFunction(&functions_[i], module_, kKernels[i].name),
          (std::string("find the kernel ") + kKernels[i].name).c_str());
    int fixed = 0;
    check(d.cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, functions_[i]),
          "read a kernel's shared memory");
    check(d.cuFuncSetAttribute(functions_[i], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               facts_.shared_bytes - fixed),
          "raise a kernel's shared memory");
  }
}

void CudaQueue::tear_down() noexcept {
  const Driver& d = driver();
  if (context_ != nullptr && d.cuCtxPushCurrent_v2(context_) == CUDA_SUCCESS) {
    for (CUevent mark : marks_) {
      if (mark != nullptr) d.cuEventDestroy_v2(mark);
    }
    if (stream_ != nullptr) d.cuStreamDestroy_v2(stream_);
    if (module_ != nullptr) d.cuModuleUnload(module_);
    leave();
  }
  if (context_ != nullptr) d.cuDevicePrimaryCtxRelease_v2(device_);
  context_ = nullptr;
}

}  // namespace

std::unique_ptr<gpu::Queue> open_queue(int index, const Image& image) {
  return std::make_unique<CudaQueue>(index, image);
}

}  // namespace samebits::cuda
