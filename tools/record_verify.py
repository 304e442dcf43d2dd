"""Records conformance/cards/verify.json, what `samebits verify` compares every machine with.

    python tools/record_verify.py [--out conformance/cards/verify.json] [--trial [--quick]]

All cells are computed on the reference device, the slow serial oracle. Before anything is written, the cpu device has
to give the same document with every instruction set and with 1, 2 and 7 threads. A dirty or separating build is
refused; --trial allows it, for local use.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import samebits
from samebits._devices import open_device
from samebits._io import write_atomic
from samebits.verify import document as documents
from samebits.verify.fixtures import FIXTURES
from samebits.verify.parts import Place, run_parts
from samebits.verify.run import plan_of

ROOT = Path(__file__).resolve().parents[1]


def compute(place, quick=False):
    """The document of one place; refuses refusals."""
    writer = documents.Writer(open_device(place.device, place.n_threads).info())
    data, current = None, None
    for names, setting, weighted in plan_of(quick=quick):
        estimator, _, fixture = names
        if fixture != current:
            current, data = fixture, FIXTURES[fixture].data()
            writer.add_fixture(fixture, data.inputs())
        parts = run_parts(estimator, setting, data, place, weighted=weighted)
        for name, part in parts.items():
            if part.refused is not None:
                sys.exit(f"record_verify: {'/'.join(names)} {name} was refused: {part.refused}")
            if part.own is not None and part.own.stages != part.stages:
                sys.exit(f"record_verify: {'/'.join(names)} {name} parts from its own run on {place}")
        writer.add_cell(*names, parts)
    return writer.document()


def check_on_cpu(document, quick):
    """Every instruction set and thread count of the cpu device gives the same cells."""
    for isa in samebits.build_info()["cpu_isas"]:
        os.environ["SAMEBITS_CPU_ISA"] = isa
        for threads in (1, 2, 7):
            start = time.perf_counter()
            found = compute(Place("cpu", threads), quick=quick)
            for cell, parts in found["cells"].items():
                for part, entry in parts.items():
                    if entry.get("sha256") != document["cells"][cell][part].get("sha256"):
                        sys.exit(f"record_verify: {cell} {part} differs on cpu {isa} with {threads} threads")
            print(f"cpu {isa} {threads} threads: same, {time.perf_counter() - start:.1f} s", flush=True)
    del os.environ["SAMEBITS_CPU_ISA"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "conformance/cards/verify.json")
    parser.add_argument("--trial", action="store_true", help="allow a dirty or separating build")
    parser.add_argument("--quick", action="store_true", help="with --trial: without the large fixture")
    arguments = parser.parse_args()
    build = samebits.build_info()
    if (build["broken_rule"] or build["dirty"]) and not arguments.trial:
        state = "broken on purpose" if build["broken_rule"] else "dirty"
        sys.exit(f"record_verify: the build is {state}; build a clean commit, or try locally with --trial")
    if arguments.quick and not arguments.trial:
        sys.exit("record_verify: --quick is for --trial only")
    start = time.perf_counter()
    document = compute(Place("reference"), arguments.quick)
    print(f"reference: {len(document['cells'])} cells, {time.perf_counter() - start:.1f} s", flush=True)
    check_on_cpu(document, arguments.quick)
    data = documents.to_bytes(document)
    write_atomic(arguments.out, data)
    print(f"{arguments.out}: {len(data):,} bytes, sha256 {document['sha256']}")


if __name__ == "__main__":
    main()
