// Random streams of gradient boosting: the `purpose` word of every Philox draw (C8).
#pragma once

#include <cstdint>

namespace samebits::boosting {

enum Purpose : std::uint32_t {
  kPurposeBinSample = 0x62690001u,
  kPurposeRowSample = 0x62690002u,
  kPurposeColumnSample = 0x62690003u,
};

}  // namespace samebits::boosting
