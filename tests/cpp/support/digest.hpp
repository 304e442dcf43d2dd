// A digest of everything that the reference (and so, when the test passes, every place) produced in one test. It is the
// same on every processor, so that machines which cannot be compared with each other are compared with one pinned file.
//
//   SAMEBITS_CONFORMANCE_OUT=file      writes {"format": "samebits-primitives/1", "library": {...}, "columns": {...},
//                                      "tests": {"Suite.Name": {"outputs": n, "sha256": ...}}} of the tests that passed
//   SAMEBITS_CONFORMANCE_EXPECT=file   a test whose digest is not the one in that file fails
//
// The digest is the SHA-256 of one line an output, "name<TAB>element size<TAB>count<TAB>SHA-256 of the little-endian
// elements", in the order of the test.
#pragma once

#include <cstdint>
#include <string>

namespace samebits::test {

class Outputs;

// To the running test's digest.
void add_to_digest(const Outputs& outputs);
// An output that is known by its hash.
void add_to_digest(const std::string& name, std::uint64_t element_size, std::uint64_t count, const std::string& sha256);

}  // namespace samebits::test
