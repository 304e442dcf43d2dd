"""Documents hold hashes only. Where a run parts from one, the cell is computed again, on the same device and on the
reference device of this machine, with all values kept, so that the first element that differs is named with its bits.
"""

from samebits import compare
from samebits.exceptions import SamebitsError
from samebits.verify.fixtures import FIXTURES, LARGE
from samebits.verify.parts import Place, run_parts
from samebits.verify.settings import SETTINGS

_CELLS = 4  # that are computed again; the first divergent ones
REFERENCE = Place("reference")


def add(outcome, against, place):
    """Name the element in the first divergent part of the first divergent cells."""
    first = {}
    for verdict in outcome.verdicts:
        if verdict.state == "divergent" and verdict.difference is not None:
            first.setdefault(verdict.cell, verdict)
    for number, verdict in enumerate(first.values()):
        why_not = _why_not(number, verdict)
        if why_not is None:
            why_not = _explain(verdict, against, place)
        if why_not is not None:
            verdict.difference["no_element"] = why_not


def _why_not(number, verdict):
    if number >= _CELLS:
        return f"not looked at, only the first {_CELLS} divergent cells are computed again"
    if verdict.fixture in LARGE:
        return "not looked at, the fixture is too large for the slow reference device"
    return None


def _explain(verdict, against, place):
    """Fills in the verdict's element, or returns why it cannot."""
    ours = compute(verdict, place)
    if verdict.beside == "the same run":
        theirs = ours.own
    else:
        try:
            theirs = compute(verdict, REFERENCE)
        except SamebitsError as error:
            return f"not known, the reference device refused: {error}"
        entry = against["cells"][verdict.cell][verdict.part]
        if theirs.stages is None or compare.stages_digest(theirs.stages) != entry["sha256"]:
            return "not known, the reference device of this machine parts from the document as well"
    return fill(verdict, ours, theirs)


def compute(verdict, place):
    fixture = FIXTURES[verdict.fixture]
    parts = run_parts(
        verdict.estimator,
        SETTINGS[verdict.setting],
        fixture.data(),
        place,
        weighted=fixture.weighted,
        keep=True,
    )
    return parts[verdict.part]


def fill(verdict, ours, theirs):
    """Replaces the difference of hashes by one with values; returns why that is impossible, or None."""
    if ours.stages is None or theirs.stages is None:
        return "not known, a second run was refused"
    difference = compare.compare_stages(ours.stages, theirs.stages, (ours.arrays, theirs.arrays))
    if difference is None:
        return "not known, a second run did not repeat the difference; this device is not deterministic"
    verdict.difference = difference
    return None
