// A host array brought to a device, or an output that is poisoned first, with a guard before and behind: a write
// outside the array is a failure.
#pragma once

#include "runtime/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace samebits::test {

constexpr unsigned char kPoison = 0xa5;

// While it lives, arrays that are made begin so many elements behind an aligned address: views as a caller may have them.
class Unaligned {
 public:
  explicit Unaligned(std::uint64_t elements) : before_(shift()) { shift() = elements; }
  ~Unaligned() { shift() = before_; }
  Unaligned(const Unaligned&) = delete;
  Unaligned& operator=(const Unaligned&) = delete;

  // In bytes. Pairs for int32: a row of gh is one element (primitives/contract/types.h).
  template <class T>
  static std::uint64_t bytes() {
    return shift() * (std::is_same_v<T, std::int32_t> ? 2 * sizeof(T) : sizeof(T));
  }

 private:
  static std::uint64_t& shift() {
    thread_local std::uint64_t elements = 0;
    return elements;
  }
  std::uint64_t before_;
};

template <class T>
class DeviceArray {
 public:
  // Poisoned.
  DeviceArray(const Device& device, std::uint64_t n)
      : n_(n), front_(kGuard + Unaligned::bytes<T>()), buffer_(device, front_ + n * sizeof(T) + kGuard) {
    write(std::vector<unsigned char>(n * sizeof(T), kPoison).data());
  }
  DeviceArray(const Device& device, const std::vector<T>& host)
      : n_(host.size()),
        front_(kGuard + Unaligned::bytes<T>()),
        buffer_(device, front_ + host.size() * sizeof(T) + kGuard) {
    write(host.data());
  }

  T* data() const { return reinterpret_cast<T*>(buffer_.data() + front_); }

  // The contents; fails the test when a guard was written to.
  std::vector<T> read() const {
    std::vector<unsigned char> bytes(buffer_.size());
    buffer_.download(bytes.data(), bytes.size());
    for (std::uint64_t i = 0; i < kGuard; ++i) {
      if (bytes[front_ - 1 - i] == kPoison && bytes[bytes.size() - 1 - i] == kPoison) continue;
      ADD_FAILURE() << "a write outside an array of " << n_ << " elements of " << sizeof(T) << " bytes";
      break;
    }
    std::vector<T> host(n_);
    if (n_ > 0) std::memcpy(host.data(), bytes.data() + front_, n_ * sizeof(T));
    return host;
  }

 private:
  static constexpr std::uint64_t kGuard = 256;

  void write(const void* host) {
    std::vector<unsigned char> bytes(buffer_.size(), kPoison);
    if (n_ > 0) std::memcpy(bytes.data() + front_, host, n_ * sizeof(T));
    buffer_.upload(bytes.data(), bytes.size());
  }

  std::uint64_t n_, front_;
  Buffer<unsigned char> buffer_;
};

// A host array that a primitive fills.
template <class T>
std::vector<T> poisoned(std::uint64_t n) {
  std::vector<T> x(n);
  if (n > 0) std::memset(static_cast<void*>(x.data()), kPoison, n * sizeof(T));
  return x;
}

}  // namespace samebits::test
