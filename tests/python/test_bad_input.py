"""Every kind of bad input gets a typed error that names what was wrong."""

import numpy as np
import pytest

import samebits
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from samebits.exceptions import DeviceUnavailableError, InvalidInputError, SamebitsError

X = np.random.default_rng(0).standard_normal((60, 3))
Y = X[:, 0]
LABELS = (Y > 0).astype(int)


def with_value(array, value):
    array = array.copy()
    array.flat[1] = value
    return array


@pytest.mark.parametrize(
    "x, y, words",
    [
        (X[:0], Y[:0], "0 sample"),
        (X[:, :0], Y, "0 feature"),
        (with_value(X, np.inf), Y, "infinity in column 1"),
        (with_value(X, -np.inf), Y, "infinity in column 1"),
        (with_value(X.astype(np.float32), np.inf), Y, "infinity in column 1"),
        (X, with_value(Y, np.nan), "NaN"),
        (X, with_value(Y, np.inf), "infinity"),
        (X, Y[:-1], "inconsistent numbers"),
        (X[:, 0], Y, "2D array"),
        (np.full((5, 2), "text"), Y[:5], "convert"),
        ([["1.5", "2"], ["3", "4"]], Y[:2], "holds text"),
        (np.array([[1, "a"], [2, "b"]], dtype=object), Y[:2], "convert"),
    ],
)
def test_data(x, y, words):
    with pytest.raises(InvalidInputError, match=words):
        GradientBoostingRegressor(n_estimators=2).fit(x, y)


def test_too_many_cells_is_refused_before_any_copy():
    huge = np.broadcast_to(np.float32(0), (2**16, 2**16))
    for call in (lambda m: m.fit(huge, np.zeros(2**16)), lambda m: m.fit(X, Y).predict(huge)):
        with pytest.raises(InvalidInputError, match=r"2\^31"):
            call(GradientBoostingRegressor(n_estimators=1))


@pytest.mark.parametrize(
    "labels, words", [(np.zeros(60), "one class"), (np.arange(60) % 3, "Only binary"), (Y, "label type")]
)
def test_classes(labels, words):
    with pytest.raises(ValueError, match=words):
        GradientBoostingClassifier(n_estimators=2).fit(X, labels)


@pytest.mark.parametrize(
    "weight, words",
    [
        (-np.ones(60), "[Nn]egative"),
        (np.zeros(60), "all sample weights are 0|at least one non-zero"),
        (np.full(60, np.nan), "NaN"),
        (np.ones(59), "shape|inconsistent"),
    ],
)
def test_weights(weight, words):
    with pytest.raises(InvalidInputError, match=words):
        GradientBoostingRegressor(n_estimators=2).fit(X, Y, sample_weight=weight)


BAD_PARAMETERS = {
    "n_estimators": (0, -1, 1.5, True, "10", None),
    "learning_rate": (0, -0.1, np.nan, np.inf, "fast", None),
    "max_depth": (0, -3, 2.5),
    "max_leaf_nodes": (0, 1, 2.5),
    "min_samples_leaf": (0, 0.1),
    "min_child_weight": (-1, np.nan),
    "l2_regularization": (-1, np.inf),
    "max_bins": (1, 256, 10.0),
    "subsample": (0, 1.01, np.nan),
    "colsample_bytree": (0, 1.01),
    "early_stopping_rounds": (0, -2),
    "tol": (-1e-9,),
    "grow_policy": ("leafwise", None),
    "importance_type": ("weight",),
    "random_state": (-1, "seed"),
    "mode": ("exact",),
    "n_threads": (0, -1, 2.5, "two"),
}


@pytest.mark.parametrize("name, value", [(n, v) for n, values in BAD_PARAMETERS.items() for v in values])
def test_parameters_are_refused_by_name(name, value):
    with pytest.raises(InvalidInputError, match=name):
        GradientBoostingRegressor(**{"n_estimators": 2, name: value}).fit(X, Y)


def test_unknown_parameter():
    with pytest.raises(TypeError, match="n_trees"):
        GradientBoostingRegressor(n_trees=5)
    with pytest.raises(ValueError, match="n_trees"):
        GradientBoostingRegressor().set_params(n_trees=5)


@pytest.mark.parametrize("device", ["cuda:99", "gpu", "cpu:x", "hip:0", "cpu:1"])
def test_devices_are_refused_by_name(device):
    with pytest.raises(DeviceUnavailableError, match=device) as caught:
        GradientBoostingRegressor(n_estimators=1, device=device).fit(X, Y)
    assert "this machine has: " in str(caught.value)


def test_symmetric_depth():
    with pytest.raises(InvalidInputError, match="max_depth"):
        GradientBoostingRegressor(grow_policy="symmetric", max_depth=17).fit(X, Y)


def test_prediction_shapes():
    model = GradientBoostingRegressor(n_estimators=2).fit(X, Y)
    for bad in (X[:, :2], np.zeros((2, 4)), X[0]):
        with pytest.raises(InvalidInputError):
            model.predict(bad)
    with pytest.raises(InvalidInputError, match="infinity in column 1"):
        model.predict(with_value(X, np.inf))
    with pytest.raises(InvalidInputError, match="0 sample"):
        model.predict(X[:0])


def test_eval_sets():
    model = GradientBoostingClassifier(n_estimators=2)
    for bad, words in (
        ([(X, np.full(60, 7))], "label 7"),
        ([(X[:, :2], LABELS)], "2 features"),
        ([X], "eval_set"),
        ([(X, LABELS[:5])], "as many"),
    ):
        with pytest.raises(InvalidInputError, match=words):
            model.fit(X, LABELS, eval_set=bad)
    with pytest.raises(InvalidInputError, match="eval_set"):
        model.set_params(early_stopping_rounds=3).fit(X, LABELS)


def test_a_failed_fit_leaves_the_estimator_and_process_usable():
    model = GradientBoostingRegressor(n_estimators=3).fit(X, Y)
    before = model.predict(X)
    with pytest.raises(SamebitsError):
        model.fit(with_value(X, np.inf), Y)
    assert np.array_equal(model.predict(X), before)


def test_targets_too_large_for_float32_are_named():
    with pytest.raises(InvalidInputError, match="finite"):
        GradientBoostingClassifier(n_estimators=1, learning_rate=1e30, l2_regularization=0).fit(
            X, LABELS
        ).set_params(n_estimators=400).fit(
            X, LABELS, sample_weight=np.where(np.arange(60) % 2, 1e38, 1e-38) * 1e30
        )


def test_set_config_refuses_by_name():
    for settings in ({"mode": "exact"}, {"n_threads": 0}, {"device": 3}):
        with pytest.raises(InvalidInputError, match=next(iter(settings))):
            samebits.set_config(**settings)
