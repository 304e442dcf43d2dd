// The functions behind the table of primitives/contract/table.h. They throw Failure; border.cpp turns it into a status.
#pragma once

#include "backends/gpu/context.hpp"
#include "primitives/contract/table.h"

namespace samebits::gpu {

#define SB_DECLARE(name) void name(Context& context, const sb_##name##_args& args);
SB_FOR_EACH_PRIMITIVE(SB_DECLARE)
#undef SB_DECLARE

[[noreturn]] inline void refuse(const std::string& text) { throw Failure{SB_ERROR_INVALID, text}; }

}  // namespace samebits::gpu
