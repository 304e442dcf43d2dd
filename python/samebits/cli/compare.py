"""`samebits compare`: two identity cards, stage by stage."""

import dataclasses
import json

_STATUS = {"same": 0, "divergent": 1, "not comparable": 2}


def add_to(verbs):
    parser = verbs.add_parser(
        "compare",
        help="compare two identity cards and name the first stage that differs",
        description="Compares two identity cards (JSON files written by `samebits fit --card`, `samebits demo` or "
        "samebits.trace()) stage by stage and names the first stage whose bytes differ.",
        epilog="exit status: 0 same; 1 divergent; 2 not comparable (other data, parameters, estimator or profile) "
        "or a bad file.",
    )
    parser.add_argument("a", metavar="A.json")
    parser.add_argument("b", metavar="B.json")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON instead of text")
    parser.set_defaults(run=run)


def run(arguments):
    from samebits.compare import compare_cards, load_card

    outcome = compare_cards(load_card(arguments.a), load_card(arguments.b))
    print(json.dumps(dataclasses.asdict(outcome), indent=2) if arguments.json else outcome.text())
    return _STATUS[outcome.status]
