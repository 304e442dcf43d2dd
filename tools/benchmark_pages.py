"""Writes docs/benchmarks/gradient_boosting.md from the recorded runs in benchmarks/results.

With --check: fails when the page is stale.

A record is what `benchmarks/estimators/gradient_boosting.py --json FILE` wrote, copied to
benchmarks/results/gradient_boosting/NAME.json.
"""

import json
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks/results/gradient_boosting"
PAGE = ROOT / "docs/benchmarks/gradient_boosting.md"

HEAD = """# Gradient boosting: recorded runs

Written by `tools/benchmark_pages.py` from `benchmarks/results/gradient_boosting`; do not edit. Whole fits, binning
included, at equal settings, quality checked before any time is shown; how it is measured stands at the top of
`benchmarks/estimators/gradient_boosting.py`. Ratios are ours divided by the peer's: below 1 is faster, or smaller.
"""


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def command(settings):
    words = ["python benchmarks/estimators/gradient_boosting.py"]
    shape = ("rows", "features", "trees", "leaves", "depth")
    words += [f"--{name} {settings[name]}" for name in shape if settings.get(name)]
    words += [
        f"--grow-policy {settings['grow_policy']} --threads {settings['threads']} --device {settings['device']}"
    ]
    words += [f"--peers {','.join(settings['peers']) or 'none'}"]
    return " ".join(words)


def section(path):
    record = json.loads(path.read_text())
    machine, settings, results = record["machine"], record["settings"], record["results"]
    where = ", ".join(filter(None, [machine["processor"], f"{machine['cores']} cores", *machine["gpus"]]))
    lines = [
        f"## {path.stem}",
        "",
        f"{machine['date']}, commit `{machine['samebits_commit'][:10]}`, {where}.",
        "",
    ]
    lines += [f"    {command(settings)}", ""]
    lines += [
        "| library | version | AUC | log-loss | fit, s (median) | ours / it | peak memory, MiB | ours / it |"
    ]
    lines += ["| --- | --- | --- | --- | --- | --- | --- | --- |"]
    ours = results["samebits"]
    for name, runs in results.items():
        seconds, memory = median(runs, "seconds"), median(runs, "memory_mib")
        ratios = ("", "")
        if name != "samebits":
            ratios = (
                f"{median(ours, 'seconds') / seconds:.2f}",
                f"{median(ours, 'memory_mib') / memory:.2f}",
            )
        version = machine["samebits_version"] if name == "samebits" else record["versions"].get(name)
        lines.append(
            f"| {name} | {version} | {runs[0]['auc']:.5f} | {runs[0]['logloss']:.5f} | {seconds:.2f} | {ratios[0]} "
            f"| {memory:.0f} | {ratios[1]} |"
        )
    return "\n".join(lines) + "\n"


def main():
    records = sorted(RESULTS.glob("*.json"))
    wanted = HEAD + "".join("\n" + section(path) for path in records)
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text() != wanted:
            sys.exit("docs/benchmarks/gradient_boosting.md is stale; run python tools/benchmark_pages.py")
        return
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(wanted)
    print(f"benchmark page: {len(records)} recorded runs")


if __name__ == "__main__":
    main()
