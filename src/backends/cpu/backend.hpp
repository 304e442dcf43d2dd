// The cpu backend's description (runtime/backend_abi.h).
#pragma once

#include "runtime/backend_abi.h"

namespace samebits::cpu {

const sb_backend* cpu_backend();

}  // namespace samebits::cpu
