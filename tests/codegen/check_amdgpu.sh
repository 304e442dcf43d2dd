#!/usr/bin/env bash
# Reads the machine code of the HIP plugin's code objects, and proves on wrongly built ones that the reading notices them.
#   tests/codegen/check_amdgpu.sh [BUILD]        default: build/dev
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/dev}
plugin=$build/lib/libsamebits_hip.so
if [[ ! -f $plugin ]]; then
  echo "SKIPPED: the HIP plugin was not built in $build; no AMD code was read"
  exit 0
fi
compiler=$(head -n 1 "$build/hip/compile.txt")
if ! command -v "$("$compiler" -print-prog-name=llvm-objdump)" >/dev/null; then
  echo "SKIPPED: no llvm-objdump of $compiler (package llvm-19); no AMD code was read"
  exit 0
fi
python3 "$root/tests/codegen/amdgpu/check.py" "$plugin" "$build/hip/compile.txt"
