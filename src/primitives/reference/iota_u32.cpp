#include "primitives/reference/reference.hpp"

namespace samebits::reference {

sb_status iota_u32(const sb_iota_u32_args& a) {
  for (std::uint64_t i = 0; i < a.n; ++i) a.out[i] = static_cast<std::uint32_t>(i);
  return SB_OK;
}

}  // namespace samebits::reference
