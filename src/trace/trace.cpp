#include "samebits/trace.hpp"

#include "trace/sha256.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace samebits {
namespace {

std::size_t dtype_size(const std::string& dtype) {
  if (dtype == "u8") return 1;
  if (dtype == "f32" || dtype == "i32" || dtype == "u32") return 4;
  if (dtype == "f64" || dtype == "i64" || dtype == "u64") return 8;
  throw std::invalid_argument("[trace] dtype '" + dtype + "' is not one of f32 f64 i32 i64 u8 u32 u64");
}

// Canonical bytes: NaN as the one pattern of C2. Copies only when a NaN is there.
template <class U, class F>
std::vector<U> with_canonical_nans(const void* data, std::uint64_t n, F is_nan, U canonical) {
  const U* bits = static_cast<const U*>(data);
  std::uint64_t i = 0;
  while (i < n && !(is_nan(bits[i]) && bits[i] != canonical)) ++i;
  if (i == n) return {};
  std::vector<U> out(bits, bits + n);
  for (U& u : out) u = is_nan(u) ? canonical : u;
  return out;
}

// Canonical bytes are little-endian; this is for machines that are not.
std::vector<std::uint8_t> with_reversed_elements(const void* data, std::size_t bytes, std::size_t element) {
  const auto* first = static_cast<const std::uint8_t*>(data);
  std::vector<std::uint8_t> out(first, first + bytes);
  for (std::size_t at = 0; at < bytes; at += element) std::reverse(&out[at], &out[at] + element);
  return out;
}

}  // namespace

std::string sha256_hex(const void* data, std::size_t bytes) {
  unsigned char digest[32];
  sha256(data, bytes, digest);
  static const char* digits = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

void Trace::record(std::string tag, std::string dtype, std::vector<std::uint64_t> shape, const void* data) {
  std::uint64_t count = 1;
  for (std::uint64_t extent : shape) count *= extent;
  const std::size_t size = count * dtype_size(dtype);
  std::vector<std::uint32_t> fixed32;
  std::vector<std::uint64_t> fixed64;
  if (dtype == "f32") {
    fixed32 = with_canonical_nans<std::uint32_t>(
        data, count, [](std::uint32_t u) { return (u & 0x7fffffffu) > 0x7f800000u; }, 0x7fc00000u);
    if (!fixed32.empty()) data = fixed32.data();
  } else if (dtype == "f64") {
    fixed64 = with_canonical_nans<std::uint64_t>(
        data, count, [](std::uint64_t u) { return (u & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; },
        0x7ff8000000000000ull);
    if (!fixed64.empty()) data = fixed64.data();
  }
  std::vector<std::uint8_t> reversed;
  if constexpr (std::endian::native == std::endian::big) {
    reversed = with_reversed_elements(data, size, dtype_size(dtype));
    data = reversed.data();
  }
  Stage stage{std::move(tag), std::move(dtype), std::move(shape), count, sha256_hex(data, size), {}};
  if (keep_bytes_ && size > 0) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    stage.bytes.assign(first, first + size);
  }
  stages_.push_back(std::move(stage));
}

}  // namespace samebits
