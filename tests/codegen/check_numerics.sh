#!/usr/bin/env bash
# The number core: every header compiles alone with g++, clang++ and nvcc; nvcc's code of the elementary functions, sums,
# scalings and draws contains no fused multiply-add, no approximate instruction, no flush to zero and no call. sb_fma_*
# is the one function that must be fused. check_host.sh reads the host's code.
#   tests/codegen/check_numerics.sh [CXX...]        default: g++ clang++, each if it is there
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAIL: $*"; failed=1; }

headers=$(cd "$root/src" && ls numerics/{arith,elementary,reduce,random,order,product}/*.h)
flags=(-std=c++20 -O3 -Wall -Wextra -ffp-contract=off -fno-math-errno -fno-trapping-math -I "$root/src")

# One function per header would be long; one caller of everything that computes is enough for reading the code.
functions="exp exp2 expm1 log log2 log1p tanh logistic log1pexp"
{
  for header in $headers; do echo "#include \"$header\""; done
  echo '#define SB_TEST_KERNEL extern "C" __global__ void'
  for t in f32 f64; do
    for f in $functions; do echo "SB_TEST_KERNEL use_${f}_$t(const sb_$t* x, sb_$t* y) { *y = sb_${f}_$t(*x); }"; done
    echo "SB_TEST_KERNEL use_tile_$t(const sb_$t* x, sb_$t* y, sb_u32 n) { *y = sb_reduce_tile_$t(x, n); }"
    echo "SB_TEST_KERNEL use_scale_$t(const sb_$t* x, sb_$t* y, sb_i32 e) { *y = sb_scale2_$t(*x, e); }"
    echo "SB_TEST_KERNEL use_fixed_$t(const sb_$t* x, sb_i32* y, sb_i32 e) { *y = sb_to_fixed_$t(*x, e); }"
    echo "SB_TEST_KERNEL use_from_$t(const sb_i64* x, sb_$t* y, sb_i32 e) { *y = sb_from_fixed_$t(*x, e); }"
  done
  echo 'SB_TEST_KERNEL use_uniform(sb_u64 s, sb_u64 i, sb_f32* y) { *y = sb_uniform_f32(sb_philox_u32(s, 1u, i, 0u)); }'
  echo 'SB_TEST_KERNEL use_keys(const sb_f32* x, sb_u32* y) { *y = sb_order_key_f32(*x); }'
} > "$work/calls.cu"
{
  echo '#include "numerics/arith/fma.h"'
  echo 'extern "C" __global__ void use_fma(const sb_f32* x, sb_f32* y, const sb_f64* u, sb_f64* v) {'
  echo '  *y = sb_fma_f32(x[0], x[1], x[2]); *v = sb_fma_f64(u[0], u[1], u[2]); }'
} > "$work/fma.cu"

check_host() {
  local cxx=$1
  for header in $headers; do
    echo "#include \"$header\"" > "$work/one.cpp"
    "$cxx" "${flags[@]}" -Werror -fsyntax-only "$work/one.cpp" || fail "$cxx: $header does not compile alone"
  done
  echo "$cxx: $(echo "$headers" | wc -l) headers compile alone"
}

compilers=("$@")
[ ${#compilers[@]} -gt 0 ] || compilers=(g++ clang++)
for cxx in "${compilers[@]}"; do
  if [ "$cxx" = clang++ ] && ! command -v clang++ > /dev/null; then cxx=clang++-19; fi
  if command -v "$cxx" > /dev/null; then check_host "$cxx"; else echo "SKIPPED: $cxx is not installed"; fi
done

if command -v nvcc > /dev/null; then
  nvflags=(-std=c++20 -O3 -arch=sm_90 --fmad=false -prec-div=true -prec-sqrt=true -ftz=false -I "$root/src" -I "$work")
  for header in $headers; do
    printf '#include "%s"\n__global__ void nothing() {}\n' "$header" > "$work/one.cu"
    nvcc "${nvflags[@]}" -cubin "$work/one.cu" -o "$work/one.cubin" || fail "nvcc: $header does not compile alone"
  done
  nvcc "${nvflags[@]}" -ptx "$work/calls.cu" -o "$work/calls.ptx"
  nvcc "${nvflags[@]}" -cubin "$work/calls.cu" -o "$work/calls.cubin"
  if grep -nE '\bfma\.|\bmad\.rn\.f|\.approx|\.ftz|\.full\.f|\sex2|\slg2|\scall' "$work/calls.ptx"; then
    fail "nvcc: fused, approximate or flushing instruction, or a call"
  fi
  kernels=$(grep -c '\.entry' "$work/calls.ptx")
  nvcc "${nvflags[@]}" -ptx "$work/fma.cu" -o "$work/fma.ptx"
  grep -q 'fma\.rn\.f32' "$work/fma.ptx" && grep -q 'fma\.rn\.f64' "$work/fma.ptx" || fail "nvcc: sb_fma is not the instruction"
  nvcc "${nvflags[@]}" --fmad=true -ptx "$work/calls.cu" -o "$work/fused.ptx" 2> /dev/null
  grep -q 'fma\.rn\.f32' "$work/fused.ptx" || fail "nvcc: the check finds nothing in a build with contraction either"
  echo "nvcc: $(echo "$headers" | wc -l) headers, $kernels kernels read"
else
  echo "SKIPPED: nvcc is not installed; no GPU code was read"
fi
[ $failed = 0 ] && echo "numerics code generation: ok"
exit $failed
