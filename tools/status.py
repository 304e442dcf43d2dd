"""Writes the status table of README.md. With --check: fails when it is stale.

A column is `recorded` only when conformance/columns holds a record of a run there; everything else of
tools/status.json is `pending`. An estimator is listed only while the tests that it names exist.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- status: written by tools/status.py -->", "<!-- end of status -->"


def first_of(record, *names):
    """The first of these keys that the record, or an object directly inside it, has."""
    for place in (record, *(value for value in record.values() if isinstance(value, dict))):
        for name in names:
            if place.get(name):
                return str(place[name])
    return ""


def record_line(path):
    record = json.loads(path.read_text())
    commit = first_of(record, "commit")[:10]
    device = first_of(record, "device_name", "device", "name", "processor")
    driver = first_of(record, "driver")
    date = first_of(record, "date", "recorded")[:10]
    where = ", ".join(
        part for part in (device, f"driver {driver}" if driver else "", date, f"commit `{commit}`") if part
    )
    return f"| `{path.stem}` | recorded | {where} |"


def refuse_disagreement(paths):
    """The records of a card, and of a C++ test, must hold one and the same hash, else no table is written."""
    seen = {}
    for path in paths:
        record = json.loads(path.read_text())
        hashes = {card: entry["stages_sha256"] for card, entry in record.get("cards", {}).items()}
        hashes.update(record.get("primitives", {}))
        for card, digest in hashes.items():
            seen.setdefault(card, {}).setdefault(digest, []).append(path.stem)
    for card, groups in seen.items():
        if len(groups) > 1:
            sys.exit(f"conformance/columns: the records of {card} differ: {list(groups.values())}")


def table():
    listed = json.loads((ROOT / "tools/status.json").read_text())
    lines = ["| estimator | state | tests |", "| --- | --- | --- |"]
    for name, tests in listed["estimators"]:
        if not any((ROOT / tests).glob("**/*.py")):
            sys.exit(f"tools/status.json: {tests} holds no test, so {name} cannot be called working")
        lines.append(f"| {name} | works | `{tests}` |")
    lines += ["", "| column (where the bits were compared) | state | evidence |", "| --- | --- | --- |"]
    recorded = sorted((ROOT / "conformance/columns").glob("*.json"))
    refuse_disagreement(recorded)
    lines += [record_line(path) for path in recorded]
    for name, what in listed["pending_columns"].items():
        if name not in {path.stem for path in recorded}:
            lines.append(f"| `{name}` | pending | {what} |")
    lines += ["", "Not there yet:", "", *(f"- {item}" for item in listed["pending"])]
    return "\n".join(lines)


def main():
    path = ROOT / "README.md"
    text = path.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"README.md: the markers '{BEGIN}' and '{END}' are missing")
    head, rest = text.split(BEGIN)
    wanted = f"{head}{BEGIN}\n\n{table()}\n\n{END}{rest.split(END)[1]}"
    if "--check" in sys.argv:
        print("status: " + ("current" if wanted == text else "README.md is stale, run ./dev docs"))
        sys.exit(wanted != text)
    path.write_text(wanted)
    print("status: README.md written")


if __name__ == "__main__":
    main()
