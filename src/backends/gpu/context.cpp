#include "backends/gpu/context.hpp"

#include <algorithm>
#include <thread>

namespace samebits::gpu {
namespace {

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

Context::Context(std::unique_ptr<Queue> queue) : queue_(std::move(queue)) {
  try {
    Entered entered(*queue_);
    ring_host_ = static_cast<char*>(queue_->allocate_pinned(kRingBytes));
    ring_device_ = static_cast<char*>(allocate_fresh(kRingBytes));
  } catch (...) {
    tear_down();
    throw;
  }
}

Context::~Context() { tear_down(); }

void Context::tear_down() noexcept {
  try {
    Entered entered(*queue_);
    queue_->synchronize();
    for (const auto& [p, bytes] : size_) queue_->free(p);
    if (ring_device_ != nullptr) queue_->free(ring_device_);
    if (ring_host_ != nullptr) queue_->free_pinned(ring_host_);
    for (char* p : stage_) {
      if (p != nullptr) queue_->free_pinned(p);
    }
  } catch (const Failure&) {  // the device is gone, or this is a forked child: nothing can be given back
  }
}

void* Context::allocate_fresh(std::size_t bytes) {
  void* p = queue_->allocate(bytes);
  if (p == nullptr) {
    free_cached();
    p = queue_->allocate(bytes);
  }
  if (p == nullptr) {
    throw Failure{SB_ERROR_MEMORY, std::string("allocate ") + std::to_string(bytes) +
                                       " bytes of device memory, got out of memory; use less data or another device"};
  }
  return p;
}

void* Context::allocate(std::size_t bytes) {
  const std::size_t size = bucket(bytes);
  auto found = free_.lower_bound(size);
  if (found != free_.end() && found->first <= size + size / 4) {
    void* p = found->second;
    free_.erase(found);
    return p;
  }
  void* p = allocate_fresh(size);
  size_[p] = size;
  return p;
}

void Context::release(void* p) {
  auto found = size_.find(p);
  if (found != size_.end()) free_.emplace(found->second, found->first);
}

void Context::free_cached() {
  queue_->synchronize();
  for (const auto& [size, p] : free_) {
    queue_->free(p);
    size_.erase(p);
  }
  free_.clear();
}

void Context::fill_bytes(void* device, unsigned char value, std::size_t bytes) {
  if (bytes > 0) queue_->fill(device, value, bytes);
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
  char* to = ring_device_ + ring_at_;
  if (bytes > 0) queue_->copy_up(to, host, bytes, "upload arguments");
  ring_at_ += (bytes + 255) / 256 * 256;
  return to;
}

void Context::prepare_staging() {
  for (char*& stage : stage_) {
    if (stage == nullptr) stage = static_cast<char*>(queue_->allocate_pinned(kStageBytes));
  }
}

void Context::upload_staged(char* device, const char* host, std::size_t bytes) {
  prepare_staging();
  int turn = 0;
  for (std::size_t at = 0; at < bytes; at += kStageBytes, ++turn) {
    const std::size_t part = std::min(kStageBytes, bytes - at);
    const int stage = turn % kStages;
    char* pinned = stage_[static_cast<std::size_t>(stage)];
    if (turn >= kStages) queue_->wait_for_mark(stage);
    copy_parallel(pinned, host + at, part);
    queue_->copy_up(device + at, pinned, part, "upload");
    queue_->mark(stage);
  }
}

void Context::download_staged(char* host, const char* device, std::size_t bytes) {
  prepare_staging();
  const std::size_t turns = (bytes + kStageBytes - 1) / kStageBytes;
  auto part = [&](std::size_t turn) { return std::min(kStageBytes, bytes - turn * kStageBytes); };
  auto start = [&](std::size_t turn) {
    queue_->copy_down(stage_[turn % kStages], device + turn * kStageBytes, part(turn), "download");
    queue_->mark(static_cast<int>(turn % kStages));
  };
  for (std::size_t turn = 0; turn < turns && turn < kStages; ++turn) start(turn);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    queue_->wait_for_mark(static_cast<int>(turn % kStages));
    copy_parallel(host + turn * kStageBytes, stage_[turn % kStages], part(turn));
    if (turn + kStages < turns) start(turn + kStages);
  }
}

void Context::upload(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes > kStageBytes / 4) {
    upload_staged(static_cast<char*>(device), static_cast<const char*>(host), bytes);
  } else {
    queue_->copy_up(device, host, bytes, "upload");
  }
  synchronize();
}

void Context::download(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) {
    synchronize();
    return;
  }
  if (bytes > kStageBytes / 4) {
    download_staged(static_cast<char*>(host), static_cast<const char*>(device), bytes);
    return;
  }
  // Through the pinned ring: nothing sent earlier may still be on its way out of it.
  if (bytes <= kRingBytes / 4) {
    if (ring_at_ + bytes > kRingBytes) {
      synchronize();
      ring_at_ = 0;
    }
    char* pinned = ring_host_ + ring_at_;
    queue_->copy_down(pinned, device, bytes, "download");
    synchronize();
    std::memcpy(host, pinned, bytes);
    ring_at_ = 0;
    return;
  }
  queue_->copy_down(host, device, bytes, "download");
  synchronize();
}

void Context::launch(Kernel kernel, const Grid& grid, const std::vector<Argument>& arguments) {
  if (grid.x > 0x7fffffffu || grid.y > kGridY) {
    throw Failure{SB_ERROR_INVALID, std::string("launch ") + kKernels[static_cast<std::size_t>(kernel)].name +
                                        ", got " + std::to_string(grid.x) + " x " + std::to_string(grid.y) +
                                        " blocks, need at most 2147483647 x 65535"};
  }
  queue_->launch(kernel, grid, arguments);
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

}  // namespace samebits::gpu
