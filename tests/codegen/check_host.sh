#!/usr/bin/env bash
# Reads what the host compilers made of libsamebits, on x86-64 and for the cross targets, and proves on wrong builds that the
# reading notices them.
#   tests/codegen/check_host.sh [BUILD]        default: build/dev, whose finished libraries are read as well
set -euo pipefail
exec python3 "$(dirname "$0")/host/check.py" "$@"
