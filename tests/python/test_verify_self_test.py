"""The self-test passes here, and fails as soon as the verifier is sabotaged anywhere."""

import json

import pytest

import samebits
from samebits import _differences, compare
from samebits.cli import main
from samebits.verify import document as documents
from samebits.verify import evidence, outcome, run, self_test
from samebits.verify.parts import Place


def test_it_passes(capsys):
    assert main(["verify", "--self-test"]) == 0
    assert "self-test: passed" in capsys.readouterr().out


def test_it_moves_a_value_of_every_part(capsys):
    test = self_test(Place("cpu"))
    assert test.ok and test.done["one ulp in a stage"] > 100 and test.done["one ulp in an input"] == 16
    assert main(["verify", "--self-test", "--json", "--device", "reference"]) == 0
    assert json.loads(capsys.readouterr().out)["failures"] == []


def always_identical(part, document, entry):
    return "identical", "", None, ""


def always_divergent(part, document, entry):
    return "divergent", "", dict(compare.UNNAMED), "the document"


def wrong_place(a, b, limit=0):
    found = ORIGINAL(a, b, limit)
    return found and {**found, "element": [i + 1 for i in found["element"]]}


def wrong_size(a, b, limit=0):
    found = ORIGINAL(a, b, limit)
    return found and {**found, "ulp": 2}


ORIGINAL = _differences.first_difference
SABOTAGE = {
    "every part is judged identical": (outcome, "judge_part", always_identical),
    "every part is judged divergent": (outcome, "judge_part", always_divergent),
    "stages are never compared": (compare, "compare_stages", lambda a, b, arrays=None: None),
    "all digests are equal": (compare, "stages_digest", lambda stages: "0" * 64),
    "no stage differs": (compare, "_stages_differ", lambda a, b: None),
    "no element differs": (_differences, "first_difference", lambda a, b, limit=0: None),
    "the element is another": (_differences, "first_difference", wrong_place),
    "the distance is another": (_differences, "first_difference", wrong_size),
    "no values are looked at": (evidence, "fill", lambda verdict, ours, theirs: None),
    "inputs are not checked": (run, "check_inputs", lambda fixture, inputs, document: None),
    "every run passes": (outcome.Outcome, "ok", True),
    "no run passes": (outcome.Outcome, "ok", False),
    "separating builds pass": (run, "broken_build", lambda build=None: []),
    "documents are not checked": (documents, "check", lambda document, name: None),
    "all documents are the same": (
        compare,
        "compare_documents",
        lambda a, b: compare.DocumentComparison("same", "really"),
    ),
}


@pytest.mark.parametrize("sabotage", SABOTAGE)
def test_sabotage_is_noticed(sabotage, monkeypatch, capsys):
    monkeypatch.setattr(*SABOTAGE[sabotage])
    assert main(["verify", "--self-test", "--device", "cpu"]) == 1
    assert "FAILED" in capsys.readouterr().out


def test_nothing_compared_is_no_pass(monkeypatch):
    monkeypatch.setattr(samebits.verify.one_ulp, "_CELLS", ())
    assert not self_test(Place("cpu")).ok
