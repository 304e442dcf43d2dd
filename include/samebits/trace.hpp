// Identity cards, the part below Python: an ordered list of hashed stages of one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] samebits {

struct Stage {
  std::string tag;    // "tree/3/histograms"
  std::string dtype;  // "f32" "f64" "i32" "i64" "u8" "u32" "u64"
  std::vector<std::uint64_t> shape;
  std::uint64_t count = 0;
  std::string sha256;  // of the canonical (little-endian, C-order, NaN canonical) bytes, hex
  std::vector<std::uint8_t> bytes;  // those bytes, when the trace keeps them
};

class Trace {
 public:
  // keep_bytes: stages hold their canonical bytes beside the hash; costs the memory of every stage.
  explicit Trace(bool keep_bytes = false) : keep_bytes_(keep_bytes) {}
  // Hash `count` elements of `dtype` and append the stage. The element count is the product of the shape.
  void record(std::string tag, std::string dtype, std::vector<std::uint64_t> shape, const void* data);
  const std::vector<Stage>& stages() const { return stages_; }
  bool keeps_bytes() const { return keep_bytes_; }

 private:
  bool keep_bytes_;
  std::vector<Stage> stages_;
};

// SHA-256 of bytes as hexadecimal text.
std::string sha256_hex(const void* data, std::size_t bytes);

}  // namespace samebits
