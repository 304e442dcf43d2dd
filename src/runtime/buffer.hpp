// Typed device memory of an opened Device.
#pragma once

#include "runtime/backend_abi.h"
#include "samebits/device.hpp"
#include "samebits/error.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace samebits {

// Turns a backend's status into a typed error with its text.
inline void check_status(const sb_backend& backend, const char* operation, sb_status status) {
  if (status == SB_OK) return;
  ErrorCode code = status == SB_ERROR_INVALID       ? ErrorCode::invalid_argument
                   : status == SB_ERROR_MEMORY      ? ErrorCode::out_of_memory
                   : status == SB_ERROR_UNAVAILABLE ? ErrorCode::unavailable
                   : status == SB_ERROR_INTERRUPTED ? ErrorCode::interrupted
                                                    : ErrorCode::device;
  throw Error(code, std::string("[") + operation + "] backend " + backend.name + ": " + backend.last_error());
}

template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Device& device, std::uint64_t n) : device_(device), n_(n) {
    void* p = nullptr;
    check_status(device.backend(), "allocate", device.backend().alloc(device.context(), n * sizeof(T), &p));
    data_ = static_cast<T*>(p);
  }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(n_, other.n_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (data_ != nullptr) device_.backend().release(device_.context(), data_);
  }

  T* data() const { return data_; }
  std::uint64_t size() const { return n_; }

  void upload(const T* host, std::uint64_t n) {
    check_status(device_.backend(), "upload", device_.backend().upload(device_.context(), data_, host, n * sizeof(T)));
  }
  void download(T* host, std::uint64_t n, std::uint64_t offset = 0) const {
    check_status(device_.backend(), "download",
                 device_.backend().download(device_.context(), host, data_ + offset, n * sizeof(T)));
  }
  void zero() {
    check_status(device_.backend(), "fill", device_.backend().fill_zero(device_.context(), data_, n_ * sizeof(T)));
  }

 private:
  Device device_;
  T* data_ = nullptr;
  std::uint64_t n_ = 0;
};

}  // namespace samebits
