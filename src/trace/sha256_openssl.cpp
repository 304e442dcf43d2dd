#include "trace/sha256.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace samebits {

void sha256(const void* data, std::size_t bytes, unsigned char digest[32]) {
  unsigned int length = 0;
  if (EVP_Digest(data, bytes, digest, &length, EVP_sha256(), nullptr) != 1 || length != 32)
    throw std::runtime_error("[trace] SHA-256 failed in OpenSSL");
}

}  // namespace samebits
