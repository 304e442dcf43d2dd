"""warm_start=True: fits go on from the present trees with the bits of one fit, or are refused by name."""

import copy
import pickle

import numpy as np
import pytest
from conftest import make_data
from sklearn.base import clone

import samebits
from samebits.compare import compare_cards
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from samebits.exceptions import InvalidInputError

SETTINGS = [
    {},
    {"grow_policy": "symmetric", "max_depth": 4, "subsample": 0.7, "random_state": 3},
    {"grow_policy": "depthwise", "colsample_bytree": 0.5, "max_bins": 20},
]


def file_of(model, tmp_path):
    model.save(tmp_path / "model.safetensors")
    return (tmp_path / "model.safetensors").read_bytes()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("cls", [GradientBoostingClassifier, GradientBoostingRegressor])
def test_thirty_and_seventy_are_a_hundred(cls, settings, tmp_path):
    X, y = make_data(800, 6, missing=True)
    y = y > 0 if cls is GradientBoostingClassifier else y
    whole = cls(n_estimators=100, **settings).fit(X, y)
    model = cls(n_estimators=30, warm_start=True, **settings).fit(X, y)
    first = model.predict(X)
    model.set_params(n_estimators=100).fit(X, y)
    assert model.n_iter_ == 100 and file_of(model, tmp_path) == file_of(whole, tmp_path)
    assert np.array_equal(model.predict(X), whole.predict(X)) and len(first) == len(X)


@pytest.mark.parametrize("way", ["file", "pickle", "copy", "another device", "threads"])
def test_a_model_that_was_away_is_continued(way, regression, tmp_path):
    X, y = regression
    w = np.random.default_rng(1).random(len(y))
    whole = GradientBoostingRegressor(n_estimators=9).fit(X, y, sample_weight=w, eval_set=[(X[:99], y[:99])])
    model = GradientBoostingRegressor(n_estimators=4).fit(X, y, sample_weight=w, eval_set=[(X[:99], y[:99])])
    if way == "file":
        model.save(tmp_path / "a")
        model = samebits.load_model(tmp_path / "a")
    elif way == "pickle":
        model = pickle.loads(pickle.dumps(model))
    elif way == "copy":
        model = copy.deepcopy(model)
    changes = {"another device": {"device": "reference"}, "threads": {"n_threads": 3}}.get(way, {})
    model.set_params(n_estimators=9, warm_start=True, **changes)
    model.fit(X, y, sample_weight=w, eval_set=[(X[:99], y[:99])])
    assert file_of(model, tmp_path) == file_of(whole, tmp_path)
    assert model.evals_result_ == whole.evals_result_ and model.best_score_ == whole.best_score_


def test_early_stopping_stops_where_one_fit_stops():
    X, y = make_data(600, 5)
    evals = [(X[400:], y[400:])]
    settings = {"learning_rate": 0.8, "early_stopping_rounds": 3}
    whole = GradientBoostingRegressor(n_estimators=200, **settings).fit(X[:400], y[:400], eval_set=evals)
    assert whole.n_iter_ < 200
    model = GradientBoostingRegressor(n_estimators=3, warm_start=True, **settings)
    for n in (3, 200, 200):
        model.set_params(n_estimators=n).fit(X[:400], y[:400], eval_set=evals)
    assert (model.n_iter_, model.best_iteration_) == (whole.n_iter_, whole.best_iteration_)
    assert model.evals_result_ == whole.evals_result_
    model = GradientBoostingRegressor(n_estimators=100, learning_rate=0.8).fit(X[:400], y[:400])
    model.set_params(warm_start=True, early_stopping_rounds=3)
    with pytest.raises(
        InvalidInputError, match=f"stops after {whole.n_iter_} trees, the present model has 100"
    ):
        model.fit(X[:400], y[:400], eval_set=evals)


def test_without_warm_start_a_fit_starts_anew(regression):
    X, y = regression
    model = GradientBoostingRegressor(n_estimators=3).fit(X, y)
    assert model.set_params(n_estimators=5).fit(X[:500], -y[:500]).n_iter_ == 5
    fresh = GradientBoostingRegressor(n_estimators=5).fit(X[:500], -y[:500])
    assert np.array_equal(model.predict(X), fresh.predict(X))


def test_no_more_trees_changes_nothing(regression, tmp_path):
    X, y = regression
    model = GradientBoostingRegressor(n_estimators=5, warm_start=True).fit(X, y)
    before = file_of(model, tmp_path)
    assert file_of(model.fit(X, y), tmp_path) == before


