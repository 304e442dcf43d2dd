"""`samebits compare`: two identity cards or two verify documents, stage by stage."""

import dataclasses
import json

_STATUS = {"same": 0, "divergent": 1, "not comparable": 2}


def add_to(verbs):
    parser = verbs.add_parser(
        "compare",
        help="compare two cards or verify documents and name the first stage that differs",
        description="Compares two identity cards (JSON files written by `samebits fit --card`, `samebits demo` or "
        "samebits.trace()), or two verify documents (`samebits verify --out`), stage by stage and names the first "
        "stage whose bytes differ.",
        epilog="exit status: 0 same; 1 divergent; 2 not comparable (other data, parameters, estimator or profile) "
        "or a bad file. Verify documents are the same only when every part that both have is, and none was refused.",
    )
    parser.add_argument("a", metavar="A.json")
    parser.add_argument("b", metavar="B.json")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON instead of text")
    parser.set_defaults(run=run)


def run(arguments):
    from samebits.compare import compare_cards, compare_documents, load_any
    from samebits.exceptions import ModelFormatError

    a, b = load_any(arguments.a), load_any(arguments.b)
    if a["format"] != b["format"]:
        raise ModelFormatError(
            f"[compare] {arguments.a!r} is a {a['format']!r} and {arguments.b!r} a {b['format']!r}; need two of a kind"
        )
    outcome = (compare_documents if "cells" in a else compare_cards)(a, b)
    print(json.dumps(dataclasses.asdict(outcome), indent=2) if arguments.json else outcome.text())
    return _STATUS[outcome.status]
