#include "trace/sha256_portable.hpp"

#include "trace/sha256.hpp"

namespace samebits {

void sha256(const void* data, std::size_t bytes, unsigned char digest[32]) {
  sha256_portable(static_cast<const unsigned char*>(data), bytes, digest);
}

}  // namespace samebits
