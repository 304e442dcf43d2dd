"""The verifier verified: one value is moved by one ulp, in every place where it looks, and must be reported there.

What was moved is known beforehand, so that a verifier that says "identical" (or "divergent") whatever it sees fails.
"""

import copy
import dataclasses

import numpy as np

from samebits import compare
from samebits._devices import open_device
from samebits._trace import stage_record
from samebits.exceptions import InvalidInputError, ModelFormatError
from samebits.verify import document as documents
from samebits.verify import evidence, outcome, run
from samebits.verify.fixtures import FIXTURES
from samebits.verify.parts import Part, run_parts
from samebits.verify.settings import SETTINGS

_CELLS = (
    ("GradientBoostingRegressor", "weighted", "rows_65"),
    ("GradientBoostingClassifier", "symmetric", "missing"),
)


@dataclasses.dataclass
class SelfTest:
    """``failures``: what was moved and not reported, or reported elsewhere. ``done``: {check: number of moves}."""

    done: dict = dataclasses.field(default_factory=dict)
    failures: list = dataclasses.field(default_factory=list)

    def expect(self, check, true, text):
        self.done[check] = self.done.get(check, 0) + 1
        if not true:
            self.failures.append(f"{check}: {text}")

    @property
    def ok(self):
        return not self.failures and all(self.done.get(check) for check in _CHECKS)

    def as_dict(self):
        return {
            "format": "samebits-verify-self-test/1",
            "ok": self.ok,
            "done": self.done,
            "failures": self.failures,
        }

    def text(self):
        """For people, a line a check."""
        for check in _CHECKS:
            failed = sum(failure.startswith(f"{check}:") for failure in self.failures)
            yield f"  {check}: {self.done.get(check, 0) - failed} of {self.done.get(check, 0)} noticed"
        yield from (f"not noticed: {failure}" for failure in self.failures[:12])
        yield "self-test: passed" if self.ok else "self-test: FAILED, do not trust this verifier"


def self_test(place):
    """Run all checks at a place; returns a SelfTest."""
    test = SelfTest()
    info = open_device(place.device, place.n_threads).info()
    writer = documents.Writer(info)
    runs = {}
    for names in _CELLS:
        fixture = FIXTURES[names[2]]
        data = fixture.data()
        writer.add_fixture(names[2], data.inputs())
        runs[names] = run_parts(
            names[0], SETTINGS[names[1]], data, place, weighted=fixture.weighted, keep=True
        )
        writer.add_cell(*names, runs[names])
    document = writer.document()
    for names, parts in runs.items():
        _unmoved(test, names, parts, document)
        for name in (name for name, part in parts.items() if part.stages):
            _moved_stages(test, names, parts, name, document)
        _moved_inputs(test, names[2], document)
    _verdicts(test, info)
    _documents(test, document)
    return test


_CHECKS = (
    "nothing moved is identical",
    "one ulp in a stage",
    "one ulp in an input",
    "verdict of the whole run",
    "changed document",
    "two documents",
)


def _unmoved(test, names, parts, document):
    for verdict in outcome.judge_cell(names, parts, document):
        good = "pending" if parts[verdict.part].pending else "identical"
        test.expect(_CHECKS[0], verdict.state == good, f"{verdict.cell} {verdict.part} is {verdict.state}")


