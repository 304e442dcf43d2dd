#include "samebits/environment.hpp"

#include "runtime/fp_env.hpp"

namespace samebits {

struct FpEnvironment::State {
  FpEnvGuard guard;
};

FpEnvironment::FpEnvironment() : state_(std::make_unique<State>()) {}
FpEnvironment::~FpEnvironment() = default;

}  // namespace samebits
