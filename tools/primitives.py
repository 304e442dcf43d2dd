"""The pinned digests of the conformance program (tests/cpp, samebits_tests), and records of its runs.

    python tools/primitives.py pin build/dev/tests/cpp/samebits_tests [--filter PATTERN] [--replace]
    python tools/primitives.py record RUN.json --out conformance/columns [--column NAME] [--device TEXT] [--driver TEXT]

`pin` runs the program and adds the digest of every new test to conformance/vectors/primitives.json. A digest that is
there already is a promise: another one is refused, unless --replace says that the promise moves (a draft profile may).
`record` turns the file that a run of all tests wrote (SAMEBITS_CONFORMANCE_OUT) into the record of a column, when all
its digests are the pinned ones. tools/record_columns.py --primitives adds the same entry to records with cards.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINNED = ROOT / "conformance/vectors/primitives.json"
FORMAT = "samebits-primitives/1"


def read(path):
    document = json.loads(Path(path).read_text())
    if document.get("format") != FORMAT:
        sys.exit(f"{path}: its format is {document.get('format')!r}, need {FORMAT!r}")
    return document


def differences(tests, pinned):
    """Names whose digests are not the pinned ones, and why."""
    found = [f"{name}: not pinned" for name in tests.keys() - pinned.keys()]
    found += [f"{name}: did not pass or run" for name in pinned.keys() - tests.keys()]
    found += [f"{name}: other bits" for name in tests.keys() & pinned.keys() if tests[name] != pinned[name]]
    return sorted(found)


def summary(document):
    """What a column's record keeps of a run: the digest of every test, 64 bits of it.

    A test that is added later is then missing in the record, which is not the same as one that gave other bits."""
    return {name: entry["sha256"][:16] for name, entry in sorted(document["tests"].items())}


def entry_for(path, column, commit=None):
    """The "primitives" entry of a column, from the file that a run there wrote. Refuses a run that proves less."""
    run = read(path)
    library = run["library"]
    if library["broken_rule"] or library["dirty"]:
        sys.exit(
            f"{path}: the program was built {'with a broken rule' if library['broken_rule'] else 'dirty'}"
        )
    if column not in run["columns"]:
        sys.exit(f"{path}: it ran on {', '.join(run['columns'])}, not on {column}")
    if commit not in (None, library["commit"]):
        sys.exit(f"{path}: the program is of commit {library['commit'][:10]}, the package of {commit[:10]}")
    odd = differences(run["tests"], read(PINNED)["tests"])
    if odd:
        sys.exit(f"{path}: {len(odd)} tests are not as pinned: {'; '.join(odd[:5])}")
    return summary(run)


def write_pinned(tests):
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(tests[name])}" for name in sorted(tests))
    PINNED.write_text(f'{{\n "format": "{FORMAT}",\n "tests": {{\n{rows}\n }}\n}}\n')


def pin(arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.json"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SAMEBITS_")}
        environment["SAMEBITS_CONFORMANCE_OUT"] = str(out)
        command = [arguments.program, "--gtest_brief=1", f"--gtest_filter={arguments.filter}"]
        if subprocess.run(command, env=environment, check=False).returncode:
            sys.exit("primitives: nothing is pinned from a run with failures")
        tests = read(out)["tests"]
    pinned = read(PINNED)["tests"] if PINNED.exists() else {}
    moved = sorted(name for name in tests if name in pinned and tests[name] != pinned[name])
    if moved and not arguments.replace:
        sys.exit(f"primitives: other digests than pinned: {', '.join(moved)} (--replace moves the promise)")
    gone = sorted(pinned.keys() - tests.keys()) if arguments.filter == "*" else []
    if gone and not arguments.replace:
        sys.exit(f"primitives: pinned tests that no longer ran: {', '.join(gone)} (--replace drops them)")
    added = len(tests.keys() - pinned.keys())
    write_pinned({name: entry for name, entry in {**pinned, **tests}.items() if name not in gone})
    print(f"primitives: {added} added, {len(moved)} moved, {len(gone)} dropped; {PINNED.relative_to(ROOT)}")


def record(arguments):
    run = read(arguments.run)
    column = arguments.ran_as or next(iter(run["columns"]))
    entry = entry_for(arguments.run, column)
    place, library = run["columns"][column], run["library"]
    name = arguments.column or column
    document = {
        "format": "samebits-column/1",
        "column": name,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": library["commit"],
        "version": library["version"],
        "profile": library["profile"],
        "toolchain": library["compiler"],
        "device": arguments.device or place["device"],
        "driver": arguments.driver or place["driver"],
        "code_object": place["code_object"],
        "primitives": entry,
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    (arguments.out / f"{name}.json").write_text(text + "\n")
    print(f"{name}: {len(entry)} tests as pinned")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("pin", help="add the digests of new tests to conformance/vectors/primitives.json")
    one.add_argument("program")
    one.add_argument("--filter", default="*", help="only these tests (a GoogleTest filter); default: all")
    one.add_argument("--replace", action="store_true", help="move or drop digests that are pinned already")
    one.set_defaults(run_verb=pin)
    two = verbs.add_parser("record", help="write the record of a column without cards")
    two.add_argument("run", type=Path)
    two.add_argument("--out", type=Path, required=True)
    two.add_argument("--ran-as", help="the column in the run's file; default: its first")
    two.add_argument("--column", help="the record's name; default: the same")
    two.add_argument("--device")
    two.add_argument("--driver")
    two.set_defaults(run_verb=record)
    arguments = parser.parse_args()
    arguments.run_verb(arguments)


if __name__ == "__main__":
    main()
