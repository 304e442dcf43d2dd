#include "backends/opencl/queue.hpp"

#include "backends/gpu/plugin.hpp"
#include "backends/opencl/program.hpp"

#include <array>
#include <cstdlib>
#include <map>

namespace samebits::opencl {
namespace {

using gpu::Argument;
using gpu::Failure;
using gpu::Grid;
using gpu::Kernel;
using gpu::kKernels;

// Buffers are handles here, while the host side works with addresses. So every buffer owns a range of numbers that serve
// as its addresses (nothing is ever mapped there), and an address is turned back into (buffer, offset).
class Addresses {
 public:
  struct Place {
    cl_mem buffer = nullptr;
    std::size_t offset = 0;
  };

  void* add(cl_mem buffer, std::size_t bytes) {
    const std::uintptr_t base = next_;
    next_ += (bytes / kAlign + 2) * kAlign;  // a gap, so that the end of a buffer is not the start of the next one
    ranges_[base] = {buffer, bytes};
    return reinterpret_cast<void*>(base);
  }

  // The null address is no buffer; any other must lie in a buffer or at its end.
  Place find(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at == 0) return {};
    auto range = ranges_.upper_bound(at);
    if (range != ranges_.begin() && at - (--range)->first <= range->second.bytes) {
      return {range->second.buffer, at - range->first};
    }
    throw Failure{SB_ERROR_INVALID, "address, got one outside all buffers of this device"};
  }

  cl_mem remove(const void* address) {
    const auto range = ranges_.find(reinterpret_cast<std::uintptr_t>(address));
    if (range == ranges_.end()) return nullptr;
    cl_mem buffer = range->second.buffer;
    ranges_.erase(range);
    return buffer;
  }

 private:
  struct Range {
    cl_mem buffer;
    std::size_t bytes;
  };
  static constexpr std::size_t kAlign = 4096;
  std::uintptr_t next_ = std::uintptr_t{1} << 44;
  std::map<std::uintptr_t, Range> ranges_;
};

class OpenclQueue : public gpu::Queue {
 public:
  explicit OpenclQueue(const DeviceFacts& device) : device_(device) {
    try {
      open();
    } catch (...) {
      tear_down();
      throw;
    }
  }
  ~OpenclQueue() override {
    if (!forked()) tear_down();
  }

  int multiprocessors() const override { return device_.compute_units; }

  void enter() override {
    if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, gpu::kForkedText};
  }

  void* allocate(std::size_t bytes) override {
    if (bytes > device_.most_bytes) return nullptr;  // drivers take any size and fail at the first use
    cl_int code = 0;
    cl_mem buffer = l_.clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE || code == CL_OUT_OF_RESOURCES) {
      return nullptr;
    }
    check(code, "allocate device memory");
    return addresses_.add(buffer, bytes);
  }
  void free(void* device) noexcept override {
    if (cl_mem buffer = addresses_.remove(device)) l_.clReleaseMemObject(buffer);
  }
  void* allocate_pinned(std::size_t bytes) override {
    void* host = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (host == nullptr) throw Failure{SB_ERROR_MEMORY, "allocate host memory, got out of memory"};
    return host;
  }
  void free_pinned(void* host) noexcept override { std::free(host); }

  void copy_up(void* device, const void* host, std::size_t bytes, const char* what) override {
    const Addresses::Place to = addresses_.find(device);
    check(l_.clEnqueueWriteBuffer(queue_, to.buffer, CL_FALSE, to.offset, bytes, host, 0, nullptr, nullptr), what);
  }
  void copy_down(void* host, const void* device, std::size_t bytes, const char* what) override {
    const Addresses::Place from = addresses_.find(device);
    check(l_.clEnqueueReadBuffer(queue_, from.buffer, CL_FALSE, from.offset, bytes, host, 0, nullptr, nullptr), what);
  }
  void fill(void* device, unsigned char value, std::size_t bytes) override {
    const Addresses::Place to = addresses_.find(device);
    check(l_.clEnqueueFillBuffer(queue_, to.buffer, &value, 1, to.offset, bytes, 0, nullptr, nullptr),
          "fill device memory");
  }

  void launch(Kernel kernel, const Grid& grid, const std::vector<Argument>& arguments) override {
    const auto i = static_cast<std::size_t>(kernel);
    const std::string what = std::string("launch ") + kKernels[i].name;
    set_arguments(kernels_[i], grid, arguments, what.c_str());
    const std::size_t threads = kKernels[i].threads;
    const std::size_t global[2] = {grid.x * threads, grid.y}, local[2] = {threads, 1};
    check(l_.clEnqueueNDRangeKernel(queue_, kernels_[i], 2, nullptr, global, local, 0, nullptr, nullptr), what.c_str());
  }

  void synchronize() override { check(l_.clFinish(queue_), "wait for the device"); }
  void mark(int slot) override {
    cl_event& event = marks_[static_cast<std::size_t>(slot)];
    if (event != nullptr) check(l_.clReleaseEvent(event), "release an event");
    event = nullptr;
    check(l_.clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &event), "record an event");
    check(l_.clFlush(queue_), "start the work");
  }
  void wait_for_mark(int slot) override {
    check(l_.clWaitForEvents(1, &marks_[static_cast<std::size_t>(slot)]), "wait for a transfer");
  }

 private:
  void open();
  void find_kernels();
  void tear_down() noexcept;
  void set_arguments(cl_kernel kernel, const Grid& grid, const std::vector<Argument>& arguments, const char* what);

  const Library& l_ = library();
  DeviceFacts device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  std::array<cl_kernel, gpu::kKernelCount> kernels_{};
  std::array<cl_event, kMarks> marks_{};
  Addresses addresses_;
};

