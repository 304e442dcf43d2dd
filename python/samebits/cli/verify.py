"""`samebits verify`: the promise checked on this machine."""

import argparse
import json
import sys

from samebits.cli import tables

_DESCRIPTION = """\
Computes pinned estimators and settings on pinned data and compares every training stage, the model file, every
prediction, predictions in other batches, a saved and loaded model, and a continued fit with the hashes that ship with
this package, which the slow reference device made. Needs no source tree and no network.
"""
_EPILOG = """\
states: identical; divergent (first stage and element are named); refused (the device cannot, the reason is given);
pending (not recorded, or not there yet).
exit status: 0 nothing divergent or refused; 1 something is, or the self-test failed; 2 the run itself was refused: a
device that cannot be had, a damaged document, inputs with other bytes.
"""


def add_to(verbs):
    parser = verbs.add_parser(
        "verify",
        help="check on this machine that results have the recorded bits",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="without the large fixture; under half a minute on two cores")
    add("--device", metavar="NAME", help="auto, cpu, cuda, cuda:1, ...: used or refused (default: auto)")
    add("--threads", metavar="N", type=int, help="threads of the cpu device (default: all)")
    add("--estimator", metavar="NAME", action="append", help="only this estimator; may be repeated")
    add("--fixture", metavar="NAME", action="append", help="only this fixture; may be repeated")
    add("--against", metavar="FILE", help="another verify document than the one that ships with the package")
    add(
        "--self-test",
        action="store_true",
        help="move one value by one ulp in every place and require that it is seen",
    )
    add("--json", action="store_true", help="print the outcome as JSON instead of text")
    add("--report", metavar="FILE", help="write a page (HTML) with the matrix of cells and every difference")
    add("--out", metavar="FILE", help="write the verify document of this machine, for `samebits compare`")
    parser.set_defaults(run=run)

    own = parser.add_argument_group("two devices on your own data")
    own.add_argument("--cross-check", metavar=("A", "B"), nargs=2, help="compare two devices of this machine")
    own.add_argument("--data", metavar="FILE", help=f"{tables.KINDS}; every other column is a feature")
    own.add_argument("--target", metavar="COLUMN", help="the column to predict")
    own.add_argument("--weight", metavar="COLUMN", help="the column with the rows' weights")
    own.add_argument(
        "--task", choices=["classification", "regression"], help="default: by the target's values"
    )
    own.add_argument("--encode", choices=["ordinal"], help="number the texts of a column in sorted order")


def run(arguments):
    _check_options(arguments)
    if arguments.self_test:
        return _self_test(arguments)
    if arguments.cross_check:
        return _cross_check(arguments)
    from samebits.verify import document as documents
    from samebits.verify import verify

    against = documents.load(arguments.against) if arguments.against else None
    outcome, document = verify(
        arguments.device,
        arguments.threads,
        estimators=arguments.estimator,
        fixtures=arguments.fixture,
        quick=arguments.quick,
        against=against,
        progress=None if arguments.json else _progress(),
    )
    return finish(arguments, outcome, document)


def _check_options(arguments):
    """An option that would be ignored is refused."""
    from samebits.exceptions import InvalidInputError

    own = ("data", "target", "weight", "task", "encode")
    recorded = ("estimator", "fixture", "against")
    files = ("report", "out")
    mode, useless = "without --cross-check", own
    if arguments.self_test:
        mode, useless = "with --self-test", (*own, *recorded, *files, "quick", "cross_check")
    elif arguments.cross_check:
        mode, useless = "with --cross-check", (*recorded, "device")
        if not arguments.data or not arguments.target:
            raise InvalidInputError("[verify] --cross-check needs --data FILE and --target COLUMN")
    given = [name for name in useless if getattr(arguments, name)]
    if given:
        raise InvalidInputError(f"[verify] --{given[0].replace('_', '-')} has no meaning {mode}")
    outputs = [path for path in (arguments.report, arguments.out) if path]
    tables.check_distinct("verify", [arguments.data, arguments.against], outputs)


def _cross_check(arguments):
    from samebits.verify import cross_check
    from samebits.verify.two_devices import data_of_table

    a, b = arguments.cross_check
    table = tables.read(arguments.data)
    data, task = data_of_table(table, arguments.target, arguments.task, arguments.weight, arguments.encode)
    if not arguments.json:
        print(f"{arguments.data}: {len(table):,} rows, {data.X.shape[1]} features, {task}")
    weighted = arguments.weight is not None
    outcome, document = cross_check(
        a, b, data, task, weighted=weighted, quick=arguments.quick, n_threads=arguments.threads
    )
    return finish(arguments, outcome, document)


def _self_test(arguments):
    from samebits.verify import self_test
    from samebits.verify.parts import Place

    test = self_test(Place(arguments.device, arguments.threads))
    print(json.dumps(test.as_dict(), indent=2) if arguments.json else "\n".join(test.text()))
    return 0 if test.ok else 1


def finish(arguments, outcome, document):
    """Files, then the text or JSON; the exit status."""
    import samebits
    from samebits._io import write_atomic
    from samebits.verify import document as documents
    from samebits.verify.outcome import text
    from samebits.verify.page import page

    if arguments.report:
        write_atomic(arguments.report, page(outcome, samebits.build_info()).encode())
    if arguments.out:
        write_atomic(arguments.out, documents.to_bytes(document))
    print(json.dumps(outcome.as_dict(), indent=2) if arguments.json else "\n".join(text(outcome)))
    return 0 if outcome.ok else 1


def _progress():
    if not sys.stderr.isatty():
        return None
    return lambda done, names: print(f"\r\x1b[K{done} {'/'.join(names)}", end="", file=sys.stderr)
