#!/usr/bin/env bash
# Separating arms: builds the library once per rule with that rule broken, and requires that the tests listed for it in
# expected.txt fail. A test that passes with its rule broken proves nothing.
#   run.sh [BUILD_FOLDER] [SOUND_TESTS]
# BUILD_FOLDER (default build/separating) keeps one build per rule. SOUND_TESTS, the samebits_tests program of an unbroken
# build (default build/dev/tests/cpp/samebits_tests when it is there), must pass the same tests.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
builds=${1:-$root/build/separating}
sound=${2:-$root/build/dev/tests/cpp/samebits_tests}
export SAMEBITS_ALLOW_BROKEN=1

column() { awk -v rule="$1" -v n="$2" '$1 == rule { print $n }' "$here/expected.txt"; }

build() {
  local rule=$1 files
  files=$(column "$rule" 3 | sort -u | paste -sd ';')
  mkdir -p "$builds/$rule"
  {
    cmake -S "$root" -B "$builds/$rule" ${generator[@]+"${generator[@]}"} -DSAMEBITS_BREAK="$rule" -DSAMEBITS_CUDA=OFF \
      -DSAMEBITS_PYTHON=OFF -DSAMEBITS_TESTS=ON -DSAMEBITS_TEST_FILES="$files" &&
      cmake --build "$builds/$rule" --target samebits_tests --parallel "$(nproc)"
  } >"$builds/$rule/build.log" 2>&1 </dev/null
}

# runs PROGRAM TEST: the test ran and passed (0), ran and failed (1), did not run (2).
runs() {
  local output
  output=$("$1" --gtest_filter="$2" 2>&1 </dev/null) || true
  grep -q "^\[  FAILED  \] $2" <<<"$output" && return 1
  grep -q "^\[       OK \] $2" <<<"$output" && return 0
  return 2
}

judge() {
  local rule=$1 test caught=() status
  for test in $(column "$rule" 2); do
    if [[ -x $sound ]]; then
      status=0
      runs "$sound" "$test" || status=$?
      if ((status != 0)); then
        echo "$rule: $test does not pass in the unbroken build either, so it separates nothing"
        return 1
      fi
    fi
    status=0
    runs "$builds/$rule/tests/cpp/samebits_tests" "$test" || status=$?
    if ((status == 2)); then
      echo "$rule: $test did not run to its end"
      return 1
    elif ((status == 0)); then
      echo "$rule: NOT caught by $test"
      return 1
    fi
    caught+=("$test")
  done
  printf '%s: caught by %s\n' "$rule" "$(printf '%s, ' "${caught[@]}" | sed 's/, $//')"
}

generator=()
if command -v ninja >/dev/null 2>&1; then generator=(-G Ninja); fi
failed=0
for rule in contraction fold_order ties float_histogram; do
  if [[ $rule == contraction && $(uname -m) == x86_64 ]] && ! grep -qw fma /proc/cpuinfo; then
    echo "contraction: not run, this processor has no fused multiply-add to contract to"
    continue
  fi
  if ! build "$rule"; then
    tail -n 30 "$builds/$rule/build.log"
    echo "$rule: the build failed (whole output: $builds/$rule/build.log)"
    failed=1
    continue
  fi
  judge "$rule" || failed=1
done
exit $failed
