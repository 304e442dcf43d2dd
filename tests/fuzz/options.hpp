// The command line of samebits_fuzz.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace samebits::fuzz {

struct Options {
  double seconds = 60;
  std::uint64_t cases = 0;  // > 0: so many instead of a time
  std::uint64_t seed = 0;   // of the clock when none is given
  std::int64_t most = 0;    // largest size, 0: each target's own
  double shrink_seconds = 20;
  std::vector<std::string> targets;  // empty: all
  std::string folder = "build/fuzz";
  std::string replay;
  bool digests = false, help = false;
};

// Prints the usage for --help; throws std::invalid_argument. --device sets SAMEBITS_TEST_DEVICE.
Options parse(int argc, char** argv);

}  // namespace samebits::fuzz
