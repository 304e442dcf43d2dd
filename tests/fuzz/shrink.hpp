// Making a case that differs smaller while it still differs on the same place.
#pragma once

#include "fuzz/difference.hpp"

namespace samebits::fuzz {

struct Shrunk {
  Case smallest;
  Difference difference;
  int steps = 0;  // cases that were tried
};

// At most `seconds`; every parameter moves towards the simplest value of its Spec.
Shrunk shrink(const Case& found, const Difference& difference, double seconds);

}  // namespace samebits::fuzz
