"""The fits of the demo: samebits and scikit-learn at equal settings, timed, with their figures on the test months."""

import dataclasses
import time

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss, roc_auc_score

from samebits.ensemble import GradientBoostingClassifier

# One text of the settings that both libraries get; names are scikit-learn's parameters on the left.
SETTINGS = {
    "max_iter": 100,
    "learning_rate": 0.1,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 20,
    "l2_regularization": 0.0,
    "max_bins": 255,
}


@dataclasses.dataclass(frozen=True)
class Scored:
    """One fitted model: seconds of its fit, probabilities on the test months, log-loss after each tree (there and on
    every fifth training row)."""

    model: object
    seconds: float
    probability: np.ndarray
    auc: float
    logloss: float
    curve: list
    curve_train: list


def own_model(settings, **placement):
    """The samebits estimator of the demo; ``placement`` (device, n_threads) cannot change its result."""
    own = dict(settings)
    return GradientBoostingClassifier(n_estimators=own.pop("max_iter"), random_state=0, **own, **placement)


def fit_own(flights, settings):
    """The headline fit: default device, all threads, no trace."""
    model, seconds = _timed(own_model(settings), flights)
    return _scored(model, seconds, flights)


def fit_sklearn(flights, settings):
    """scikit-learn's histogram boosting at equal settings."""
    peer = HistGradientBoostingClassifier(**settings, early_stopping=False, random_state=0)
    model, seconds = _timed(peer, flights)
    return _scored(model, seconds, flights)


def _timed(model, flights):
    start = time.perf_counter()
    model.fit(flights.X_train, flights.y_train)
    return model, time.perf_counter() - start


def _scored(model, seconds, flights):
    probability = model.predict_proba(flights.X_test)[:, 1]
    # The curves come from the finished model, tree by tree, so that no evaluation counts into the seconds of the fit.
    return Scored(
        model=model,
        seconds=seconds,
        probability=probability,
        auc=float(roc_auc_score(flights.y_test, probability)),
        logloss=float(log_loss(flights.y_test, probability)),
        curve=_curve(model, flights.X_test, flights.y_test),
        curve_train=_curve(model, flights.X_train[::5], flights.y_train[::5]),
    )


def _curve(model, X, y):
    late = y == 1
    return [float(-np.log(np.where(late, p[:, 1], p[:, 0])).mean()) for p in model.staged_predict_proba(X)]
