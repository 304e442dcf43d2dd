#include "runtime/cpu_features.hpp"

#include <fstream>

#include <sys/utsname.h>

namespace samebits {

bool cpu_supports(const std::string& isa) {
  if (isa == "baseline") return true;
#if defined(__x86_64__)
  __builtin_cpu_init();
  bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("movbe") &&
            __builtin_cpu_supports("lzcnt");
  if (isa == "avx2") return v3;
  if (isa == "avx512") {
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
#endif
  return false;
}

namespace {

std::string read_model_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) == 0) {
      auto colon = line.find(": ");
      return colon == std::string::npos ? "" : line.substr(colon + 2);
    }
  }
  return "";
}

}  // namespace

std::string cpu_model_name() {
  static const std::string name = read_model_name();
  return name;
}

std::string cpu_architecture() {
  utsname name{};
  return uname(&name) == 0 ? name.machine : "unknown";
}

}  // namespace samebits