def moved_by_one_ulp(array):
    """(copy with one value moved by one step, its indices), or None when there is no value to move."""
    array = np.array(array, order="C")
    good = np.flatnonzero(np.isfinite(array)) if array.dtype.kind == "f" else np.arange(array.size)
    if good.size == 0:
        return None
    at = int(good[good.size // 2])
    bits = array.reshape(-1).view(f"{array.dtype.byteorder.replace('|', '=')}u{array.dtype.itemsize}")
    top = np.iinfo(bits.dtype).max if array.dtype.kind != "i" else np.iinfo(array.dtype).max
    bits[at] += 1 if bits[at] != top else -1
    return array, [int(i) for i in np.unravel_index(at, array.shape)]


def _moved_stages(test, names, parts, name, document):
    part = parts[name]
    for index, (stage, array) in enumerate(zip(part.stages, part.arrays)):
        found = moved_by_one_ulp(array)
        if found is None:
            continue
        array, element = found
        record = stage_record(stage["tag"], array)
        moved = Part(_replaced(part.stages, index, record), _replaced(part.arrays, index, array), part.own)
        verdict = next(outcome.judge_cell(names, {name: moved}, document))
        if verdict.state == "divergent" and verdict.beside == "the document":
            evidence.fill(verdict, moved, part)
        seen = verdict.difference or {}
        there = seen.get("tag") == stage["tag"] and seen.get("index") == index
        value = seen.get("element") or {}
        exact = value.get("element") == element and value.get("ulp") == 1 and value.get("different") == 1
        test.expect(
            _CHECKS[1],
            verdict.state == "divergent" and there and exact,
            f"{verdict.cell} {name} stage {index} {stage['tag']!r} element {element} moved; reported: {verdict.state}, "
            f"stage {seen.get('index')} {seen.get('tag')!r}, {value or 'no element'}",
        )


def _replaced(items, index, item):
    return [*items[:index], item, *items[index + 1 :]]


def _moved_inputs(test, fixture, document):
    data = FIXTURES[fixture].data()
    for field in dataclasses.fields(data):
        array, _ = moved_by_one_ulp(getattr(data, field.name))
        inputs = dataclasses.replace(data, **{field.name: array}).inputs()
        try:
            run.check_inputs(fixture, inputs, document)
            text = ""
        except InvalidInputError as error:
            text = str(error)
        named = repr(fixture) in text and f" {field.name} " in text
        test.expect(_CHECKS[2], named, f"{fixture} {field.name} moved; reported: {text or 'nothing'}")


def _verdicts(test, info):
    """One cell that is not identical decides, and a run that compared nothing does not pass."""
    identical, other = (outcome.Verdict("E", "s", "f", "train", state) for state in ("identical", "pending"))
    for states, problems, ok in (
        (["identical"], [], True),
        (["identical", "pending"], [], True),
        (["identical", "divergent"], [], False),
        (["identical", "refused"], [], False),
        (["pending"], [], False),
        ([], [], False),
        (["identical"], ["a separating build"], False),
    ):
        verdicts = [dataclasses.replace(identical, state=state) for state in states]
        whole = outcome.Outcome(verdicts, info, "itself", {}, problems)
        last = list(outcome.text(whole))[-1]
        said = whole.ok is ok and whole.as_dict()["ok"] is ok and last.startswith("same bits") is ok
        test.expect(_CHECKS[3], said, f"cells {states} {problems or ''} give ok={whole.ok}, {last!r}")
    broken = run.broken_build({"broken_rule": "x"})
    test.expect(_CHECKS[3], bool(broken) and other.state == "pending", "a separating build is no problem")


def _documents(test, document):
    """A cut or changed file is refused; a document of another run is reported as divergent where it differs."""
    data = documents.to_bytes(document)
    for at in range(1, len(data) - 1, len(data) // 16):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        for what, content in (("cut", data[:at]), ("changed", changed)):
            try:
                documents.parse(content, "self-test")
                refused = False
            except ModelFormatError:
                refused = True
            test.expect(_CHECKS[4], refused, f"a document {what} at byte {at} was taken")
    same = compare.compare_documents(document, copy.deepcopy(document))
    test.expect(_CHECKS[5], same.status == "same", f"a document and its copy are {same.status}")
    for cell, parts in document["cells"].items():
        for part in (part for part in parts if "sha256" in parts[part]):
            other, index = _with_other_stage(document, cell, part)
            found = compare.compare_documents(document, other)
            first = next((c for c in found.cells if c["status"] == "divergent"), {})
            difference = first.get("first_difference") or {}
            there = (first.get("cell"), first.get("part"), difference.get("index")) == (cell, part, index)
            test.expect(
                _CHECKS[5],
                found.status == "divergent" and there,
                f"{cell} {part} moved; reported: {found.status}, {first}",
            )


def _with_other_stage(document, cell, part):
    """A document whose last stage of a part has another hash."""
    other = copy.deepcopy(document)
    entry = other["cells"][cell][part]
    stages = entry["stages"].split()
    stages[-1] = stages[-1][::-1] if stages[-1] != stages[-1][::-1] else "0" * len(stages[-1])
    entry["stages"] = " ".join(stages)
    entry["sha256"] = compare.stages_digest([{"tag": cell, "sha256": entry["sha256"]}])
    return documents.sealed(other), len(stages) - 1
