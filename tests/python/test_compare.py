"""Comparing cards: same, divergent with the place, not comparable with the reason."""

import copy
import hashlib
import json

import numpy as np
import pytest

import samebits
from samebits._differences import first_difference
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


def traced(regression, **settings):
    X, y = regression
    with samebits.trace(keep_bytes=True) as log:
        GradientBoostingRegressor(n_estimators=2, **settings).fit(X, y)
    return log.card()


def test_kept_arrays_are_the_hashed_bytes(card, regression):
    kept = traced(regression)
    assert card.arrays is None and dict(card) == dict(kept)
    for stage, array in zip(kept["stages"], kept.arrays):
        assert hashlib.sha256(array.tobytes()).hexdigest() == stage["sha256"]
        assert list(array.shape) == stage["shape"] and array.size == stage["count"]
    json.dumps(kept)


def test_live_traces_name_the_element(regression):
    a, b = traced(regression), traced(regression)
    assert compare_cards(a, b).status == "same"
    index = next(i for i, stage in enumerate(b["stages"]) if stage["tag"] == "tree/1/scores")
    changed = b.arrays[index].copy()
    changed[17] = np.nextafter(changed[17], np.float32(np.inf))
    changed[40] += 1
    b.arrays[index] = changed
    b["stages"][index]["sha256"] = hashlib.sha256(changed.tobytes()).hexdigest()
    outcome = compare_cards(a, b)
    element = outcome.first_difference["element"]
    assert (element["element"], element["ulp"], element["different"]) == ([17], 1, 2)
    assert element["count"] == len(changed) and float(element["b"]) > float(element["a"])
    assert "element [17]" in outcome.text() and "1 ulp apart" in outcome.text()


@pytest.mark.parametrize(
    "dtype, x, y, ulp",
    [
        ("<f4", -0.0, 0.0, 1),
        ("<f4", -1e-45, 1e-45, 3),
        ("<f8", 1.0, 1.0 + 2**-50, 4),
        ("<f4", np.nan, 1.0, None),
        ("<f4", -np.inf, -3.4028235e38, 1),
        ("<i8", -(2**63), 2**63 - 1, 2**64 - 1),
        ("u1", 3, 250, 247),
    ],
)
def test_steps_between_values(dtype, x, y, ulp):
    a, b = np.zeros((2, 3), dtype), np.zeros((2, 3), dtype)
    a[1, 2], b[1, 2] = x, y
    found = first_difference(a, b)
    assert (found["element"], found["ulp"], found["different"]) == ([1, 2], ulp, 1)
    assert first_difference(b, a)["ulp"] == ulp and first_difference(a, a.copy()) is None


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
