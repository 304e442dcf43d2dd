"""Runs the demo's fit on every column of this machine and records each as conformance/columns/<column>.json.

    python tools/record_columns.py --out conformance/columns [--device cuda:0] [--card conformance/cards/demo.json]
        [--primitives RUN.json] [--sweeps SWEEP.json] [--verify OUTCOME.json]

A record holds what ran and where, and the SHA-256 of the stages; tests/python/test_recorded_columns.py compares
a fresh run with all of them. RUN.json is what samebits_tests wrote of a run of all tests on the same places
(SAMEBITS_CONFORMANCE_OUT); its summary goes into the records. SWEEP.json is what sweep_device wrote of that
column, OUTCOME.json what `samebits verify --json` printed there. With --card the card of the first run is
written too (the reference card: record it once per profile). Nothing is recorded from a separating build or a
dirty tree.
"""

import argparse
import datetime
import json
import os
import sys
from pathlib import Path

import primitives

import samebits
from samebits._io import canonical_json, write_atomic
from samebits.compare import stages_digest
from samebits.demo import fits, flights
from samebits.demo.columns import Place, traced_run

FORMAT = "samebits-column/1"


def sweep_for(path, column):
    """The hashes of a run of sweep_device there, which found no difference."""
    swept = json.loads(path.read_text())
    if swept["column"] != column or swept["differences"]:
        sys.exit(f"record_columns: {path} is of column {swept['column']}, {swept['differences']} differences")
    return {kind: swept[kind] for kind in ("f32", "f64")}


def verified(path, column):
    """The counts of a run of `samebits verify --json` there, in which nothing was divergent or refused."""
    outcome = json.loads(path.read_text())
    if outcome["device"]["column"] != column or not outcome["ok"]:
        sys.exit(f"record_columns: {path} is of column {outcome['device']['column']}, ok: {outcome['ok']}")
    return outcome["counts"]


def record_of(card, run, sweep, outcome):
    build, info = samebits.build_info(), next(d for d in samebits.devices() if d["column"] == card["column"])
    record = {
        "format": FORMAT,
        "column": card["column"],
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": build["commit"],
        "version": build["version"],
        "profile": build["profile"],
        "toolchain": build["compiler"],
        "device": info["name"],
        "driver": info["driver"],
        "code_object": info["code_object"],
        "cards": {"demo": {"stages": len(card["stages"]), "stages_sha256": stages_digest(card["stages"])}},
    }
    if run:
        record["primitives"] = primitives.entry_for(run, card["column"], build["commit"])
    if outcome:
        record["verify"] = verified(outcome, card["column"])
    if sweep:
        record["sweeps"] = sweep_for(sweep, card["column"])
    return record


def places(device):
    """The CPU once per instruction set, and the GPUs; or one device."""
    if device:
        return [Place(device, device=device)]
    gpus = [d["id"] for d in samebits.devices() if d["id"] not in ("cpu", "reference")]
    return [Place(isa, isa=isa) for isa in samebits.build_info()["cpu_isas"]] + [
        Place(g, device=g) for g in gpus
    ]


def refuse_unfit_build():
    build = samebits.build_info()
    if build["broken_rule"] or build["dirty"]:
        state = "broken on purpose" if build["broken_rule"] else "dirty"
        sys.exit(f"record_columns: the build is {state}; build a clean commit")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device")
    parser.add_argument("--card", type=Path)
    parser.add_argument("--primitives", type=Path)
    parser.add_argument("--sweeps", type=Path)
    parser.add_argument("--verify", type=Path)
    arguments = parser.parse_args()
    refuse_unfit_build()
    task = flights.prepare(flights.read_table(flights.find_table()))
    arguments.out.mkdir(parents=True, exist_ok=True)
    for place in places(arguments.device):
        if place.isa:
            os.environ["SAMEBITS_CPU_ISA"] = place.isa  # describe the device as it ran
        run = traced_run(task, dict(fits.SETTINGS), place)
        record = record_of(run.card, arguments.primitives, arguments.sweeps, arguments.verify)
        write_atomic(arguments.out / f"{record['column']}.json", (canonical_json(record) + "\n").encode())
        print(f"{record['column']}: {record['cards']['demo']['stages_sha256']} in {run.seconds:.1f} s")
        if arguments.card:
            arguments.card.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(arguments.card, (canonical_json(run.card) + "\n").encode())
            arguments.card = None


if __name__ == "__main__":
    main()