@pytest.mark.parametrize(
    "change, words",
    [
        ({"n_estimators": 2}, "n_estimators is 2, the present model has 4 trees"),
        ({"max_depth": 3}, "max_depth is 3, the present trees were grown with 0"),
        ({"learning_rate": 0.2}, "learning_rate"),
        ({"random_state": 5}, "seed"),
        ({"max_bins": 31}, "max_bins"),
        ({"subsample": 0.5}, "subsample"),
        ({"warm_start": 1}, "warm_start is 1, need True or False"),
    ],
)
def test_other_parameters_are_refused(change, words, regression):
    X, y = regression
    model = GradientBoostingRegressor(n_estimators=4).fit(X, y)
    expected = model.predict(X)
    model.set_params(**{"n_estimators": 8, "warm_start": True, **change})
    with pytest.raises(InvalidInputError, match=words):
        model.fit(X, y)
    assert model.n_iter_ == 4 and np.array_equal(model.predict(X), expected)


def test_a_random_state_object_keeps_its_seed(regression, tmp_path):
    X, y = regression
    settings = {"subsample": 0.5, "random_state": np.random.RandomState(7)}
    model = GradientBoostingRegressor(n_estimators=2, warm_start=True, **settings).fit(X, y)
    model.set_params(n_estimators=4).fit(X, y)
    settings["random_state"] = np.random.RandomState(7)
    whole = GradientBoostingRegressor(n_estimators=4, **settings).fit(X, y)
    assert np.array_equal(model.predict(X), whole.predict(X))


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda X, y: (X[:-1], y[:-1]), "need the same data"),
        (lambda X, y: (X[:, :-1], y), "features"),
        (lambda X, y: (X, np.where(np.arange(len(y)) == 7, y + 1e-9, y)), "mean of the targets"),
        (lambda X, y: (X[::-1], y), "need the same data"),
        (lambda X, y: (np.nextafter(X, np.float32(9)), y), "bin edge 0 of feature 0"),
    ],
)
def test_other_data_are_refused(change, words, regression):
    X, y = regression
    model = GradientBoostingRegressor(n_estimators=4).fit(X, y).set_params(n_estimators=8, warm_start=True)
    with pytest.raises(InvalidInputError, match=words):
        model.fit(*change(X, y))
    assert model.n_iter_ == 4
    model.fit(X, y)


def test_other_classes_and_weights_are_refused(classification):
    X, y = classification
    model = GradientBoostingClassifier(n_estimators=4).fit(X, y).set_params(n_estimators=8, warm_start=True)
    with pytest.raises(InvalidInputError, match=r"the classes \['no', 'oui'\]"):
        model.fit(X, np.where(y == "yes", "oui", y))
    weight = np.ones(len(y))
    model.fit(X, y, sample_weight=weight)  # weights of 1 are no weights
    weight[5] = 2.0
    with pytest.raises(InvalidInputError, match="need the same data"):
        model.set_params(n_estimators=9).fit(X, y, sample_weight=weight)


def test_cards_of_continued_fits(regression):
    X, y = regression

    def card(device):
        model = GradientBoostingRegressor(n_estimators=2, device=device).fit(X, y)
        with samebits.trace(keep_bytes=True) as log:
            model.set_params(n_estimators=4, warm_start=True).fit(X, y)
        return log.card()

    with samebits.trace() as log:
        GradientBoostingRegressor(n_estimators=4).fit(X, y)
    a, b = card("cpu"), card("reference")
    assert compare_cards(a, b).status == "same" and len(a["stages"]) == 5 + 2 * 7
    outcome = compare_cards(a, log.card())
    assert outcome.status == "not comparable" and "inputs" in outcome.reason
    other = copy.deepcopy(a)
    next(record for record in other["inputs"] if record["name"] == "present_trees[0]")["sha256"] = "0" * 64
    assert compare_cards(a, other).status == "not comparable"


def test_warm_start_is_in_no_file_and_is_cloned(regression, tmp_path):
    X, y = regression
    a = file_of(GradientBoostingRegressor(n_estimators=2).fit(X, y), tmp_path)
    assert file_of(GradientBoostingRegressor(n_estimators=2, warm_start=True).fit(X, y), tmp_path) == a
    assert samebits.load_model(tmp_path / "model.safetensors").warm_start is False
    model = GradientBoostingRegressor(n_estimators=2, warm_start=True).fit(X, y)
    assert clone(model).warm_start and not hasattr(clone(model), "n_iter_")
