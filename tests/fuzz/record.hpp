// A difference as a file that can be replayed.
#pragma once

#include "fuzz/shrink.hpp"

#include <string>

namespace samebits::fuzz {

// Writes FOLDER/<target>-<seed>.json; returns its path.
std::string save(const std::string& folder, const Case& found, const Shrunk& shrunk);
// Throws std::runtime_error when it is no such file.
Case load(const std::string& path);

}  // namespace samebits::fuzz
