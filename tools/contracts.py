"""Writes docs/contracts/*.md from the comments of src/primitives/contract/*.h.

With --check: fails when a page is stale.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src/primitives/contract"
TARGET = ROOT / "docs/contracts"
NOTE = "<!-- Written by tools/contracts.py from src/primitives/contract/{name}.h; run ./dev docs after a change. -->"
SUPPORT = ("types", "table")


def leading_comment(text):
    match = re.match(r"\s*/\*(.*?)\*/", text, re.DOTALL)
    lines = match.group(1).strip().splitlines() if match else []
    return [line.removeprefix("   ").rstrip() for line in lines]


def declarations(text):
    """Enumerations, structs and inline helpers: what stands between the includes and the closing #endif."""
    body = re.sub(r"^\s*/\*.*?\*/", "", text, count=1, flags=re.DOTALL)
    lines = [
        line for line in body.splitlines() if not re.match(r"#\s*(include|ifndef \w+_H$|define \w+_H$)", line)
    ]
    body = "\n".join(lines).strip()
    return body.removesuffix("#endif").strip()


def page(name, text):
    lines = leading_comment(text)
    if not lines or not re.match(rf"{name}/\d+: ", lines[0]):
        sys.exit(f"{name}.h: the first line of the comment must read '{name}/1: what it computes'")
    identity, _, summary = lines[0].partition(": ")
    clauses = list(lines[1:])
    while clauses and clauses[0]:  # the summary goes on until the first empty line
        summary += " " + clauses.pop(0).strip()
    clauses = "\n".join(clauses).strip("\n")
    parts = [NOTE.format(name=name), f"# {identity}", summary.strip()]
    if clauses:
        parts.append(f"```text\n{clauses}\n```")
    parts += ["## Arguments", f"```c\n{declarations(text)}\n```"]
    return identity, summary.strip(), "\n\n".join(parts) + "\n"


def pages():
    """{file name: text} of everything in docs/contracts."""
    result, rows = {}, []
    for path in sorted(SOURCE.glob("*.h")):
        if path.stem in SUPPORT:
            continue
        identity, summary, text = page(path.stem, path.read_text())
        result[f"{path.stem}.md"] = text
        rows.append(f"| [{identity}]({path.stem}.md) | {summary.replace('|', chr(92) + '|')} |")
    index = [
        "<!-- Written by tools/contracts.py; run ./dev docs. -->",
        "# Contracts of the primitives",
        "A primitive is a written contract, a slow obvious reference, and backends that must return its bytes. "
        "The clauses "
        "C1 to C12 are those of [the numeric contract](../contract.md). Shared types: "
        "[`types.h`](../../src/primitives/contract/types.h); the table every backend fills: "
        "[`table.h`](../../src/primitives/contract/table.h).",
        "| contract | meaning |\n| --- | --- |\n" + "\n".join(rows),
    ]
    result["README.md"] = "\n\n".join(index) + "\n"
    return result


def main():
    wanted = pages()
    present = {path.name: path.read_text() for path in TARGET.glob("*.md")}
    stale = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    if "--check" in sys.argv:
        for name in stale:
            print(f"docs/contracts/{name}: stale, run ./dev docs")
        print(f"contracts: {len(wanted)} pages, {len(stale)} stale")
        sys.exit(1 if stale else 0)
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (TARGET / name).write_text(wanted[name])
        else:
            (TARGET / name).unlink()
    print(f"contracts: {len(wanted)} pages, {len(stale)} written")


if __name__ == "__main__":
    main()
