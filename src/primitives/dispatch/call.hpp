// Calling a primitive on a device: the row of the backend's table, or a refusal that names both.
#pragma once

#include "primitives/contract/table.h"
#include "runtime/buffer.hpp"

#include <string>

namespace samebits {

template <class Args>
void call(const Device& device, const char* contract, sb_status (*sb_primitives::*row)(sb_context*, const Args*),
          const Args& args) {
  auto function = device.backend().primitives->*row;
  if (function == nullptr) {
    throw Error(ErrorCode::unavailable, std::string("[") + contract + "] backend " + device.backend().name +
                                            " has no implementation of this contract; use another device");
  }
  check_status(device.backend(), contract, function(device.context(), &args));
}

}  // namespace samebits
