"""From computed parts to a verdict: identical, divergent, refused or pending, cell by cell."""

import dataclasses

from samebits import _differences, compare
from samebits.verify import document as documents

STATES = ("identical", "divergent", "refused", "pending")


@dataclasses.dataclass
class Verdict:
    """Of one part of one cell. ``difference``: as ``Comparison.first_difference`` of samebits.compare; A is this run,
    B what it was compared with (``beside``)."""

    estimator: str
    setting: str
    fixture: str
    part: str
    state: str
    reason: str = ""
    difference: dict = None
    beside: str = ""

    @property
    def cell(self):
        return documents.cell_name(self.estimator, self.setting, self.fixture)


@dataclasses.dataclass
class Outcome:
    """All verdicts of a run. ``problems``: what makes the whole run worth nothing, whatever the verdicts say."""

    verdicts: list
    device: dict
    beside: str
    inputs: dict
    problems: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0

    @property
    def counts(self):
        return {state: sum(v.state == state for v in self.verdicts) for state in STATES}

    @property
    def ok(self):
        """Something was compared, all of it is identical, nothing was refused. Pending cells do not count."""
        counts = self.counts
        return counts["identical"] > 0 and not (counts["divergent"] or counts["refused"] or self.problems)

    def as_dict(self):
        """Plain data, for --json."""
        return {
            "format": "samebits-verify-outcome/1",
            "ok": self.ok,
            "counts": self.counts,
            "problems": self.problems,
            "device": self.device,
            "beside": self.beside,
            "seconds": self.seconds,
            "inputs": self.inputs,
            "verdicts": [dataclasses.asdict(verdict) for verdict in self.verdicts],
        }


def judge_part(part, document, entry):
    """(state, reason, difference, beside) of a computed part and the entry of a document, None when it has none."""
    if part.refused is not None:
        return "refused", part.refused, None, ""
    if part.pending is not None:
        return "pending", part.pending, None, ""
    if part.own is not None and compare.stages_digest(part.stages) != compare.stages_digest(part.own.stages):
        arrays = (part.arrays, part.own.arrays)
        difference = compare.compare_stages(part.stages, part.own.stages, arrays) or dict(compare.UNNAMED)
        return (
            "divergent",
            f"the same run parts from itself at {difference['tag']!r}",
            difference,
            "the same run",
        )
    if entry is None:
        return "pending", "the document has no such cell", None, ""
    if "pending" in entry:
        return "pending", f"not recorded: {entry['pending']}", None, ""
    if "refused" in entry:
        return (
            "divergent",
            f"computed here, refused in the document: {entry['refused']}",
            None,
            "the document",
        )
    if compare.stages_digest(part.stages) == entry["sha256"]:
        return "identical", "", None, ""
    stages = documents.short_stages(part), documents.entry_stages(document, entry)
    difference = compare.compare_stages(*stages) or dict(compare.UNNAMED)
    return "divergent", f"parts from the document at stage {difference['tag']!r}", difference, "the document"


def judge_cell(names, parts, document):
    """Verdicts of all parts of a cell; ``names``: (estimator, setting, fixture)."""
    cell = document["cells"].get(documents.cell_name(*names), {})
    for name, part in parts.items():
        yield Verdict(*names, name, *judge_part(part, document, cell.get(name)))


def text(outcome):
    """For people: a line a setting, every verdict that is not identical, and the sum."""
    device = outcome.device
    yield f"on {device['id']} ({device['column']}, {device['code_object']}), beside {outcome.beside}"
    groups = {}
    for verdict in outcome.verdicts:
        groups.setdefault((verdict.estimator, verdict.setting), []).append(verdict)
    for (estimator, setting), group in groups.items():
        counts = {state: sum(v.state == state for v in group) for state in STATES}
        fixtures = len({v.fixture for v in group})
        shown = ", ".join(f"{n} {state}" for state, n in counts.items() if n)
        yield f"  {estimator:28} {setting:20} {fixtures:2} data sets: {shown}"
    yield from _notable(outcome)
    yield from (f"problem: {problem}" for problem in outcome.problems)
    total = ", ".join(f"{n} {state}" for state, n in outcome.counts.items())
    verdict = "same bits" if outcome.ok else "NOT verified"
    yield f"{verdict}: {total} in {outcome.seconds:.1f} s"


_SHOWN = 12


def _notable(outcome):
    bad = [v for v in outcome.verdicts if v.state in ("divergent", "refused")]
    for verdict in bad[:_SHOWN]:
        yield f"{verdict.state}: {verdict.cell} {verdict.part}: {verdict.reason}"
        if verdict.difference:
            yield from difference_lines(verdict.difference)
    if len(bad) > _SHOWN:
        yield f"... and {len(bad) - _SHOWN} more (--json lists all)"
    pending = sorted({f"{v.part}: {v.reason}" for v in outcome.verdicts if v.state == "pending"})
    yield from (f"pending: {reason}" for reason in pending)


def difference_lines(difference):
    """The first stage that differs, what is known about it, indented."""
    yield f"  first difference: stage {difference['index']} {difference['tag']!r} ({difference['what']})"
    if difference.get("element"):
        yield f"  {_differences.difference_text(difference['element'])}"
    elif difference.get("no_element"):
        yield f"  how many ulp: {difference['no_element']}"
    yield f"  last equal stage: {difference['last_equal'] or 'none'}"
