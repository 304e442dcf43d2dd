// Identity stages: the hash is SHA-256 of the canonical bytes.
#include "samebits/trace.hpp"
#include "trace/sha256_portable.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace samebits::test {
namespace {

// Of the little-endian bytes, written out so that it holds on any machine.
template <class U>
std::string hash_of(const std::vector<U>& words) {
  std::vector<unsigned char> bytes;
  for (U word : words) {
    for (std::size_t i = 0; i < sizeof(U); ++i) bytes.push_back(static_cast<unsigned char>(word >> 8 * i));
  }
  return sha256_hex(bytes.data(), bytes.size());
}

// FIPS 180-4 examples.
TEST(Trace, Sha256OfKnownTexts) {
  EXPECT_EQ(sha256_hex("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("", 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// The implementation of cross builds beside the one of this build: every length around the block borders, and long.
TEST(Trace, TheOwnSha256EqualsTheOneInUse) {
  std::vector<unsigned char> bytes(1000003);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * i * 31 + i / 7);
  std::vector<std::size_t> lengths = {1000, 4095, 4096, 4097, 65536, bytes.size()};
  for (std::size_t n = 0; n <= 300; ++n) lengths.push_back(n);
  for (std::size_t n : lengths) {
    unsigned char digest[32];
    sha256_portable(bytes.data(), n, digest);
    std::string text;
    for (unsigned char byte : digest) {
      for (int shift : {4, 0}) text += "0123456789abcdef"[byte >> shift & 15];
    }
    ASSERT_EQ(text, sha256_hex(bytes.data(), n)) << n << " bytes";
  }
}

TEST(Trace, RecordsTagTypeShapeAndCount) {
  Trace trace;
  const std::uint32_t x[6] = {1, 2, 3, 4, 5, 6};
  trace.record("a/b", "u32", {2, 3}, x);
  trace.record("empty", "f32", {0, 7}, x);
  ASSERT_EQ(trace.stages().size(), 2u);
  const Stage& s = trace.stages()[0];
  EXPECT_EQ(s.tag, "a/b");
  EXPECT_EQ(s.dtype, "u32");
  EXPECT_EQ(s.shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(s.count, 6u);
  EXPECT_EQ(s.sha256, hash_of<std::uint32_t>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(trace.stages()[1].count, 0u);
  EXPECT_EQ(trace.stages()[1].sha256, sha256_hex("", 0));
}

// All NaNs hash alike (C2); the two zeros do not.
TEST(Trace, NanIsCanonical) {
  const std::vector<std::uint32_t> canonical = {0x3f800000u, 0x7fc00000u, 0x80000000u},
                                   other = {0x3f800000u, 0xff812345u, 0x80000000u};
  const std::vector<std::uint64_t> canonical64 = {0x7ff8000000000000u, 1}, other64 = {0xfff0000000000001u, 1};
  Trace trace;
  trace.record("a", "f32", {3}, canonical.data());
  trace.record("a", "f32", {3}, other.data());
  trace.record("b", "f64", {2}, canonical64.data());
  trace.record("b", "f64", {2}, other64.data());
  trace.record("c", "u32", {3}, other.data());
  const float zeros[2] = {0.0f, -0.0f};
  trace.record("z", "f32", {1}, &zeros[0]);
  trace.record("z", "f32", {1}, &zeros[1]);
  const std::vector<Stage>& s = trace.stages();
  EXPECT_EQ(s[0].sha256, hash_of(canonical));
  EXPECT_EQ(s[0].sha256, s[1].sha256);
  EXPECT_EQ(s[2].sha256, hash_of(canonical64));
  EXPECT_EQ(s[2].sha256, s[3].sha256);
  EXPECT_EQ(s[4].sha256, hash_of(other));  // integers are not touched
  EXPECT_NE(s[5].sha256, s[6].sha256);
}

// Kept bytes are the hashed ones; by default nothing is kept.
TEST(Trace, KeepsCanonicalBytesWhenAsked) {
  const std::uint32_t x[3] = {0x3f800000u, 0xff812345u, 0x80000000u};
  Trace hashes, bytes(true);
  hashes.record("a", "f32", {3}, x);
  bytes.record("a", "f32", {3}, x);
  bytes.record("b", "u8", {2, 2}, "\1\2\3\4");
  bytes.record("none", "f64", {0}, x);
  EXPECT_FALSE(hashes.keeps_bytes());
  EXPECT_TRUE(hashes.stages()[0].bytes.empty());
  EXPECT_TRUE(bytes.keeps_bytes());
  const std::vector<Stage>& s = bytes.stages();
  EXPECT_EQ(s[0].sha256, hashes.stages()[0].sha256);
  const std::vector<std::uint8_t> want = {0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x7f, 0, 0, 0, 0x80};
  EXPECT_EQ(s[0].bytes, want);
  EXPECT_EQ(s[1].bytes, (std::vector<std::uint8_t>{1, 2, 3, 4}));
  EXPECT_TRUE(s[2].bytes.empty());
}

TEST(Trace, RefusesAnUnknownType) {
  Trace trace;
  const char x = 0;
  EXPECT_ANY_THROW(trace.record("a", "f16", {1}, &x));
  EXPECT_TRUE(trace.stages().empty());
}

}  // namespace
}  // namespace samebits::test
