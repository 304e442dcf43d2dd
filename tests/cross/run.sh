#!/usr/bin/env bash
# The C++ tests on other processors, emulated: cross-compiled, run under qemu, outputs compared with the pinned digests
# (conformance/vectors/primitives.json), so that each of them is compared with every recorded machine.
#   run.sh [--full] [--record FOLDER] [aarch64|riscv64|s390x|nehalem ...]        default: all four
# aarch64 and riscv64 have fused multiply-adds that compilers like to contract to, s390x is big-endian, nehalem is the
# native program on an x86-64 without AVX and FMA. --full also runs the tests that take minutes when emulated; --record
# (which implies --full) writes FOLDER/cpu-<processor>-qemu.json; it needs a clean commit.
# SAMEBITS_NATIVE_TESTS: the native program (default build/dev/tests/cpp/samebits_tests).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
builds=$root/build/cross
native=${SAMEBITS_NATIVE_TESTS:-$root/build/dev/tests/cpp/samebits_tests}
filter='*-'$(grep -v '^#' "$here/slow.txt" | awk '{ print $1 }' | paste -sd :)
record=
archs=()
while (($#)); do
  case $1 in
    --full) filter='*' ;;
    --record)
      shift
      record=${1:?--record needs a folder}
      filter='*'
      ;;
    aarch64 | riscv64 | s390x | nehalem) archs+=("$1") ;;
    *)
      echo "run.sh: '$1' is none of --full, --record FOLDER, aarch64, riscv64, s390x, nehalem" >&2
      exit 2
      ;;
  esac
  shift
done
if ((${#archs[@]} == 0)); then
  archs=(aarch64 riscv64 s390x)
  if [[ $(uname -m) == x86_64 ]]; then
    archs+=(nehalem)
  else
    echo "nehalem: not run, the native program is not of x86-64"
  fi
fi

build() {
  local arch=$1 generator=()
  [[ $arch != nehalem ]] || return 0
  mkdir -p "$builds/$arch"
  if command -v ninja >/dev/null 2>&1; then generator=(-G Ninja); fi
  {
    cmake -S "$root" -B "$builds/$arch" ${generator[@]+"${generator[@]}"} -DSAMEBITS_STATIC=ON -DSAMEBITS_TESTS=ON \
      -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchains/$arch-linux-gnu.cmake" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
      -DSAMEBITS_CUDA=OFF -DSAMEBITS_OPENCL=OFF -DSAMEBITS_HIP=OFF &&
      cmake --build "$builds/$arch" --target samebits_tests --parallel "$(nproc)"
  } >"$builds/$arch/build.log" 2>&1 </dev/null
}

# The emulator's command and the program, in ${command[@]}.
choose_command() {
  if [[ $1 == nehalem ]]; then
    command=(qemu-x86_64-static -cpu Nehalem "$native")
  else
    command=("qemu-$1-static" "$builds/$1/tests/cpp/samebits_tests")
  fi
}

# Runs the tests of one processor; its output goes to tests.log.
run_tests() {
  local arch=$1 command
  choose_command "$arch"
  mkdir -p "$builds/$arch"
  env -u SAMEBITS_BACKEND_PATH -u SAMEBITS_CPU_ISA SAMEBITS_TEST_DEVICE=cpu SAMEBITS_EMULATED=qemu \
    SAMEBITS_CONFORMANCE_EXPECT="$root/conformance/vectors/primitives.json" \
    SAMEBITS_CONFORMANCE_OUT="$builds/$arch/primitives.json" \
    "${command[@]}" --gtest_filter="$filter" >"$builds/$arch/tests.log" 2>&1 </dev/null
}

report() {
  local arch=$1 status=$2 seconds=$3 log=$builds/$arch/tests.log
  if ((status != 0)); then
    grep -A 8 -m 5 ': Failure' "$log" || tail -n 20 "$log"
    echo "$arch: FAILED (whole output: $log)"
    return 1
  fi
  echo "$arch: $(grep -c '^\[       OK' "$log") tests passed, $(grep -c '"outputs"' "$builds/$arch/primitives.json")" \
    "digests as pinned, $seconds s"
}

write_record() {
  local arch=$1 command version column=cpu-$1-qemu
  choose_command "$arch"
  version=$("${command[0]}" --version | sed -n '1s/.*version \([^ ]*\).*/\1/p')
  [[ $arch != nehalem ]] || column=cpu-x86_64-nehalem-qemu
  python3 "$root/tools/primitives.py" record "$builds/$arch/primitives.json" --out "$record" --column "$column" \
    --device "QEMU user emulation of $arch" --driver "$(basename "${command[0]}") $version"
}

one() {
  local arch=$1 start=$SECONDS status=0
  run_tests "$arch" || status=$?
  report "$arch" "$status" $((SECONDS - start)) || return 1
  [[ -z $record ]] || write_record "$arch"
}

for arch in "${archs[@]}"; do
  start=$SECONDS
  if ! build "$arch"; then
    grep -m 10 -E 'error|Error' "$builds/$arch/build.log" || tail -n 20 "$builds/$arch/build.log"
    echo "$arch: the build failed (whole output: $builds/$arch/build.log)"
    exit 1
  fi
  [[ $arch == nehalem ]] || echo "$arch: built in $((SECONDS - start)) s"
done
if [[ " ${archs[*]} " == *" nehalem "* && ! -x $native ]]; then
  echo "nehalem: there is no $native; build it (./dev test does) or set SAMEBITS_NATIVE_TESTS" >&2
  exit 1
fi
# As many processors at once as this machine has cores: each emulator is mostly one thread.
failed=0
running=0
for arch in "${archs[@]}"; do
  if ((running >= $(nproc))); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  one "$arch" &
  running=$((running + 1))
done
while ((running > 0)); do
  wait -n || failed=1
  running=$((running - 1))
done
exit $failed
