#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status fill_f32(const sb_fill_f32_args& a) {
  for (std::uint64_t i = 0; i < a.n; ++i) a.out[i] = a.value;
  return SB_OK;
}

}  // namespace samebits::reference
