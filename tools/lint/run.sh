#!/usr/bin/env bash
# All lints. Called by ./dev lint, which puts the pinned tools of .venv first in PATH. --fix formats instead of complaining.
set -uo pipefail
cd "$(dirname "$0")/../.."
fix=
[[ ${1:-} != --fix ]] || fix=1
status=0
check() { "$@" || status=1; }

listed() { git ls-files -co --exclude-standard -- "$@" | while read -r f; do [[ ! -f $f ]] || printf '%s\n' "$f"; done; }

for lint in layers forbidden_tokens style links; do
  check python "tools/lint/$lint.py"
done
if [[ $fix ]]; then
  check python tools/contracts.py
  check python tools/separating_arms.py
  check python tools/conformance_page.py
  check python tools/status.py
  check python tools/support_matrix.py
  check python tools/benchmark_pages.py
else
  check python tools/contracts.py --check
  check python tools/separating_arms.py --check
  check python tools/conformance_page.py --check
  check python tools/status.py --check
  check python tools/support_matrix.py --check
  check python tools/benchmark_pages.py --check
fi

mapfile -t sources < <(listed '*.h' '*.hpp' '*.cpp' '*.cu' '*.cuh' '*.hip' '*.c')
if ! command -v clang-format >/dev/null; then
  echo "clang-format: skipped, not installed (./dev lint uses the one of .venv)"
elif [[ $fix ]]; then
  clang-format -i "${sources[@]}"
else
  odd=$(clang-format --dry-run "${sources[@]}" 2>&1 | sed -n 's/^\([^:]*\):[0-9:]* warning: .*/\1/p' | sort | uniq -c)
  [[ -z $odd ]] || { printf '%s\n' "$odd" | sed 's/^ *\([0-9]*\) \(.*\)/\2: \1 places differ from clang-format/' && status=1; }
  echo "clang-format: ${#sources[@]} files"
fi

if [[ $fix ]]; then
  check ruff check --quiet --fix .
  check ruff format --quiet .
else
  check ruff check .
  check ruff format --check .
fi
((status == 0)) && echo "lint: clean" || echo "lint: FAILED (./dev lint --fix formats and writes generated pages anew)"
exit $status
