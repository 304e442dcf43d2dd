// SHA-256 of bytes. One of two files implements it: sha256_openssl.cpp (uses the processor's SHA instructions) where
// OpenSSL is found, sha256_portable.cpp where it is not (cross builds: Debian has no libcrypto for them).
#pragma once

#include <cstddef>

namespace samebits {

// Throws std::runtime_error when the library below fails.
void sha256(const void* data, std::size_t bytes, unsigned char digest[32]);

}  // namespace samebits
