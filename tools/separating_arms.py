"""Writes docs/separating_arms.md from tests/separating/arms.txt.

Refuses a list that does not fit the tree: an arm that numerics/dialect/break.h does not know or whose broken text is
nowhere, a test that does not exist, a clause without an arm. With --check: fails when the page is stale.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests/separating/arms.txt"
NAMES = ROOT / "src/numerics/dialect/break.h"
PAGE = ROOT / "docs/separating_arms.md"
CLAUSES = [f"C{number}" for number in range(1, 11)]


def read_arms(text):
    """{name: {"clause", "sentence", "tests"}} and what is wrong with the lines."""
    arms, wrong = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        kind, *rest = line.split(maxsplit=3) or ["#"]
        if kind.startswith("#"):
            continue
        if kind == "arm" and len(rest) == 3 and rest[0] not in arms:
            arms[rest[0]] = {"clause": rest[1], "sentence": rest[2], "tests": [], "moves": [], "still": []}
        elif kind in ("test", "moves") and len(rest) == 2 and rest[0] in arms:
            arms[rest[0]]["tests" if kind == "test" else kind].append(rest[1])
        elif kind == "still" and len(rest) == 3 and rest[0] in arms:
            arms[rest[0]]["still"].append((rest[1], rest[2]))
        elif kind == "found" and len(rest) == 1 and rest[0] in arms:
            continue
        else:
            wrong.append(f"line {number}: '{line}' is none of the lines that the head of the file lists")
    return arms, wrong


def existing_tests():
    names = set()
    for path in (ROOT / "tests/cpp").rglob("*_test.cpp"):
        names |= {
            ".".join(pair) for pair in re.findall(r"^TEST\((\w+), (\w+)\)", path.read_text(), re.MULTILINE)
        }
    return names


def places_of(arm):
    """Files that hold the broken text."""
    flag = f"SAMEBITS_BREAK_{arm.upper()}"
    listing = subprocess.run(
        ["grep", "-rlE", rf'\b{flag}\b|SAMEBITS_BREAK STREQUAL "{arm}"', "src", "cmake"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return sorted(set(listing.stdout.split()) - {NAMES.relative_to(ROOT).as_posix()})


def findings(arms, names, tests):
    found = [f"{arm}: in arms.txt, but break.h does not name it" for arm in arms.keys() - names]
    found += [f"{name}: in break.h, but arms.txt has no such arm" for name in names - arms.keys()]
    for name, arm in arms.items():
        if not places_of(name):
            found.append(f"{name}: no text below src or cmake asks for SAMEBITS_BREAK_{name.upper()}")
        if not arm["tests"]:
            found.append(f"{name}: no test must fail")
        if len(arm["moves"]) != 1:
            found.append(f"{name}: {len(arm['moves'])} lines 'moves', need one")
        found += [
            f"{name}: there is no TEST({test.replace('.', ', ')})"
            for test in arm["tests"]
            if test not in tests
        ]
    covered = {arm["clause"] for arm in arms.values()}
    found += [f"{clause}: has no arm" for clause in CLAUSES if clause not in covered]
    found += [f"{clause}: is no clause that an arm can break" for clause in covered - set(CLAUSES)]
    return sorted(found)


HEAD = """\
<!-- Written by tools/separating_arms.py from tests/separating/arms.txt; run ./dev docs. -->

# Separating arms

Every clause of [the numeric contract](contract.md) has tests, and for every test that is to prove a clause there is a
build in which the clause is broken: `-DSAMEBITS_BREAK=NAME`. `tests/separating/run.sh` (part of `./dev test`) makes it
and requires that the tests below fail there and pass in the sound build. It also requires that the arm moves bits of a
target of the fuzzer (`tests/fuzz`) on every backend: each instruction set of the cpu, and with `./dev test --full` the
kernels' text on the emulated GPU. Such a build says what it is, and is refused at run time unless
`SAMEBITS_ALLOW_BROKEN=1` is set. C11 follows from C1 to C10; C12 is tested on the bytes of model files
(`tests/python/test_model_file.py`).

| clause | arm | what is broken | broken text in | tests that must fail | moves the bits of |
| --- | --- | --- | --- | --- | --- |
"""


def code(words):
    return " ".join(f"`{word}`" for word in words)


def moved(arm):
    but = "; ".join(f"not on `{backend}`: {why}" for backend, why in arm["still"])
    return f"`{arm['moves'][0]}`" + (f" ({but})" if but else "")


def page(arms):
    rows = [
        f"| {arm['clause']} | `{name}` | {arm['sentence']} | {code(places_of(name))} | {code(arm['tests'])} | "
        f"{moved(arm)} |\n"
        for name, arm in sorted(arms.items(), key=lambda item: int(item[1]["clause"][1:]))
    ]
    return HEAD + "".join(rows)


def main():
    arms, wrong = read_arms(LIST.read_text())
    names = set(re.findall(r'#define SB_BROKEN_RULE "(\w+)"', NAMES.read_text()))
    wrong += findings(arms, names, existing_tests())
    for line in wrong:
        print(f"tests/separating/arms.txt: {line}")
    text = page(arms)
    stale = not PAGE.exists() or PAGE.read_text() != text
    if "--check" in sys.argv:
        if stale:
            print(f"{PAGE.relative_to(ROOT)}: stale, run ./dev docs")
        wrong += ["stale"] * stale
    elif stale:
        PAGE.write_text(text)
    print(f"separating arms: {len(arms)} arms, {len(wrong)} findings")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
