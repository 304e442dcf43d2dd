"""The promise on one machine: threads, instruction sets, layout, batches and tracing change nothing."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import make_data

import samebits
from samebits.compare import compare_cards
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor


def card_of(model, X, y, **fit):
    with samebits.trace() as log:
        model.fit(X, y, **fit)
    return log.card()


SETTINGS = [
    {},
    {"grow_policy": "depthwise", "max_depth": 5},
    {"grow_policy": "symmetric", "max_depth": 5},
    {"subsample": 0.6, "colsample_bytree": 0.7, "random_state": 9},
    {"max_bins": 16, "l2_regularization": 1.0, "min_samples_leaf": 3},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_threads_and_instruction_sets(settings, isas, monkeypatch):
    X, target = make_data(40000, 9, missing=True)
    y = (target > 0).astype(int)
    w = np.random.default_rng(1).random(len(y))
    model = GradientBoostingClassifier(n_estimators=5, n_threads=1, **settings)
    expected = card_of(model, X, y, sample_weight=w)
    assert len(expected["stages"]) == 5 + 5 * 7
    for isa in isas:
        monkeypatch.setenv("SAMEBITS_CPU_ISA", isa)
        for threads in (1, 2, 7):
            card = card_of(model.set_params(n_threads=threads), X, y, sample_weight=w)
            outcome = compare_cards(expected, card)
            assert outcome.status == "same", (isa, threads, outcome.text())


def test_reference_backend_agrees(regression):
    X, y = regression
    cpu = card_of(GradientBoostingRegressor(n_estimators=5), X, y)
    reference = card_of(GradientBoostingRegressor(n_estimators=5, device="reference"), X, y)
    assert compare_cards(cpu, reference).status == "same"
    assert (cpu["column"], reference["column"]) != (reference["column"], cpu["column"])


def test_layout_and_dtype_do_not_matter(regression):
    X, y = regression
    expected = GradientBoostingRegressor(n_estimators=8).fit(X, y).predict(X)
    wide = np.zeros((len(X), 2 * X.shape[1]), dtype=X.dtype)
    wide[:, ::2] = X
    for view in (np.asfortranarray(X), X.astype(np.float64), wide[:, ::2], X[::-1][::-1], X.astype(">f4")):
        model = GradientBoostingRegressor(n_estimators=8).fit(view, y)
        assert np.array_equal(model.predict(view), expected)
        assert np.array_equal(model.predict(X), expected)


def test_a_row_alone_and_in_any_batch(classification):
    X, y = classification
    model = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    whole = model.predict_proba(X)
    assert all(np.array_equal(model.predict_proba(X[i : i + 1])[0], whole[i]) for i in range(0, 200, 7))
    for size in (3, 64, 1000):
        parts = [model.predict_proba(X[i : i + size]) for i in range(0, len(X), size)]
        assert np.array_equal(np.concatenate(parts), whole)
    assert np.array_equal(model.predict_proba(X[::-1])[::-1], whole)


def test_tracing_changes_nothing(regression):
    X, y = regression
    plain = GradientBoostingRegressor(n_estimators=5).fit(X, y)
    traced = GradientBoostingRegressor(n_estimators=5)
    card_of(traced, X, y)
    assert np.array_equal(plain.predict(X), traced.predict(X))


def test_training_scores_are_predictions(classification):
    # The last "scores" stage of the card is what decision_function returns for the training rows.
    X, y = classification
    model = GradientBoostingClassifier(n_estimators=4)
    card = card_of(model, X, y)
    stage = next(s for s in card["stages"] if s["tag"] == "tree/3/scores")
    import hashlib

    raw = model.decision_function(X).astype(np.float32)
    assert hashlib.sha256(raw.tobytes()).hexdigest() == stage["sha256"]


def test_a_fresh_process_agrees(tmp_path):
    code = (
        "import sys, numpy as np; sys.path.insert(0, {folder!r}); from conftest import make_data\n"
        "from samebits.ensemble import GradientBoostingRegressor as R\n"
        "X, y = make_data(); R(n_estimators=10, n_threads={threads}).fit(X, y).save({path!r})\n"
    )
    files = []
    for threads in (1, 3):
        path = str(tmp_path / f"{threads}.safetensors")
        folder = __file__.rsplit("/", 1)[0]
        subprocess.run(
            [sys.executable, "-c", code.format(folder=folder, threads=threads, path=path)], check=True
        )
        files.append(open(path, "rb").read())
    assert files[0] == files[1]
