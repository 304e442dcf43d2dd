"""Writes docs/develop/conformance.md from tests/cpp/primitives/audit.txt.

Refuses an audit that leaves out a primitive or a check, or names a test that does not exist. With --check: fails when
the page is stale.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AUDIT = ROOT / "tests/cpp/primitives/audit.txt"
TESTS = ROOT / "tests/cpp/primitives"
CONTRACT = ROOT / "src/primitives/contract"
PAGE = ROOT / "docs/develop/conformance.md"
CHECKS = {
    "tails": "shapes with tails, and nothing",
    "ties": "ties",
    "subnormal": "subnormal",
    "nan": "NaN",
    "infinity": "infinity",
    "range": "huge range",
    "zeros": "signed zero",
    "unaligned": "unaligned views",
    "alone": "a row alone and in a batch",
}
HEAD = """\
<!-- Written by tools/conformance_page.py from tests/cpp/primitives/audit.txt; run ./dev docs after a change. -->

# What the conformance suite meets

One body a primitive in `tests/cpp/primitives` runs on the reference and on every place of the machine, and no byte may
differ. The places are the cpu once per instruction set with 1, 2 and 7 threads, and every device of every plugin.
Thread counts are tilings too: work is cut into as many parts. GPU plugins cut histograms and binning by lanes of
their own (CUDA 32, HIP and OpenCL 8 and 16), grids follow the number of multiprocessors, and `./dev test` emulates
two GPUs with different numbers of them, one with the threads of a block in reverse order.
Arrays have guards on both sides and are poisoned first; `Unaligned` (`tests/cpp/support/device_array.hpp`) moves them
off their 16-byte boundary. Digests of what every test produces are pinned in `conformance/vectors/primitives.json`,
so that columns recorded elsewhere are held to the same bits. What no fixed test meets is left to `./dev fuzz`
(`tests/fuzz`), which draws shapes, values, views, alignment and floating-point environments for every primitive and
for whole fits.

A dash means that there is nothing to meet; the reason stands below the table.

"""
FUNCTIONS = """
## Elementary functions

{names}, each in f32 and f64: `ElementaryMap` runs every function on every place over random bit patterns, the value
kinds above, short arrays and unaligned views, and compares with pinned hashes.
`tests/cpp/numerics/elementary_test.cpp` compares the dialect's text with MPFR on 2^24 f32 and 10^6 f64 inputs; the
sweeps of all 2^32 inputs are `./dev test --exhaustive`.
"""


def read_audit(text):
    """{primitive: (suite, {check: [tests] or reason})} and what is wrong."""
    audit, wrong, now = {}, [], None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "primitive" and len(words) == 3 and words[1] not in audit:
            now = audit.setdefault(words[1], (words[2], {}))[1]
        elif now is not None and words[0] in CHECKS and words[0] not in now and len(words) > 1:
            now[words[0]] = " ".join(words[2:]) if words[1] == "-" else words[1:]
        else:
            wrong.append(f"line {number}: '{line}' is no line that the head of the file lists")
    return audit, wrong


def existing_tests():
    names = set()
    for path in TESTS.glob("*_test.cpp"):
        names |= set(re.findall(r"^TEST\((\w+), (\w+)\)", path.read_text(), re.MULTILINE))
    return names


def findings(audit):
    primitives = re.findall(r"^  X\((\w+)\)", (CONTRACT / "table.h").read_text(), re.MULTILINE)
    tests = existing_tests()
    found = [f"{name}: not audited" for name in primitives if name not in audit]
    for name, (suite, checks) in audit.items():
        if name not in primitives:
            found.append(f"{name}: no such primitive")
        found += [f"{name}: says nothing about {check}" for check in CHECKS if check not in checks]
        for check, met in checks.items():
            if isinstance(met, str) and not met:
                found.append(f"{name}: {check} has no reason")
            if not isinstance(met, str):
                found += [f"{name}: no TEST({suite}, {test})" for test in met if (suite, test) not in tests]
    return found


def page(audit):
    lines = [f"| primitive (suite) | {' | '.join(CHECKS.values())} |", "| --- " * (len(CHECKS) + 1) + "|"]
    reasons = []
    for name, (suite, checks) in audit.items():
        cells = []
        for check, title in CHECKS.items():
            met = checks[check]
            cells.append("-" if isinstance(met, str) else " ".join(f"`{test}`" for test in met))
            if isinstance(met, str):
                reasons.append((met, name, title))
        lines.append(f"| `{name}` (`{suite}`) | {' | '.join(cells)} |")
    lines.append("")
    for reason in dict.fromkeys(reason for reason, _, _ in reasons):
        where = {}
        for _, name, title in (entry for entry in reasons if entry[0] == reason):
            where.setdefault(name, []).append(title)
        places = "; ".join(f"`{name}`: {', '.join(titles)}" for name, titles in where.items())
        lines.append(f"- {places}: {reason}")
    enum = re.findall(r"SB_ELEMENTARY_(\w+)", (CONTRACT / "elementary_map.h").read_text())
    names = [f"`{name.lower()}`" for name in dict.fromkeys(enum) if name != "COUNT"]
    return HEAD + "\n".join(lines) + "\n" + FUNCTIONS.format(names=", ".join(names))


def main():
    audit, wrong = read_audit(AUDIT.read_text())
    wrong += findings(audit)
    for line in wrong:
        print(f"tests/cpp/primitives/audit.txt: {line}")
    if not wrong:
        text = page(audit)
        if "--check" not in sys.argv:
            PAGE.write_text(text)
        elif not PAGE.exists() or PAGE.read_text() != text:
            wrong.append("stale")
            print(f"{PAGE.relative_to(ROOT)}: stale, run ./dev docs")
    print(f"conformance page: {len(audit)} primitives, {len(wrong)} findings")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
