# Finds a clang++ that compiles HIP for every architecture of SAMEBITS_HIP_ARCHITECTURES with its own linker (lld):
# SAMEBITS_HIP_COMPILER, and SAMEBITS_HIP_USABLE or the reason SAMEBITS_HIP_WHY. SAMEBITS_HIP_DEVICE_ONLY: flags that make it a
# compiler of device code without ROCm.
set(SAMEBITS_HIP_DEVICE_ONLY -x hip --cuda-device-only -nogpulib -nogpuinc --no-gpu-bundle-output)
set(SAMEBITS_HIP_USABLE OFF)
# 19 first: the version whose code was read. Below 17 the square root is not correctly rounded.
find_program(SAMEBITS_HIP_COMPILER NAMES clang++-19 clang++-20 clang++-21 clang++-22 clang++-18 clang++-17 clang++
  DOC "The clang++ that compiles the HIP plugin's device code")
if(NOT SAMEBITS_HIP_COMPILER)
  set(SAMEBITS_HIP_WHY "no clang++ was found; install clang-19 and lld-19, or set SAMEBITS_HIP_COMPILER")
  return()
endif()
execute_process(COMMAND ${SAMEBITS_HIP_COMPILER} -dumpversion OUTPUT_VARIABLE SAMEBITS_HIP_COMPILER_VERSION
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(SAMEBITS_HIP_COMPILER_VERSION VERSION_LESS 17)
  set(SAMEBITS_HIP_WHY "${SAMEBITS_HIP_COMPILER} is version ${SAMEBITS_HIP_COMPILER_VERSION}, need 17 or newer (older ones do \
not round square roots correctly); install clang-19 and lld-19, or set SAMEBITS_HIP_COMPILER")
  return()
endif()

set(_probe ${CMAKE_CURRENT_BINARY_DIR}/probe)
file(WRITE ${_probe}.hip "extern \"C\" __attribute__((global)) void probe(float* x) { *x = *x / 3.0f; }\n")
foreach(_arch IN LISTS SAMEBITS_HIP_ARCHITECTURES)
  if(NOT _arch MATCHES "^gfx[0-9a-z-]+$")
    message(FATAL_ERROR "[hip] SAMEBITS_HIP_ARCHITECTURES has '${_arch}', need entries like gfx942 or gfx11-generic")
  endif()
  execute_process(COMMAND ${SAMEBITS_HIP_COMPILER} ${SAMEBITS_HIP_DEVICE_ONLY} --offload-arch=${_arch} -c ${_probe}.hip
    -o ${_probe}.co RESULT_VARIABLE _result OUTPUT_VARIABLE _text ERROR_VARIABLE _text)
  if(NOT _result EQUAL 0)
    string(REGEX MATCH "[^\n]*error[^\n]*" _line "${_text}")
    set(SAMEBITS_HIP_WHY "${SAMEBITS_HIP_COMPILER} (${SAMEBITS_HIP_COMPILER_VERSION}) cannot compile for ${_arch}: ${_line}; \
install clang-19 and lld-19, or change SAMEBITS_HIP_ARCHITECTURES")
    return()
  endif()
endforeach()
set(SAMEBITS_HIP_USABLE ON)
message(STATUS "samebits: HIP plugin built with ${SAMEBITS_HIP_COMPILER} ${SAMEBITS_HIP_COMPILER_VERSION} for ${SAMEBITS_HIP_ARCHITECTURES}")
