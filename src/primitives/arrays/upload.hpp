// A host array on a device. Null stays null, which is how a primitive is told that an optional array is absent.
#pragma once

#include "runtime/buffer.hpp"

namespace samebits::primitives {

template <class T>
class Uploaded {
 public:
  Uploaded(const Device& device, const T* host, std::uint64_t n) {
    if (host == nullptr) return;
    copy_ = Buffer<T>(device, n > 0 ? n : 1);
    if (n > 0) copy_.upload(host, n);
    data_ = copy_.data();
  }
  T* data() const { return data_; }

 private:
  Buffer<T> copy_;
  T* data_ = nullptr;
};

}  // namespace samebits::primitives
