"""Comparing cards: same, divergent with the place, not comparable with the reason."""

import copy
import json

import pytest

import samebits
from samebits.compare import compare_cards, load_card
from samebits.ensemble import GradientBoostingRegressor
from samebits.exceptions import ModelFormatError


@pytest.fixture(scope="module")
def card(regression):
    X, y = regression
    with samebits.trace() as log:
        GradientBoostingRegressor(n_estimators=2).fit(X, y)
    return log.card()


def test_same(card):
    outcome = compare_cards(card, copy.deepcopy(card))
    assert outcome.status == "same" and outcome.first_difference is None


def test_divergence_names_the_first_stage_and_its_context(card):
    other = copy.deepcopy(card)
    for index in (9, 7):
        other["stages"][index]["sha256"] = "0" * 64
    outcome = compare_cards(card, other)
    assert outcome.status == "divergent"
    assert outcome.first_difference["index"] == 7
    assert outcome.first_difference["last_equal"] == card["stages"][6]["tag"]
    assert card["stages"][7]["tag"] in outcome.text() and "0" * 64 in outcome.text()
    shorter = copy.deepcopy(card)
    del shorter["stages"][-1]
    assert compare_cards(card, shorter).first_difference["what"] == "only on one side"


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda c: c.update(profile="identical/2"), "profile"),
        (lambda c: c["params"].update(max_bins=3), "max_bins"),
        (lambda c: c["inputs"][1].update(sha256="x"), "'y' differs"),
        (lambda c: c.update(estimator="Other"), "estimator"),
        (lambda c: c["library"].update(broken_rule="ties"), "'ties'"),
    ],
)
def test_not_comparable(card, change, words):
    other = copy.deepcopy(card)
    change(other)
    outcome = compare_cards(card, other)
    assert outcome.status == "not comparable" and words in outcome.reason


def test_files(card, tmp_path, regression):
    X, y = regression
    with samebits.trace() as log:
        GradientBoostingRegressor(n_estimators=2).fit(X, y)
    log.save(tmp_path / "a.json")
    assert compare_cards(load_card(tmp_path / "a.json"), card).status == "same"
    text = (tmp_path / "a.json").read_text()
    for name, content in (
        ("cut", text[:500]),
        ("list", "[]"),
        ("other", json.dumps({"format": "x/1"})),
        ("stages", text.replace('"sha256"', '"md5"')),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(ModelFormatError, match=name):
            load_card(tmp_path / name)
    with pytest.raises(ModelFormatError, match="nowhere"):
        load_card(tmp_path / "nowhere")


def test_an_empty_block_has_no_card():
    with samebits.trace() as log:
        pass
    with pytest.raises(LookupError, match="fit"):
        log.card()


@pytest.mark.parametrize("key", ["stages", "inputs", "library", "params"])
def test_malformed_parts(card, key):
    for value in (3, None, "x"):
        with pytest.raises(ModelFormatError, match=key):
            compare_cards(card, {**card, key: value})
