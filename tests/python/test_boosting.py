"""What the estimators compute, against scikit-learn, against themselves and by hand."""

import numpy as np
import pytest
from conftest import make_data
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss, roc_auc_score

from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

POLICIES = ("lossguide", "depthwise", "symmetric")


@pytest.mark.parametrize("missing", [False, True])
def test_quality_matches_sklearn(missing):
    # A target with main effects: on pure interactions greedy trees are a matter of luck, for every library.
    X, target = make_friedman1(20000, 8, noise=1.0, random_state=0)
    target -= np.median(target)
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    y = (target > 0).astype(int)
    train, test = slice(0, 15000), slice(15000, None)
    ours = GradientBoostingClassifier(n_estimators=60).fit(X[train], y[train])
    theirs = HistGradientBoostingClassifier(max_iter=60, early_stopping=False).fit(X[train], y[train])
    auc = [roc_auc_score(y[test], m.predict_proba(X[test])[:, 1]) for m in (ours, theirs)]
    loss = [log_loss(y[test], m.predict_proba(X[test])) for m in (ours, theirs)]
    assert auc[0] > auc[1] - 0.002
    assert loss[0] < loss[1] + 0.005
    r_ours = (
        GradientBoostingRegressor(n_estimators=60).fit(X[train], target[train]).score(X[test], target[test])
    )
    r_theirs = HistGradientBoostingRegressor(max_iter=60, early_stopping=False).fit(X[train], target[train])
    assert r_ours > r_theirs.score(X[test], target[test]) - 0.005


@pytest.mark.parametrize("policy", POLICIES)
def test_staged_apply_and_importances(classification, policy):
    X, y = classification
    model = GradientBoostingClassifier(grow_policy=policy, n_estimators=12, max_depth=4).fit(X, y)
    assert model.classes_.tolist() == ["no", "yes"]
    raws = list(model.staged_decision_function(X))
    assert len(raws) == model.n_iter_ == 12
    assert np.array_equal(raws[-1], model.decision_function(X))
    assert np.array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    assert np.array_equal(list(model.staged_predict_proba(X))[-1], model.predict_proba(X))
    assert np.all(model.predict_proba(X).sum(axis=1) == 1.0)
    leaves = model.apply(X)
    assert leaves.shape == (len(X), 12)
    content = model._model.to_dict()
    for tree in (0, 11):
        begin = int(content["tree_offset"][tree])
        steps = content["value"][begin + leaves[:, tree]]
        before = raws[tree - 1] if tree else np.full(len(X), content["init_score"][0], dtype=np.float64)
        assert np.array_equal(before.astype(np.float32) + steps, raws[tree].astype(np.float32))
    for kind in ("gain", "split"):
        importances = clone(model).set_params(importance_type=kind).fit(X, y).feature_importances_
        assert importances.sum() == pytest.approx(1)
        assert importances[-1] == 0  # the constant column


def test_leaf_limits(regression):
    X, y = regression

    def tree_sizes(model):
        content = model.fit(X, y)._model.to_dict()
        offsets = content["tree_offset"].astype(int)
        return [(content["feature"][a:b] < 0).sum() for a, b in zip(offsets, offsets[1:])]

    assert max(tree_sizes(GradientBoostingRegressor(n_estimators=5, max_leaf_nodes=9))) == 9
    assert (
        max(tree_sizes(GradientBoostingRegressor(n_estimators=5, grow_policy="depthwise", max_leaf_nodes=9)))
        == 9
    )
    assert (
        max(tree_sizes(GradientBoostingRegressor(n_estimators=5, grow_policy="symmetric", max_leaf_nodes=9)))
        == 8
    )
    assert (
        max(tree_sizes(GradientBoostingRegressor(n_estimators=5, grow_policy="depthwise", max_depth=3))) == 8
    )
    model = GradientBoostingRegressor(n_estimators=5, min_samples_leaf=200).fit(X, y)
    content = model._model.to_dict()
    assert content["count"][content["feature"] < 0].min() >= 200


def test_one_split_by_hand():
    # Two groups: the split lies between them, leaf values are the shrunk group means of the residual.
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    y = np.array([1.0, 3.0, 7.0, 9.0])
    model = GradientBoostingRegressor(
        n_estimators=1, learning_rate=0.5, min_samples_leaf=1, min_child_weight=0, l2_regularization=2.0
    ).fit(X, y)
    content = model._model.to_dict()
    assert content["threshold"][0] == 0.5
    # mean 5; residual sums -6 and 6; value = 0.5 * (-6) / (2 + 2)
    assert model.predict([[0.0], [1.0]]).tolist() == [5 - 0.75, 5 + 0.75]
    assert content["gain"][0] == pytest.approx(36 / 4 + 36 / 4)


def test_missing_direction_is_learned():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(2000)
    x[:500] = np.nan
    y = np.where(np.isnan(x), 5.0, x)
    model = GradientBoostingRegressor(n_estimators=100).fit(x[:, None], y)
    assert model.predict([[np.nan]])[0] == pytest.approx(5, abs=0.1)


