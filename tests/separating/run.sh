#!/usr/bin/env bash
# Separating arms: builds the library once per rule of arms.txt with that rule broken, and requires that the tests listed
# there fail with it and pass with the sound library; that it moves bits on every backend (a build that changes
# nothing proves nothing); and that the fuzzer finds the ones that it should find.
#   run.sh [-g] [-b BUILD_FOLDER] [-s SOUND_BUILD] [ARM...]
# BUILD_FOLDER (default build/separating) keeps one build per arm: the library alone. SOUND_BUILD (default build/dev) holds
# the test program and the fuzzer; they are the same for all arms and find the broken library by LD_LIBRARY_PATH.
# -g: the kernels' text for GPUs too, on the emulated driver of the CUDA plugin of SOUND_BUILD.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
builds=$root/build/separating
sound=$root/build/dev
gpu=
while getopts gb:s: option; do
  case $option in
    g) gpu=1 ;;
    b) builds=$OPTARG ;;
    s) sound=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
program=$sound/tests/cpp/samebits_tests
fuzzer=$sound/tests/fuzz/samebits_fuzz
unset SAMEBITS_TEST_DEVICE SAMEBITS_CPU_ISA SAMEBITS_BACKEND_PATH
generator=()
if command -v ninja >/dev/null 2>&1; then generator=(-G Ninja); fi

for needed in "$program" "$fuzzer" ${gpu:+"$sound/lib/libsamebits_cuda.so"}; do
  [[ -e $needed ]] || {
    echo "separating arms: $needed is not there; ./dev test builds it (or name another build folder with -s)"
    exit 2
  }
done

# lines KEYWORD ARM: what stands behind them in arms.txt.
lines() { sed -n "s/^$1 $2 *//p" "$here/arms.txt"; }
arms() { sed -n 's/^arm \([a-z_0-9]*\) .*/\1/p' "$here/arms.txt"; }
clause() { lines arm "$1" | cut -d' ' -f1; }
joined() { paste -sd "$1"; }

# Why an arm cannot change a bit on this machine; nothing when it can.
impossible() {
  [[ $(uname -m) == x86_64 ]] || {
    [[ $1 != flush_subnormals ]] || echo "the flush to zero is an x86 mode here"
    return 0
  }
  if [[ $1 == contraction ]] && ! grep -qw fma /proc/cpuinfo; then echo "no fused multiply-add to contract to"; fi
}

build() {
  local folder=$builds/$1 targets=(samebits ${gpu:+samebits_emulated_driver})
  mkdir -p "$folder"
  {
    cmake -S "$root" -B "$folder" ${generator[@]+"${generator[@]}"} -DSAMEBITS_BREAK="$1" -DSAMEBITS_CUDA="$(cuda)" \
      -DSAMEBITS_HIP=OFF -DSAMEBITS_OPENCL=OFF -DSAMEBITS_PYTHON=OFF -DSAMEBITS_TESTS=OFF &&
      cmake --build "$folder" --target "${targets[@]}" --parallel "$(nproc)"
  } >"$folder/build.log" 2>&1 </dev/null
}

cuda() { if [[ $gpu ]]; then echo ON; else echo OFF; fi; }

# with LIBRARY_BUILD COMMAND...: with the library (and the emulated driver) of that build.
with() {
  local folder=$1
  shift
  LD_LIBRARY_PATH=$folder/lib:$folder/emulated SAMEBITS_ALLOW_BROKEN=1 "$@" </dev/null
}

# failing BUILD RULE FILTER: names of the tests that failed, one a line; "-" first when not all ran to their end.
# The first test asserts that the library in use is the broken one.
failing() {
  local output
  output=$(with "$1" env SAMEBITS_EXPECT_BROKEN="$2" "$program" \
    --gtest_filter="Build.BreaksTheRuleThatWasAskedFor:$3" 2>&1) || true
  grep -q '^\[==========\].* ran\.' <<<"$output" || echo "-"
  grep -qF '[       OK ] Build.BreaksTheRuleThatWasAskedFor' <<<"$output" || echo "-"
  sed -n 's/^\[  FAILED  \] \([A-Za-z0-9_/]*\.[A-Za-z0-9_/]*\).*/\1/p' <<<"$output" | sort -u
}

# The suites of an arm's tests, as a filter.
suites() { lines test "$1" | sed 's/\..*/.*/' | sort -u | joined :; }

