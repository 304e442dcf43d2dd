"""`samebits check-fixture`: the inputs of `samebits verify`, by hash."""

import json


def add_to(verbs):
    parser = verbs.add_parser(
        "check-fixture",
        help="check that the inputs of `samebits verify` have the recorded bytes here",
        description="Makes the pinned data of `samebits verify` and compares the SHA-256 of every array with the "
        "document that ships with this package. Computes nothing from it.",
        epilog="exit status: 0 all have the recorded bytes; 1 one has not, or is not recorded; 2 an unknown name or a "
        "damaged document.",
    )
    add = parser.add_argument
    add("--name", metavar="NAME", action="append", help="only this fixture; may be repeated (default: all)")
    add("--against", metavar="FILE", help="another verify document than the one that ships with the package")
    add("--json", action="store_true", help="print the outcome as JSON instead of text")
    parser.set_defaults(run=run)


def run(arguments):
    from samebits.verify import check_fixtures
    from samebits.verify import document as documents

    against = documents.load(arguments.against) if arguments.against else None
    records = list(check_fixtures(arguments.name, against))
    if arguments.json:
        print(json.dumps(records, indent=2))
    else:
        for record in records:
            kind = f"{record['dtype']}{record['shape']}"
            print(
                f"{record['state']:12} {record['fixture']:12} {record['name']:12} {kind:24} {record['sha256']}"
            )
    return 0 if all(record["state"] == "identical" for record in records) else 1
