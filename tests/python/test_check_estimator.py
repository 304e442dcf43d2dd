"""scikit-learn's own checks; nothing is expected to fail."""

import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

BOTH = [GradientBoostingClassifier, GradientBoostingRegressor]


@parametrize_with_checks([cls(n_estimators=10) for cls in BOTH])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@parametrize_with_checks([cls(n_estimators=10, min_samples_leaf=2, grow_policy="depthwise") for cls in BOTH])
def test_scikit_learn_checks_of_other_settings(estimator, check):
    if "sample_weight_equivalence" in getattr(check, "func", check).__name__:
        pytest.skip(
            "min_samples_leaf counts rows, as in HistGradientBoosting, whose checks leave this one out too"
        )
    check(estimator)


@pytest.mark.parametrize("cls", BOTH)
def test_tags(cls):
    tags = get_tags(cls())
    assert tags.input_tags.allow_nan
    assert not tags.input_tags.sparse
    if is_classifier(cls()):
        assert not tags.classifier_tags.multi_class
    else:
        assert is_regressor(cls())


@pytest.mark.parametrize("cls", BOTH)
def test_clone_keeps_parameters(cls):
    model = cls(n_estimators=3, grow_policy="symmetric", max_depth=2, device="cpu", n_threads=2, mode="fast")
    assert clone(model).get_params() == model.get_params()
