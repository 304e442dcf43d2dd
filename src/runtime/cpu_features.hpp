// Instruction sets of this machine, in the names of SAMEBITS_CPU_ISA: baseline, avx2, avx512.
#pragma once

#include <string>

namespace samebits {

// Can this processor run the build of that name?
bool cpu_supports(const std::string& isa);
// "Intel(R) Xeon(R) ...", "" when unknown.
std::string cpu_model_name();
// "x86_64", "aarch64"
std::string cpu_architecture();

}  // namespace samebits
