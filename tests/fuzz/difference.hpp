// Running a case on all places, and the first difference from the reference.
#pragma once

#include "fuzz/case.hpp"

#include <optional>
#include <string>

namespace samebits::fuzz {

struct Difference {
  std::string place, output;
  std::uint64_t element = 0, differing = 0, elements = 0;
  std::string reference, got;  // bit patterns, or the texts of errors
  std::vector<std::string> others;  // further outputs that differ
};

// The place that a difference must be on; "": any.
std::optional<Difference> find_difference(const Case& c, const std::string& place = "");

// A hash of everything that a case produces on a device, errors and their codes included.
std::uint64_t digest(const Device& device, const Case& c);

}  // namespace samebits::fuzz
