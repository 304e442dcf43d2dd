#!/usr/bin/env bash
# Separating arms: builds the library once per rule of arms.txt with that rule broken, and requires that the tests listed
# there fail with it and pass with the sound library. A test that passes with its rule broken proves nothing.
#   run.sh [-b BUILD_FOLDER] [-s SOUND_BUILD] [ARM...]
# BUILD_FOLDER (default build/separating) keeps one build per arm: the library alone. SOUND_BUILD (default build/dev) holds
# the test program; it is the same for all arms and finds the broken library by LD_LIBRARY_PATH.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
builds=$root/build/separating
sound=$root/build/dev
while getopts b:s: option; do
  case $option in
    b) builds=$OPTARG ;;
    s) sound=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
program=$sound/tests/cpp/samebits_tests
unset SAMEBITS_TEST_DEVICE SAMEBITS_CPU_ISA
generator=()
if command -v ninja >/dev/null 2>&1; then generator=(-G Ninja); fi

[[ -x $program ]] || {
  echo "separating arms: $program is not there; ./dev test builds it (or name another build folder with -s)"
  exit 2
}

arms() { awk '$1 == "arm" { print $2 }' "$here/arms.txt"; }
clause() { awk -v arm="$1" '$1 == "arm" && $2 == arm { print $3 }' "$here/arms.txt"; }
tests() { awk -v arm="$1" '$1 == "test" && $2 == arm { print $3 }' "$here/arms.txt"; }

# Why an arm cannot change a bit on this machine; nothing when it can.
impossible() {
  [[ $(uname -m) == x86_64 ]] || {
    [[ $1 != flush_subnormals ]] || echo "the flush to zero is an x86 mode here"
    return 0
  }
  if [[ $1 == contraction ]] && ! grep -qw fma /proc/cpuinfo; then echo "no fused multiply-add to contract to"; fi
}

build() {
  local folder=$builds/$1
  mkdir -p "$folder"
  {
    cmake -S "$root" -B "$folder" ${generator[@]+"${generator[@]}"} -DSAMEBITS_BREAK="$1" -DSAMEBITS_CUDA=OFF \
      -DSAMEBITS_HIP=OFF -DSAMEBITS_OPENCL=OFF -DSAMEBITS_PYTHON=OFF -DSAMEBITS_TESTS=OFF &&
      cmake --build "$folder" --target samebits --parallel "$(nproc)"
  } >"$folder/build.log" 2>&1 </dev/null
}

# failing LIBRARY_FOLDER RULE FILTER: names of the tests that failed, one a line; "-" first when not all ran to their end.
# The first test asserts that the library in use is the broken one.
failing() {
  local output
  output=$(LD_LIBRARY_PATH=$1 SAMEBITS_ALLOW_BROKEN=1 SAMEBITS_EXPECT_BROKEN=$2 "$program" --gtest_brief=0 \
    --gtest_filter="Build.BreaksTheRuleThatWasAskedFor:$3" 2>&1 </dev/null) || true
  grep -q '^\[==========\].* ran\.' <<<"$output" || echo "-"
  grep -qF '[       OK ] Build.BreaksTheRuleThatWasAskedFor' <<<"$output" || echo "-"
  sed -n 's/^\[  FAILED  \] \([A-Za-z0-9_/]*\.[A-Za-z0-9_/]*\).*/\1/p' <<<"$output" | sort -u
}

# The suites of an arm's tests, as a filter.
suites() { tests "$1" | sed 's/\..*/.*/' | sort -u | paste -sd :; }

judge() {
  local arm=$1 failed test status=0
  failed=$(failing "$builds/$arm/lib" "$arm" "$(suites "$arm")")
  if grep -qx -- '-' <<<"$failed"; then
    echo "$arm: the tests did not run to their end with the broken library"
    return 1
  fi
  if [[ -z $failed ]]; then
    echo "$arm: changes nothing: no test of $(suites "$arm") fails"
    return 1
  fi
  for test in $(tests "$arm"); do
    grep -qxF "$test" <<<"$failed" || {
      echo "$arm: NOT caught by $test"
      status=1
    }
  done
  failed=$(paste -sd ' ' <<<"$failed")
  ((status != 0)) || echo "$arm ($(clause "$arm")): caught; failing: $failed"
  return $status
}

sound_tests_pass() {
  local failed
  failed=$(failing "$sound/lib" "" "$(for arm in "$@"; do tests "$arm"; done | sort -u | paste -sd :)")
  [[ -z $failed ]] || {
    echo "separating arms: these tests do not pass in the sound build either, so they separate nothing:" $failed
    return 1
  }
}

if (($# == 0)); then mapfile -t chosen < <(arms); else chosen=("$@"); fi
status=0
sound_tests_pass "${chosen[@]}" || status=1
for arm in "${chosen[@]}"; do
  reason=$(impossible "$arm")
  if [[ -n $reason ]]; then
    echo "$arm: not run, $reason"
  elif ! build "$arm"; then
    tail -n 30 "$builds/$arm/build.log"
    echo "$arm: the build failed (whole output: $builds/$arm/build.log)"
    status=1
  else
    judge "$arm" || status=1
  fi
done
((status == 0)) && echo "separating arms: ${#chosen[@]} of ${#chosen[@]} caught by the expected tests"
exit $status
