// The Queue of a driver with streams, events and modules. CUDA's and HIP's differ in names and in how a device is made
// current; that is the Api, everything else is here.
//
//   Api(index)                   takes hold of the device; throws Failure
//   Result enter(); void leave() noexcept
//                                the device current for this thread, and back to what the caller had
//   void release() noexcept      lets go of the device; nothing is entered
//   int multiprocessors() const
//   void prepare(Function)       whatever a kernel needs before its first launch
//   static: forked(), check(Result, what), is_out_of_memory(Result), kSuccess, most_blocks(threads of a block), and the
//           functions of the driver as called below
#pragma once

#include "backends/gpu/images/images.hpp"
#include "backends/gpu/library.hpp"

#include <array>

namespace samebits::gpu {

template <class Api>
class StreamQueue final : public Queue {
 public:
  StreamQueue(int index, const Image& image) : api_(index) {
    try {
      Entered entered(*this);
      load(image);
      Api::check(Api::create_stream(&stream_), "create a stream");
      for (auto& mark : marks_) Api::check(Api::create_event(&mark), "create an event");
    } catch (...) {
      tear_down();
      throw;
    }
  }
  ~StreamQueue() override {
    if (!Api::forked()) tear_down();
  }

  int multiprocessors() const override { return api_.multiprocessors(); }

  void enter() override {
    if (Api::forked()) throw Failure{SB_ERROR_UNAVAILABLE, kForkedText};
    Api::check(api_.enter(), "make the device current");
  }
  void leave() noexcept override { api_.leave(); }

  void* allocate(std::size_t bytes) override {
    void* p = nullptr;
    const auto result = Api::allocate(&p, bytes);
    if (Api::is_out_of_memory(result)) return nullptr;
    Api::check(result, "allocate device memory");
    return p;
  }
  void free(void* device) noexcept override { Api::free(device); }
  void* allocate_pinned(std::size_t bytes) override {
    void* host = nullptr;
    Api::check(Api::allocate_pinned(&host, bytes), "allocate pinned memory");
    return host;
  }
  void free_pinned(void* host) noexcept override { Api::free_pinned(host); }

  void copy_up(void* device, const void* host, std::size_t bytes, const char* what) override {
    Api::check(Api::copy_up(device, host, bytes, stream_), what);
  }
  void copy_down(void* host, const void* device, std::size_t bytes, const char* what) override {
    Api::check(Api::copy_down(host, device, bytes, stream_), what);
  }
  void fill(void* device, unsigned char value, std::size_t bytes) override {
    Api::check(Api::fill(device, value, bytes, stream_), "fill device memory");
  }

  void launch(Kernel kernel, const Grid& grid, const std::vector<Argument>& arguments) override {
    const auto i = static_cast<std::size_t>(kernel);
    const KernelRow& row = kKernels[i];
    if (grid.x > Api::most_blocks(row.threads)) {
      throw Failure{SB_ERROR_INVALID, std::string("launch ") + row.name + ", got " + std::to_string(grid.x) +
                                          " blocks, this device takes " +
                                          std::to_string(Api::most_blocks(row.threads)) + "; cut the array"};
    }
    std::array<void*, 32> list;
    for (std::size_t k = 0; k < arguments.size(); ++k) list.at(k) = arguments[k].data;
    const auto result = Api::launch(functions_[i], static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                                    row.threads, static_cast<unsigned>(grid.shared_bytes), stream_, list.data());
    if (result != Api::kSuccess) Api::check(result, (std::string("launch ") + row.name).c_str());
  }

  void synchronize() override { Api::check(Api::synchronize(stream_), "wait for the device"); }
  void mark(int slot) override {
    Api::check(Api::record(marks_[static_cast<std::size_t>(slot)], stream_), "record an event");
  }
  void wait_for_mark(int slot) override {
    Api::check(Api::wait(marks_[static_cast<std::size_t>(slot)]), "wait for a transfer");
  }

 private:
  void load(const Image& image) {
    Api::check(Api::load_module(&module_, image.begin), (std::string("load the code object ") + image.name).c_str());
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      Api::check(Api::find_kernel(&functions_[i], module_, kKernels[i].name),
                 (std::string("find the kernel ") + kKernels[i].name).c_str());
      api_.prepare(functions_[i]);
    }
  }

  void tear_down() noexcept {
    if (api_.enter() == Api::kSuccess) {
      for (auto mark : marks_) {
        if (mark != nullptr) Api::destroy_event(mark);
      }
      if (stream_ != nullptr) Api::destroy_stream(stream_);
      if (module_ != nullptr) Api::unload_module(module_);
      api_.leave();
    }
    api_.release();
  }

  Api api_;
  typename Api::Module module_ = nullptr;
  typename Api::Stream stream_ = nullptr;
  std::array<typename Api::Function, kKernelCount> functions_{};
  std::array<typename Api::Event, kMarks> marks_{};
};

}  // namespace samebits::gpu
