# The only file that sets floating-point flags. Every target that computes links samebits_numeric_flags.
add_library(samebits_numeric_flags INTERFACE)
set(_fp -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-fast-math -fno-associative-math)
if(SAMEBITS_BREAK STREQUAL "contraction")
  set(_fp -ffp-contract=fast -fno-math-errno -fno-trapping-math)
endif()
target_compile_options(samebits_numeric_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${_fp}>)
if(SAMEBITS_BREAK STREQUAL "contraction")
  target_compile_options(samebits_numeric_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=true>)
else()
  target_compile_options(samebits_numeric_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false -prec-div=true -prec-sqrt=true -ftz=false -Xcompiler -ffp-contract=off>)
endif()
# Device code of HIP, compiled by a command of its own (src/backends/hip). clang's default for HIP is to contract.
set(SAMEBITS_HIP_NUMERIC_FLAGS -ffp-contract=off -fno-fast-math -fhip-fp32-correctly-rounded-divide-sqrt
  -fno-gpu-flush-denormals-to-zero)
if(SAMEBITS_BREAK STREQUAL "contraction")
  list(TRANSFORM SAMEBITS_HIP_NUMERIC_FLAGS REPLACE "-ffp-contract=off" "-ffp-contract=fast")
endif()
if(SAMEBITS_BREAK)
  string(TOUPPER "${SAMEBITS_BREAK}" _broken)
  target_compile_definitions(samebits_numeric_flags INTERFACE SAMEBITS_BREAK_${_broken}=1)
  list(APPEND SAMEBITS_HIP_NUMERIC_FLAGS -DSAMEBITS_BREAK_${_broken}=1)
endif()

# -march options of the cpu backend's builds of one source; names are those of SAMEBITS_CPU_ISA.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(SAMEBITS_CPU_ISAS baseline avx2 avx512)
  set(SAMEBITS_ISA_FLAGS_baseline -march=x86-64)
  set(SAMEBITS_ISA_FLAGS_avx2 -march=x86-64-v3)
  set(SAMEBITS_ISA_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
else()
  set(SAMEBITS_CPU_ISAS baseline)
  set(SAMEBITS_ISA_FLAGS_baseline "")
endif()
