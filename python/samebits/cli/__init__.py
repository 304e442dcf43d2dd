"""The command `samebits`. One file a verb: `add_to(verbs)` describes it, `run(arguments)` does it."""

import argparse
import os
import sys

__all__ = ["main"]

_EPILOG = """\
exit status: 0 done; 2 an input, a file or a device was refused, the reason is on stderr; 130 interrupted.
`check-fixture`, `compare`, `conformance`, `demo`, `doctor` and `verify` also use 1: cards, cells or bytes diverge, a
column differs, something present cannot be used.
"""


def main(argv=None):
    """Run the command; returns the exit status and, other than for --help and wrong usage, never raises SystemExit."""
    try:
        arguments = _parser().parse_args(argv)
        return _run(arguments)
    except KeyboardInterrupt:
        print("samebits: interrupted; no file was left half-written", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output went away, as in `samebits doctor | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _run(arguments):
    from samebits.exceptions import SamebitsError

    try:
        status = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except SamebitsError as error:
        print(f"samebits: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def _parser():
    import samebits
    from samebits.cli import check_fixture, compare, conformance, demo, doctor, fit, predict, verify

    parser = argparse.ArgumentParser(
        prog="samebits",
        description="Machine learning that returns the same bits on every machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"samebits {samebits.__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in (demo, fit, predict, verify, check_fixture, compare, conformance, doctor):
        verb.add_to(verbs)
    return parser
