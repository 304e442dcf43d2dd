// Calls of the caller's hooks. They may change the floating-point environment (a library that they load may do it); the
// guards undo that, so that the fit goes on in its own.
#pragma once

#include "runtime/fp_env.hpp"
#include "samebits/boosting.hpp"

namespace samebits::boosting {

inline bool asked_to_stop(const Hooks& hooks) {
  FpEnvGuard environment;
  return hooks.interrupted && hooks.interrupted();
}

inline void report(const Hooks& hooks, std::uint32_t done, std::uint32_t total, double loss) {
  FpEnvGuard environment;
  if (hooks.progress) hooks.progress(done, total, loss);
}

}  // namespace samebits::boosting
