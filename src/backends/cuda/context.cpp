#include "backends/cuda/context.hpp"

#include <algorithm>
#include <thread>

namespace samebits::cuda {
namespace {

struct KernelRow {
  const char* name;
  unsigned threads;
};

constexpr KernelRow kKernels[] = {
#define SB_KERNEL_ROW(name, threads) {#name, threads},
    SB_FOR_EACH_KERNEL(SB_KERNEL_ROW)
#undef SB_KERNEL_ROW
};

CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }
void* pointer(CUdeviceptr p) { return reinterpret_cast<void*>(p); }

// Sizes that a freed block may serve: steps of 1/8 of the size, so that at most an eighth is lost.
std::size_t bucket(std::size_t bytes) {
  std::size_t step = 512;
  while (step * 16 <= bytes) step *= 2;
  return std::max<std::size_t>((bytes + step - 1) / step * step, 512);
}

// One thread copies 5 to 10 GB/s, a PCIe link takes several times that.
void copy_parallel(char* to, const char* from, std::size_t bytes) {
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, 8);
  const std::size_t part = (bytes / threads + 4095) / 4096 * 4096;
  std::vector<std::thread> team;
  for (std::size_t at = part; at < bytes; at += part) {
    team.emplace_back([=] { std::memcpy(to + at, from + at, std::min(part, bytes - at)); });
  }
  std::memcpy(to, from, std::min(part, bytes));
  for (std::thread& t : team) t.join();
}

}  // namespace

Entered::Entered(const Context& context) {
  if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, std::string("[cuda] ") + kForkedText};
  check(driver().cuCtxPushCurrent_v2(context.context_), "make the context current");
}

Entered::~Entered() {
  CUcontext ignored = nullptr;
  driver().cuCtxPopCurrent_v2(&ignored);
}

Context::Context(int index, const Image& image) : facts_(driver().devices[static_cast<std::size_t>(index)]) {
  const Driver& d = driver();
  check(d.cuDeviceGet(&device_, index), "get the device");
  check(d.cuDevicePrimaryCtxRetain(&context_, device_), "retain the primary context");
  try {
    Entered entered(*this);
    load(image);
    check(d.cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "create a stream");
    void* host = nullptr;
    check(d.cuMemHostAlloc(&host, kRingBytes, 0), "allocate pinned memory");
    ring_host_ = static_cast<char*>(host);
    check(d.cuMemAlloc_v2(&ring_device_, kRingBytes), "allocate device memory");
  } catch (...) {
    tear_down();
    throw;
  }
}

void Context::load(const Image& image) {
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

Context::~Context() {
  if (!forked()) tear_down();
}

void Context::tear_down() {
  const Driver& d = driver();
  if (context_ != nullptr && d.cuCtxPushCurrent_v2(context_) == CUDA_SUCCESS) {
    if (stream_ != nullptr) d.cuStreamSynchronize(stream_);
    for (const auto& [p, bytes] : size_) d.cuMemFree_v2(p);
    if (ring_device_ != 0) d.cuMemFree_v2(ring_device_);
    if (ring_host_ != nullptr) d.cuMemFreeHost(ring_host_);
    for (char* p : stage_) {
      if (p != nullptr) d.cuMemFreeHost(p);
    }
    for (CUevent e : staged_) {
      if (e != nullptr) d.cuEventDestroy_v2(e);
    }
    if (stream_ != nullptr) d.cuStreamDestroy_v2(stream_);
    if (module_ != nullptr) d.cuModuleUnload(module_);
    CUcontext ignored = nullptr;
    d.cuCtxPopCurrent_v2(&ignored);
  }
  if (context_ != nullptr) d.cuDevicePrimaryCtxRelease_v2(device_);
  context_ = nullptr;
}

CUdeviceptr Context::allocate_fresh(std::size_t bytes) {
  CUdeviceptr p = 0;
  CUresult result = driver().cuMemAlloc_v2(&p, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    free_cached();
    result = driver().cuMemAlloc_v2(&p, bytes);
  }
  check(result, ("allocate " + std::to_string(bytes) + " bytes of device memory").c_str());
  return p;
}

void* Context::allocate(std::size_t bytes) {
  const std::size_t size = bucket(bytes);
  auto found = free_.lower_bound(size);
  if (found != free_.end() && found->first <= size + size / 4) {
    CUdeviceptr p = found->second;
    free_.erase(found);
    return pointer(p);
  }
  CUdeviceptr p = allocate_fresh(size);
  size_[p] = size;
  return pointer(p);
}

void Context::release(void* p) {
  auto found = size_.find(address(p));
  if (found != size_.end()) free_.emplace(found->second, found->first);
}

void Context::free_cached() {
  driver().cuStreamSynchronize(stream_);
  for (const auto& [size, p] : free_) {
    driver().cuMemFree_v2(p);
    size_.erase(p);
  }
  free_.clear();
}

void Context::synchronize() { check(driver().cuStreamSynchronize(stream_), "wait for the device"); }

void Context::fill_bytes(void* device, unsigned char value, std::size_t bytes) {
  if (bytes > 0) check(driver().cuMemsetD8Async(address(device), value, bytes, stream_), "fill device memory");
}

void* Context::send(const std::vector<std::pair<const void*, std::size_t>>& pieces, std::size_t bytes, void** own) {
  const bool in_ring = bytes <= kRingBytes / 4;
  std::vector<char> packed(in_ring ? 0 : bytes);
  if (in_ring && ring_at_ + bytes > kRingBytes) {
    synchronize();  // everything sent from the ring has left it
    ring_at_ = 0;
  }
  char* host = in_ring ? ring_host_ + ring_at_ : packed.data();
  std::size_t at = 0;
  for (const auto& [from, size] : pieces) {
    if (size > 0) std::memcpy(host + at, from, size);
    at += (size + 15) / 16 * 16;
  }
  if (!in_ring) {
    *own = allocate(bytes);
    upload(*own, host, bytes);
    return *own;
  }
  CUdeviceptr to = ring_device_ + ring_at_;
  if (bytes > 0) check(driver().cuMemcpyHtoDAsync_v2(to, host, bytes, stream_), "upload arguments");
  ring_at_ += (bytes + 255) / 256 * 256;
  return pointer(to);
}

void Context::prepare_staging() {
  for (int i = 0; i < kStages; ++i) {
    auto at = static_cast<std::size_t>(i);
    if (stage_[at] != nullptr) continue;
    void* host = nullptr;
    check(driver().cuEventCreate(&staged_[at], CU_EVENT_DISABLE_TIMING), "create an event");
    check(driver().cuMemHostAlloc(&host, kStageBytes, 0), "allocate pinned memory");
    stage_[at] = static_cast<char*>(host);
  }
}

void Context::upload_staged(CUdeviceptr device, const char* host, std::size_t bytes) {
  prepare_staging();
  std::size_t turn = 0;
  for (std::size_t at = 0; at < bytes; at += kStageBytes, ++turn) {
    const std::size_t part = std::min(kStageBytes, bytes - at), stage = turn % kStages;
    if (turn >= kStages) check(driver().cuEventSynchronize(staged_[stage]), "wait for an upload");
    copy_parallel(stage_[stage], host + at, part);
    check(driver().cuMemcpyHtoDAsync_v2(device + at, stage_[stage], part, stream_), "upload");
    check(driver().cuEventRecord(staged_[stage], stream_), "record an event");
  }
}

void Context::download_staged(char* host, CUdeviceptr device, std::size_t bytes) {
  prepare_staging();
  const std::size_t turns = (bytes + kStageBytes - 1) / kStageBytes;
  auto part = [&](std::size_t turn) { return std::min(kStageBytes, bytes - turn * kStageBytes); };
  auto start = [&](std::size_t turn) {
    const std::size_t stage = turn % kStages;
    check(driver().cuMemcpyDtoHAsync_v2(stage_[stage], device + turn * kStageBytes, part(turn), stream_), "download");
    check(driver().cuEventRecord(staged_[stage], stream_), "record an event");
  };
  for (std::size_t turn = 0; turn < turns && turn < kStages; ++turn) start(turn);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    check(driver().cuEventSynchronize(staged_[turn % kStages]), "wait for a download");
    copy_parallel(host + turn * kStageBytes, stage_[turn % kStages], part(turn));
    if (turn + kStages < turns) start(turn + kStages);
  }
}