def test_missing_only_at_prediction_goes_to_the_larger_child():
    X = np.arange(100.0)[:, None]
    y = (X[:, 0] >= 70).astype(float)
    model = GradientBoostingRegressor(n_estimators=1, max_leaf_nodes=2, min_samples_leaf=1).fit(X, y)
    assert model.predict([[np.nan]])[0] == model.predict([[0.0]])[0]


def test_early_stopping_uses_the_best_iteration():
    X, target = make_data(2000)
    y = (target + np.random.default_rng(1).standard_normal(2000) * 2 > 0).astype(int)
    model = GradientBoostingClassifier(n_estimators=500, early_stopping_rounds=5, learning_rate=0.3)
    model.fit(X[:1000], y[:1000], eval_set=[(X[1000:], y[1000:])])
    losses = model.evals_result_["validation_0"]["log_loss"]
    assert len(losses) == model.n_iter_ < 500
    assert model.best_iteration_ == int(np.argmin(losses)) + 1 == model.n_iter_ - 5
    assert losses[model.best_iteration_ - 1] == pytest.approx(
        log_loss(y[1000:], model.predict_proba(X[1000:])), rel=1e-5
    )
    assert np.array_equal(
        list(model.staged_decision_function(X))[model.best_iteration_ - 1], model.decision_function(X)
    )


def test_eval_set_does_not_change_the_model(regression):
    X, y = regression
    a = GradientBoostingRegressor(n_estimators=10).fit(X, y)
    b = GradientBoostingRegressor(n_estimators=10).fit(
        X, y, eval_set=[(X[:50], y[:50]), (X[:9], y[:9], np.ones(9))]
    )
    assert np.array_equal(a.predict(X), b.predict(X))
    mse = np.mean((b.predict(X[:50]) - y[:50]) ** 2)
    assert b.evals_result_["validation_0"]["squared_error"][-1] == pytest.approx(mse, rel=1e-5)


def test_weights():
    X, y = make_data(1000)
    w = np.random.default_rng(2).integers(0, 4, 1000)
    weighted = GradientBoostingRegressor(n_estimators=20, min_samples_leaf=1, max_bins=255).fit(
        X, y, sample_weight=w
    )
    scaled = GradientBoostingRegressor(n_estimators=20, min_samples_leaf=1, min_child_weight=8e-3).fit(
        X, y, sample_weight=w * 8.0
    )
    assert np.array_equal(weighted.predict(X), scaled.predict(X))  # a power of two is exact
    assert weighted.score(X, y, sample_weight=w) > 0.8


def test_target_scale_is_exact(regression):
    X, y = regression
    a = GradientBoostingRegressor(n_estimators=10).fit(X, y).predict(X)
    b = GradientBoostingRegressor(n_estimators=10).fit(X, y * 2.0**100).predict(X)
    assert np.array_equal(a * 2.0**100, b)


def test_large_offset_keeps_its_precision(regression):
    X, y = regression
    shifted = GradientBoostingRegressor(n_estimators=50).fit(X, y + 1e7)
    assert shifted.score(X, y + 1e7) > 0.9


def test_sampling_is_by_seed(regression):
    X, y = regression

    def fit(seed):
        model = GradientBoostingRegressor(
            n_estimators=10, subsample=0.5, colsample_bytree=0.5, random_state=seed
        )
        return model.fit(X, y).predict(X)

    assert np.array_equal(fit(0), fit(0))
    assert np.array_equal(fit(None), fit(0))
    assert not np.array_equal(fit(0), fit(1))
    assert np.array_equal(fit(np.random.RandomState(3)), fit(np.random.RandomState(3)))


def test_wide_range_and_ties_and_subnormals():
    rng = np.random.default_rng(5)
    X = np.concatenate([rng.standard_normal((500, 2)) * 1e-42, rng.standard_normal((500, 2)) * 1e38]).astype(
        np.float32
    )
    X[::7, 0] = -0.0
    X[::5, 0] = 0.0
    y = (X[:, 1] > 0).astype(float)
    assert GradientBoostingRegressor(n_estimators=30).fit(X, y).score(X, y) > 0.99


def test_more_features_than_one_panel():
    X, y = make_data(400, 70)
    model = GradientBoostingRegressor(n_estimators=10).fit(X, y)
    assert model.feature_importances_[:4].sum() > 0.5


def test_constant_data_gives_the_mean():
    X = np.ones((50, 2))
    model = GradientBoostingRegressor(n_estimators=3).fit(X, np.arange(50.0))
    assert model.predict(X[:1])[0] == 24.5
    assert model.feature_importances_.tolist() == [0, 0]
    assert np.isnan(X * np.nan).all()
    assert (
        GradientBoostingRegressor(n_estimators=3).fit(X * np.nan, np.arange(50.0)).predict(X[:1])[0] == 24.5
    )


def test_verbose_prints_the_loss(regression, capsys):
    X, y = regression
    GradientBoostingRegressor(n_estimators=4, verbose=2).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and "tree 4 of 4" in lines[1]