void OpenclQueue::open() {
  cl_int code = 0;
  context_ = l_.clCreateContext(nullptr, 1, &device_.id, nullptr, nullptr, &code);
  check(code, "create a context");
  queue_ = l_.clCreateCommandQueue(context_, device_.id, 0, &code);
  check(code, "create a command queue");
  program_ = build_program(context_, device_);
  find_kernels();
}

void OpenclQueue::find_kernels() {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    cl_int code = 0;
    kernels_[i] = l_.clCreateKernel(program_, kKernels[i].name, &code);
    check(code, (std::string("find the kernel ") + kKernels[i].name).c_str());
    std::size_t threads = 0;
    check(l_.clGetKernelWorkGroupInfo(kernels_[i], device_.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(threads), &threads,
                                      nullptr),
          "read a kernel's work group size");
    if (threads < kKernels[i].threads) {
      throw Failure{SB_ERROR_UNAVAILABLE, std::string("the kernel ") + kKernels[i].name + " needs work groups of " +
                                              std::to_string(kKernels[i].threads) + ", the device " + device_.name +
                                              " runs it with at most " + std::to_string(threads)};
    }
  }
}

// An address is the pair (buffer, offset) that the kernel's text puts together; memory of the launch comes last.
void OpenclQueue::set_arguments(cl_kernel kernel, const Grid& grid, const std::vector<Argument>& arguments,
                                const char* what) {
  cl_uint at = 0;
  for (const Argument& argument : arguments) {
    if (!argument.is_address) {
      check(l_.clSetKernelArg(kernel, at++, argument.bytes, argument.data), what);
      continue;
    }
    const Addresses::Place place = addresses_.find(*static_cast<void**>(argument.data));
    const cl_ulong offset = place.offset;
    check(l_.clSetKernelArg(kernel, at++, sizeof(cl_mem), place.buffer != nullptr ? &place.buffer : nullptr), what);
    check(l_.clSetKernelArg(kernel, at++, sizeof(offset), &offset), what);
  }
  if (grid.shared_bytes > 0) {
    check(l_.clSetKernelArg(kernel, at, (grid.shared_bytes + 15) / 16 * 16, nullptr), what);
  }
}

void OpenclQueue::tear_down() noexcept {
  if (queue_ != nullptr) l_.clFinish(queue_);
  for (cl_event event : marks_) {
    if (event != nullptr) l_.clReleaseEvent(event);
  }
  for (cl_kernel kernel : kernels_) {
    if (kernel != nullptr) l_.clReleaseKernel(kernel);
  }
  if (program_ != nullptr) l_.clReleaseProgram(program_);
  if (queue_ != nullptr) l_.clReleaseCommandQueue(queue_);
  if (context_ != nullptr) l_.clReleaseContext(context_);
}

}  // namespace

std::unique_ptr<gpu::Queue> open_queue(const DeviceFacts& device) { return std::make_unique<OpenclQueue>(device); }

}  // namespace samebits::opencl
