// The functions behind the table of primitives/contract/table.h. They throw Failure; backend.cpp turns it into a status.
#pragma once

#include "backends/cuda/context.hpp"
#include "primitives/contract/table.h"

namespace samebits::cuda {

#define SB_DECLARE(name) void name(Context& context, const sb_##name##_args& args);
SB_FOR_EACH_PRIMITIVE(SB_DECLARE)
#undef SB_DECLARE

[[noreturn]] inline void refuse(const std::string& text) { throw Failure{SB_ERROR_INVALID, "[cuda] " + text}; }

}  // namespace samebits::cuda
