"""`samebits conformance`: bundles of inputs and expected bytes, for this library and for any other implementation."""

import argparse
import json

_DESCRIPTION = """\
A bundle holds inputs, the bytes that the numeric contract expects, the algorithms in words, and a manifest of hashes;
its FORMAT.md describes it. It is a folder, or the same files in a .zip or .tar.

  samebits conformance export BUNDLE              write one; the bytes are the same on every machine
  samebits conformance validate BUNDLE            check its hashes and recompute it on a device of this machine
  samebits conformance validate BUNDLE --results DIR
                                                  grade what another implementation wrote as DIR/ITEM/OUTPUT.bin
  samebits conformance self-test                  prove that validate notices changes
"""
_EPILOG = """\
exit status: 0 everything identical; 1 an item is divergent, missing or refused, or the self-test failed; 2 a bundle
that is incomplete, changed or of another format, or another refusal: the reason is on stderr.
"""


def add_to(verbs):
    raw = argparse.RawDescriptionHelpFormatter
    parser = verbs.add_parser(
        "conformance",
        help="bundles of expected bytes: export, validate, grade another implementation",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=raw,
    )
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)

    export = parts.add_parser("export", help="write a bundle", epilog=_EPILOG, formatter_class=raw)
    export.add_argument("bundle", metavar="BUNDLE", help="a new folder, or a name that ends in .zip or .tar")
    export.add_argument(
        "--device", default="reference", help="where the bytes are computed (default: reference)"
    )
    export.set_defaults(run=run_export)

    validate = parts.add_parser("validate", help="check a bundle", epilog=_EPILOG, formatter_class=raw)
    validate.add_argument("bundle", metavar="BUNDLE")
    validate.add_argument("--results", metavar="DIR", help="grade these files instead of recomputing")
    validate.add_argument(
        "--item", metavar="NAME", action="append", help="only this item; may be repeated (default: all)"
    )
    _add_place(validate)
    validate.set_defaults(run=run_validate)

    test = parts.add_parser("self-test", help="prove the validator", epilog=_EPILOG, formatter_class=raw)
    _add_place(test)
    test.set_defaults(run=run_self_test)


def _add_place(parser):
    parser.add_argument(
        "--device", metavar="NAME", help="auto, cpu, cuda, cuda:1, ...: used or refused (default: auto)"
    )
    parser.add_argument("--threads", metavar="N", type=int, help="threads of the cpu device (default: all)")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON instead of text")


def run_export(arguments):
    from samebits.conformance import export_bundle

    digest = export_bundle(arguments.bundle, device=arguments.device)
    print(f"bundle {arguments.bundle}: sha256 {digest} of manifest.json")
    return 0


def run_validate(arguments):
    from samebits.conformance import grade_results, validate_bundle
    from samebits.exceptions import InvalidInputError

    if arguments.results is not None:
        if arguments.device is not None or arguments.threads is not None:
            raise InvalidInputError(
                "[conformance] --results compares files and computes nothing; leave out --device and --threads"
            )
        report = grade_results(arguments.bundle, arguments.results, items=arguments.item)
    else:
        report = validate_bundle(
            arguments.bundle, device=arguments.device, n_threads=arguments.threads, items=arguments.item
        )
    return _print(report, arguments)


def run_self_test(arguments):
    from samebits.conformance import self_test

    return _print(self_test(device=arguments.device, n_threads=arguments.threads), arguments)


def _print(outcome, arguments):
    print(json.dumps(outcome.as_dict(), indent=2) if arguments.json else outcome.text())
    return 0 if outcome.ok else 1
