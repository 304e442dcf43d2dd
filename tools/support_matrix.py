"""Writes docs/support_matrix.md from conformance/columns. With --check: fails when the page is stale.

A cell says `recorded` only when a record of a run there is in conformance/columns; everything else that
tools/status.json names is `pending`. Nothing is inferred from one column for another.
"""

import json
import sys
from pathlib import Path

import status

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/support_matrix.md"
BACKENDS = ("cpu", "cuda", "opencl", "hip", "metal")
MODES = (
    ("identical", "{}"),
    ("deterministic", "runs the identical kernels: {}"),
    ("fast", "runs the identical kernels: {}"),
)
HEAD = """\
# Support matrix

Written by `tools/support_matrix.py` from `conformance/columns`; `./dev lint` fails when it is stale. A column is one
place where code ran. `recorded` means that a run there is kept with its commit, date, device and driver, and that its
bits are those of the reference; `-qemu` columns ran under emulation. What has not run is `pending`.
"""


def records():
    return {
        path.stem: json.loads(path.read_text())
        for path in sorted((ROOT / "conformance/columns").glob("*.json"))
    }


def fits(record):
    return f"{record['cards']['demo']['stages']} stages equal" if "cards" in record else "-"


def tests(record):
    pinned = json.loads((ROOT / "conformance/vectors/primitives.json").read_text())["tests"]
    ran = record.get("primitives", {}).keys() & pinned.keys()
    return f"{len(ran)} of {len(pinned)} equal" if ran else "-"


def sweep(record):
    hashes = record.get("sweeps", {}).get("f32", {})
    return f"{len(hashes)} functions, all 2^32 inputs" if hashes else "-"


def verified(record):
    return f"{record['verify']['identical']} cells identical" if "verify" in record else "-"


def column_table(found, pending):
    head = (
        "column",
        "state",
        "where and when",
        "demo fit",
        "C++ tests",
        "f32 functions",
        "`samebits verify`",
    )
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for name, record in found.items():
        where = ", ".join(
            (record["device"], record["driver"], record["date"], f"commit `{record['commit'][:10]}`")
        )
        cells = (fits(record), tests(record), sweep(record), verified(record))
        lines.append(f"| `{name}` | recorded | {where} | {' | '.join(cells)} |")
    lines += [
        f"| `{name}` | pending | {what} | - | - | - | - |"
        for name, what in pending.items()
        if name not in found
    ]
    return lines


def backend_cell(backend, found):
    columns = [name for name in found if name.split("-")[0] == backend]
    return f"recorded ({len(columns)})" if columns else "pending"


def estimator_table(estimators, found):
    lines = ["| estimator | mode | " + " | ".join(BACKENDS) + " |", "|" + " --- |" * (2 + len(BACKENDS))]
    for name, _ in estimators:
        for mode, text in MODES:
            cells = " | ".join(text.format(backend_cell(backend, found)) for backend in BACKENDS)
            lines.append(f"| {name} | `{mode}` | {cells} |")
    return lines


def page():
    listed = json.loads((ROOT / "tools/status.json").read_text())
    found = records()
    status.refuse_disagreement(sorted((ROOT / "conformance/columns").glob("*.json")))
    parts = [HEAD, "## Columns", "", *column_table(found, listed["pending_columns"]), ""]
    parts += ["## Estimators", "", "In brackets: the number of recorded columns of the backend.", ""]
    parts += [*estimator_table(listed["estimators"], found), ""]
    return "\n".join(parts)


def main():
    wanted = page()
    if "--check" in sys.argv:
        current = PAGE.is_file() and PAGE.read_text() == wanted
        print(
            "support matrix: " + ("current" if current else "docs/support_matrix.md is stale, run ./dev docs")
        )
        sys.exit(not current)
    PAGE.write_text(wanted)
    print("support matrix: docs/support_matrix.md written")


if __name__ == "__main__":
    main()
