// Where a conformance test runs: every device of this machine, the cpu once per instruction set and thread count.
// SAMEBITS_TEST_DEVICE=<id> restricts the list to one device ("cpu", "cuda:0"; "cuda" means all its devices).
#pragma once

#include "samebits/device.hpp"

#include <string>
#include <vector>

namespace samebits::test {

struct Place {
  std::string name;  // "cpu avx2 7 threads"
  Device device;
};

// The definition that all places are compared with.
const Device& reference();
// All places but the reference; never empty. Opened once per process.
const std::vector<Place>& places();
// Opens the cpu with one instruction set ("" for the default).
Device open_cpu(const std::string& isa, int n_threads);

}  // namespace samebits::test