# Tests fail as expected.
judge() {
  local arm=$1 failed test status=0
  failed=$(failing "$builds/$arm" "$arm" "$(suites "$arm")")
  if grep -qx -- '-' <<<"$failed"; then
    echo "$arm: the tests did not run to their end with the broken library"
    return 1
  fi
  if [[ -z $failed ]]; then
    echo "$arm: changes nothing: no test of $(suites "$arm") fails"
    return 1
  fi
  for test in $(lines test "$arm"); do
    grep -qxF "$test" <<<"$failed" || {
      echo "$arm: NOT caught by $test"
      status=1
    }
  done
  ((status != 0)) || echo "$arm ($(clause "$arm")): caught; failing: $(joined ' ' <<<"$failed")"
  return $status
}

# digests BUILD DEVICE TARGET: "backend hash" of everything that fixed cases of the fuzzer produce, per place.
digests() {
  local path=() cases=200
  [[ $2 == cpu ]] || path=(SAMEBITS_BACKEND_PATH="$sound/lib")
  [[ $3 != boosting_fit ]] || cases=30
  with "$1" env ${path[@]+"${path[@]}"} "$fuzzer" --digests --seed 5 --cases $cases --most 3000 --device "$2" --target "$3" |
    sed -n 's/^\([a-z]*\) *\([a-z0-9]*\) *[0-9]* thread[s]*\t/\1:\2 /p; s/^\(cuda\)[^\t]*\t/\1 /p'
}

# On every backend some place has other bits than the sound library; a backend that cannot has a line `still`.
moves_bits() {
  local arm=$1 target device before after backend moved=() unmoved=() still status=0
  target=$(lines moves "$arm")
  for device in cpu ${gpu:+cuda}; do
    before=$(digests "$sound" "$device" "$target") && after=$(digests "$builds/$arm" "$device" "$target") || {
      echo "$arm: the fuzzer did not run to its end on $device"
      return 1
    }
    for backend in $(cut -d' ' -f1 <<<"$before" | sort -u); do
      if [[ $(grep "^$backend " <<<"$before") != $(grep "^$backend " <<<"$after") ]]; then
        moved+=("$backend")
      else
        unmoved+=("$backend")
      fi
    done
  done
  for backend in ${unmoved[@]+"${unmoved[@]}"}; do
    still=$(lines still "$arm" | sed -n "s/^$backend *//p")
    if [[ -n $still ]]; then
      echo "$arm: cannot move a bit on $backend: $still"
    else
      echo "$arm: changes nothing on $backend ($target)"
      status=1
    fi
  done
  [[ ${#moved[@]} == 0 ]] || echo "$arm: moves $target on ${moved[*]}"
  return $status
}

# The fuzzer finds it within a minute, makes it smaller, and its file shows it again, with the broken library only.
found_by_fuzzer() {
  local arm=$1 folder=$builds/$1/fuzz file status=0
  rm -rf "$folder"
  with "$builds/$arm" "$fuzzer" --seconds 60 --seed 1 --device cpu --target "$(lines moves "$arm")" --out "$folder" \
    >"$builds/$arm/fuzz.log" || status=$?
  file=$(find "$folder" -name '*.json' 2>/dev/null | head -n 1)
  if [[ $status != 1 || -z $file ]]; then
    echo "$arm: the fuzzer does not find it (status $status; $builds/$arm/fuzz.log)"
    return 1
  fi
  status=0
  with "$builds/$arm" "$fuzzer" --device cpu --replay "$file" >/dev/null || status=$?
  if [[ $status != 1 ]] || ! with "$sound" "$fuzzer" --device cpu --replay "$file" >/dev/null; then
    echo "$arm: the file that the fuzzer wrote does not show the difference with the broken library alone: $file"
    return 1
  fi
  echo "$arm: found by the fuzzer; $(sed -n 's/^smallest of [0-9]* cases tried: /made smaller: /p' "$builds/$arm/fuzz.log")"
}

sound_tests_pass() {
  local failed
  failed=$(failing "$sound" "" "$(for arm in "$@"; do lines test "$arm"; done | sort -u | joined :)" | joined ' ')
  [[ -z $failed ]] || {
    echo "separating arms: these tests do not pass in the sound build either, so they separate nothing: $failed"
    return 1
  }
}

check() {
  local arm=$1 status=0
  judge "$arm" || status=1
  moves_bits "$arm" || status=1
  ! grep -qx "found $arm" "$here/arms.txt" || found_by_fuzzer "$arm" || status=1
  return $status
}

if (($# == 0)); then mapfile -t chosen < <(arms); else chosen=("$@"); fi
status=0
[[ -z $gpu ]] || cmake --build "$sound" --target samebits_emulated_driver >/dev/null
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
    check "$arm" || status=1
  fi
done
((status == 0)) && echo "separating arms: ${#chosen[@]} of ${#chosen[@]} as expected"
exit $status
