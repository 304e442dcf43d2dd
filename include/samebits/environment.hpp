// The floating-point environment in which the library computes, for code around its calls.
#pragma once

#include <memory>

namespace [[gnu::visibility("default")]] samebits {

// While it lives, this thread rounds to nearest-even, keeps subnormals and masks exceptions; destruction restores what was
// there before. Every native call does this by itself; a program that also converts numbers on its way (a language
// binding) does it around both. Destroy on the thread that made it, the last made first.
class FpEnvironment {
 public:
  FpEnvironment();
  ~FpEnvironment();
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace samebits
