// The backends that are part of the library itself: the loader asks for them here, so that runtime need not know them.
#include "backends/cpu/backend.hpp"
#include "primitives/reference/backend.hpp"
#include "runtime/loader.hpp"

namespace samebits {

std::vector<const sb_backend*> built_in() { return {reference::reference_backend(), cpu::cpu_backend()}; }

}  // namespace samebits