void Context::upload(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes > kStageBytes / 4) {
    upload_staged(address(device), static_cast<const char*>(host), bytes);
  } else {
    check(driver().cuMemcpyHtoDAsync_v2(address(device), host, bytes, stream_), "upload");
  }
  synchronize();
}

void Context::download(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) {
    synchronize();
    return;
  }
  if (bytes > kStageBytes / 4) {
    download_staged(static_cast<char*>(host), address(device), bytes);
    return;
  }
  // Through the pinned ring: nothing sent earlier may still be on its way out of it.
  if (bytes <= kRingBytes / 4) {
    if (ring_at_ + bytes > kRingBytes) {
      synchronize();
      ring_at_ = 0;
    }
    char* pinned = ring_host_ + ring_at_;
    check(driver().cuMemcpyDtoHAsync_v2(pinned, address(device), bytes, stream_), "download");
    synchronize();
    std::memcpy(host, pinned, bytes);
    ring_at_ = 0;
    return;
  }
  check(driver().cuMemcpyDtoHAsync_v2(host, address(device), bytes, stream_), "download");
  synchronize();
}

void Context::launch(Kernel kernel, const Grid& grid, void** arguments) {
  auto i = static_cast<std::size_t>(kernel);
  if (grid.x > 0x7fffffffu || grid.y > kGridY) {
    throw Failure{SB_ERROR_INVALID, std::string("[cuda] launch ") + kKernels[i].name + ", got " +
                                        std::to_string(grid.x) + " x " + std::to_string(grid.y) +
                                        " blocks, need at most 2147483647 x 65535"};
  }
  CUresult result = driver().cuLaunchKernel(functions_[i], static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                                            1, kKernels[i].threads, 1, 1, static_cast<unsigned>(grid.shared_bytes),
                                            stream_, arguments, nullptr);
  if (result != CUDA_SUCCESS) check(result, (std::string("launch ") + kKernels[i].name).c_str());
}

std::vector<std::uint32_t> first_tiles(const std::uint64_t* begin, const std::uint64_t* end, std::uint32_t n,
                                       std::uint64_t tile) {
  std::vector<std::uint32_t> first(n + std::size_t{1});
  std::uint64_t sum = 0;
  for (std::uint32_t j = 0; j < n; ++j) {
    first[j] = static_cast<std::uint32_t>(sum);
    sum += ceil_div(end[j] - begin[j], tile);
  }
  first[n] = static_cast<std::uint32_t>(sum);
  return first;
}

Grid stride_grid(const Context& context, std::uint64_t n) {
  return {std::min<std::uint64_t>(ceil_div(n, SB_BLOCK), static_cast<std::uint64_t>(context.multiprocessors()) * 16)};
}

}  // namespace samebits::cuda
