// Errors of the C++ API. Texts read "[operation] what, got X, need Y"; the library never prints and never aborts.
#pragma once

#include <stdexcept>
#include <string>

namespace [[gnu::visibility("default")]] samebits {

enum class ErrorCode {
  invalid_argument,  // the caller's input breaks a rule
  out_of_memory,
  device,        // a driver reported a failure
  unavailable,   // a device, plugin or capability that was asked for is not there
  interrupted,   // the caller's interrupt hook said stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace samebits
