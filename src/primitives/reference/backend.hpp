// The reference backend's description (runtime/backend_abi.h): the slow, serial definition of every primitive.
#pragma once

#include "runtime/backend_abi.h"

namespace samebits::reference {

const sb_backend* reference_backend();

}  // namespace samebits::reference
