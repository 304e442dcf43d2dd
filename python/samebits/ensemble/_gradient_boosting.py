"""GradientBoostingClassifier and GradientBoostingRegressor."""

import numbers

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from samebits import _core, _model_file, _trace
from samebits._config import resolve
from samebits._devices import open_device
from samebits._environment import in_own_environment, stepwise
from samebits.ensemble import _validation as validation
from samebits.exceptions import InvalidInputError

# Where, how loudly and from what on to run: never moves a bit, is in no card and no model file.
PLACEMENT = ("device", "n_threads", "verbose", "mode", "warm_start")
# What may change between the fits of a warm start; all else would have made other trees.
_MAY_CHANGE = ("n_estimators", "early_stopping_rounds", "tol", "record_train_loss")

_PARAMETERS = """
    Parameters
    ----------
    grow_policy : {'lossguide', 'depthwise', 'symmetric'}, default='lossguide'
        Which nodes are split next: the one of the largest gain; all of a level; all of a level by one shared split.
    n_estimators : int, default=100
        Number of trees.
    learning_rate : float, default=0.1
    max_depth : int or None, default=None
        None: no limit for 'lossguide', 6 otherwise. A symmetric tree has at most 16 levels.
    max_leaf_nodes : int or None, default=None
        None: 31 for 'lossguide', no limit otherwise. A symmetric tree stops at the last level that fits.
    min_samples_leaf : int, default=20
        Least training rows of a leaf.
    min_child_weight : float, default=1e-3
        Least sum of hessians of a leaf.
    l2_regularization : float, default=0.0
    max_bins : int, default=255
        Bins of a feature, 2 to 255; missing values have one more of their own.
    subsample : float, default=1.0
        Each tree takes a row with this probability; the draw of a row depends on (seed, tree, row) alone.
    colsample_bytree : float, default=1.0
        Share of the features that a tree may use.
    early_stopping_rounds : int or None, default=None
        Stop when the loss on the last eval_set has not improved for so many trees; predictions then use the best
        number of trees.
    tol : float, default=0.0
        An improvement of the loss not larger than this does not count for early stopping.
    random_state : int, RandomState instance or None, default=None
        None means 0: the same model every time.
    warm_start : bool, default=False
        True: ``fit`` goes on from the present trees, also from those of a loaded model, up to ``n_estimators``, with
        the bits of one fit. Needs the same data and parameters (``n_estimators``, ``early_stopping_rounds`` and ``tol``
        apart); the last present tree is grown again to make sure, and what differs is refused by name.
    importance_type : {'gain', 'split'}, default='gain'
        What ``feature_importances_`` shows: share of the total gain, or number of splits.
    verbose : int, default=0
        Above 0: print the loss every `verbose` trees.
    device : str or None, default=None
        'auto', 'cpu', 'cuda', 'cuda:1', ...; None: the configuration's. Used or refused, never replaced.
    mode : {'identical', 'deterministic', 'fast'} or None, default=None
        Boosting has one path, the identical one; the other modes are accepted and run it (see ``mode_used_``).
    n_threads : int or None, default=None
        Threads of the cpu device; None: all. The result does not depend on it.
"""

_ATTRIBUTES = """
    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of str, when X had column names
    n_iter_ : int
        Trees grown.
    best_iteration_ : int
        Trees that predictions use.
    best_score_ : float
        Loss on the last eval_set with ``best_iteration_`` trees; only after a fit with an eval_set.
    evals_result_ : dict
        {'validation_0': {loss name: [one value a tree]}, ...}.
    feature_importances_ : ndarray of shape (n_features_in_,)
    device_used_, mode_used_ : str

    Notes
    -----
    Contract: profile identical/1. Missing values (NaN) take part in every split, with a direction learned from the
    gain; infinities are refused. Histograms are exact integers, so neither threads, instruction sets nor devices
    change a bit. Method: second-order boosting on binned features (Friedman, 2001; Chen and Guestrin, XGBoost, 2016;
    Ke et al., LightGBM, 2017).
"""


class _BaseGradientBoosting(BaseEstimator):
    def __init__(
        self,
        *,
        grow_policy="lossguide",
        n_estimators=100,
        learning_rate=0.1,
        max_depth=None,
        max_leaf_nodes=None,
        min_samples_leaf=20,
        min_child_weight=1e-3,
        l2_regularization=0.0,
        max_bins=255,
        subsample=1.0,
        colsample_bytree=1.0,
        early_stopping_rounds=None,
        tol=0.0,
        random_state=None,
        warm_start=False,
        importance_type="gain",
        verbose=0,
        device=None,
        mode=None,
        n_threads=None,
    ):
        self.grow_policy = grow_policy
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_child_weight = min_child_weight
        self.l2_regularization = l2_regularization
        self.max_bins = max_bins
        self.subsample = subsample
        self.colsample_bytree = colsample_bytree
        self.early_stopping_rounds = early_stopping_rounds
        self.tol = tol
        self.random_state = random_state
        self.warm_start = warm_start
        self.importance_type = importance_type
        self.verbose = verbose
        self.device = device
        self.mode = mode
        self.n_threads = n_threads

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    # ------------------------------------------------------------------------------------------------- fit

    def _continues(self):
        """Whether this fit goes on from present trees."""
        return validation.check_flag("warm_start", self.warm_start) and hasattr(self, "_model")

    def _params(self):
        params = validation.core_params(self, self._loss)
        before = getattr(self, "_grown_with", None)
        if not self._continues() or before is None:
            return params
        if not isinstance(self.random_state, numbers.Integral) and self.random_state is not None:
            params["seed"] = before["seed"]  # a RandomState draws another number at every fit
        for name, value in params.items():
            if name not in _MAY_CHANGE and value != before[name]:
                raise InvalidInputError(
                    f"[boosting] warm_start=True and {name} is {value!r}, the present trees were grown with "
                    f"{before[name]!r}; set it back, or warm_start=False for a new fit"
                )
        return params

    def _fit(self, X, target, sample_weight, evals):
        params = self._params()
        start = self._model if self._continues() else None
        if params["early_stopping_rounds"] and not evals:
            raise InvalidInputError(
                "[boosting] early_stopping_rounds needs an eval_set; pass fit(..., eval_set=[(X, y)])"
            )
        mode = resolve("mode", self.mode)
        weight = validation.check_weight(sample_weight, X)
        device = open_device(self.device, self.n_threads)
        log = _trace.active()
        stages = log.new_stages() if log is not None else None
        progress = self._progress if self.verbose else None
        try:
            result = _core.boosting_fit(device, X, target, weight, evals, params, stages, progress, start)
        except InvalidInputError:
            validation.refuse_infinite(X)
            raise
        self._grown_with = params
        self._model = result["model"]
        self.n_iter_ = result["n_iterations"]
        self.best_iteration_ = result["best_iteration"] if params["early_stopping_rounds"] else self.n_iter_
        self.evals_result_ = {
            f"validation_{i}": {self._loss: losses} for i, losses in enumerate(result["eval_loss"])
        }
        if evals:
            self.best_score_ = result["eval_loss"][-1][self.best_iteration_ - 1]
        info = device.info()
        self.device_used_ = info["id"]
        self.mode_used_ = "identical"
        self.user_metadata_ = {}
        if log is not None:
            inputs = self._inputs(X, target, weight, evals, start)
            card = _trace.make_card(type(self).__name__, params, inputs, info, stages.stages())
            card["mode"] = {"asked": mode, "used": "identical"}
            log.cards.append(card)
        return self

    def _inputs(self, X, target, weight, evals, start):
        """The inputs of the card. The trees that a continued fit goes on from are one of them."""
        inputs = [_trace.input_record("X", X), _trace.input_record("y", target)]
        if weight is not None:
            inputs.append(_trace.input_record("sample_weight", weight))
        for i, (eval_X, eval_y, eval_w) in enumerate(evals):
            inputs.append(_trace.input_record(f"eval_set[{i}].X", eval_X))
            inputs.append(_trace.input_record(f"eval_set[{i}].y", eval_y))
            if eval_w is not None:
                inputs.append(_trace.input_record(f"eval_set[{i}].sample_weight", eval_w))
        if start is not None:
            content = start.to_dict()
            arrays = [content[name] for name in sorted(content) if isinstance(content[name], np.ndarray)]
            inputs += [_trace.input_record(f"present_trees[{i}]", array) for i, array in enumerate(arrays)]
        return inputs

    def _progress(self, done, total, loss):
        if done % max(int(self.verbose), 1) == 0 or done == total:
            print(f"[{type(self).__name__}] tree {done} of {total}: {self._loss} {loss:.6f}")

    def _checked_evals(self, eval_set, encode):
        evals = []
        for eval_X, eval_y, eval_w in validation.eval_items(eval_set):
            eval_X = validation.check_X(self, eval_X, reset=False)
            target = encode(np.asarray(eval_y).reshape(-1))
            if target.shape[0] != eval_X.shape[0]:
                raise InvalidInputError(
                    f"[boosting] eval_set has {eval_X.shape[0]} rows of X and {target.shape[0]} of y, need as many"
                )
            evals.append((eval_X, target, validation.check_weight(eval_w, eval_X)))
        return evals

    # --------------------------------------------------------------------------------------------- predict

    def _raw(self, X):
        check_is_fitted(self)
        X = validation.check_X(self, X, reset=False)
        device = open_device(self.device, self.n_threads)
        return _core.boosting_predict_raw(device, self._model, X, self.best_iteration_)

    def _staged_raw(self, X):
        check_is_fitted(self)
        X = validation.check_X(self, X, reset=False)
        device = open_device(self.device, self.n_threads)
        yield from _core.boosting_staged_predict_raw(device, self._model, X, self.best_iteration_)

    @in_own_environment
    def apply(self, X):
        """Leaf numbers of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_trees), int32
            Node number, within its tree, of the leaf each row reaches, for the ``best_iteration_`` trees that
            predictions use.
        """
        check_is_fitted(self)
        X = validation.check_X(self, X, reset=False)
        device = open_device(self.device, self.n_threads)
        return _core.boosting_apply(device, self._model, X, self.best_iteration_)

    @property
    @in_own_environment
    def feature_importances_(self):
        """Shares of the features that sum to 1 (all 0 without a split); see ``importance_type``."""
        check_is_fitted(self)
        validation._choice("importance_type", self.importance_type, validation.IMPORTANCE_TYPES)
        features, gains = self._model.node_features(), self._model.node_gains()
        inner = features >= 0
        weights = gains[inner] if self.importance_type == "gain" else None
        total = np.bincount(features[inner], weights=weights, minlength=self.n_features_in_).astype(
            np.float64
        )
        whole = np.add.accumulate(total)[-1]  # from left to right; the order of NumPy's sum is its own affair
        return total / whole if whole > 0 else total

    # ----------------------------------------------------------------------------------------------- files

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = state["_model"].to_dict()
        return state

    def __setstate__(self, state):
        state = dict(state)
        if "_model" in state:
            state["_model"] = _core.BoostingModel.from_dict(state["_model"])
        super().__setstate__(state)

    def save(self, path, metadata=None):
        """Write the fitted model as a safetensors file; the same model gives the same bytes on every machine.

        Parameters
        ----------
        path : str or path-like
            The file appears whole or not at all.
        metadata : dict or None
            JSON-able values of your own; ``user_metadata_`` after :meth:`load`.

        Raises
        ------
        InvalidInputError
            The file cannot be written, or metadata is not JSON.
        """
        check_is_fitted(self)
        _model_file.save(self, path, metadata)

    @classmethod
    def load(cls, path):
        """Read a model written by :meth:`save`.

        Raises
        ------
        ModelFormatError
            The file is truncated, foreign, malformed, from a newer version, or of another estimator.
        """
        return _model_file.load(path, cls)


class GradientBoostingClassifier(ClassifierMixin, _BaseGradientBoosting):
    __doc__ = f"""Gradient boosting for two classes, minimising log-loss.
{_PARAMETERS}{_ATTRIBUTES}    classes_ : ndarray of shape (2,), sorted

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from samebits.ensemble import GradientBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> bool(GradientBoostingClassifier(n_estimators=20).fit(X, y).score(X, y) > 0.97)
    True
    """
    _loss = "log_loss"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    @in_own_environment
    def fit(self, X, y, sample_weight=None, eval_set=None):
        """Fit to two classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), float32 or float64
        y : array-like of shape (n_samples,)
            Two distinct labels.
        sample_weight : array-like of shape (n_samples,) or None
        eval_set : list of (X, y) or (X, y, sample_weight), or None

        Returns
        -------
        self
        """
        X, y = validation.check_X_y(self, X, y, y_numeric=False, reset=not self._continues())
        classes, target = validation.two_classes(y)
        if self._continues() and not np.array_equal(classes, self.classes_):
            raise InvalidInputError(
                f"[boosting] warm_start=True and y has the classes {classes.tolist()}, the present trees were grown "
                f"for {self.classes_.tolist()}; need the same data"
            )
        self.classes_ = classes
        return self._fit(
            X, target.astype(np.float64), sample_weight, self._checked_evals(eval_set, self._encode)
        )

    def _encode(self, y):
        known = np.isin(y, self.classes_)
        if not known.all():
            raise InvalidInputError(
                f"[boosting] eval_set has the label {y[~known].tolist()[0]!r}, need one of {self.classes_.tolist()}"
            )
        return np.searchsorted(self.classes_, y).astype(np.float64)

    @in_own_environment
    def decision_function(self, X):
        """Log-odds of ``classes_[1]``, float64 of shape (n_samples,). A row's value does not depend on the others."""
        return self._raw(X)

    @in_own_environment
    def predict_proba(self, X):
        """Probabilities of the two classes, float64 of shape (n_samples, 2)."""
        return _probabilities(self._raw(X))

    @in_own_environment
    def predict(self, X):
        """The more likely class of each row, shape (n_samples,); equal odds give ``classes_[0]``."""
        raw = self._raw(X)
        return self.classes_[(raw > 0).astype(np.intp)]

    @stepwise
    def staged_decision_function(self, X):
        """Yield :meth:`decision_function` after each of the ``best_iteration_`` trees; the last equals it."""
        yield from self._staged_raw(X)

    @stepwise
    def staged_predict_proba(self, X):
        """Yield :meth:`predict_proba` after each of the ``best_iteration_`` trees; the last equals it."""
        for raw in self._staged_raw(X):
            yield _probabilities(raw)

    @stepwise
    def staged_predict(self, X):
        """Yield :meth:`predict` after each of the ``best_iteration_`` trees; the last equals it."""
        for raw in self._staged_raw(X):
            yield self.classes_[(raw > 0).astype(np.intp)]


class GradientBoostingRegressor(RegressorMixin, _BaseGradientBoosting):
    __doc__ = f"""Gradient boosting for regression, minimising the squared error.
{_PARAMETERS}{_ATTRIBUTES}
    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from samebits.ensemble import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bool(GradientBoostingRegressor(n_estimators=20).fit(X, y).score(X, y) > 0.5)
    True
    """
    _loss = "squared_error"

    @in_own_environment
    def fit(self, X, y, sample_weight=None, eval_set=None):
        """Fit to a real target.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), float32 or float64
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None
        eval_set : list of (X, y) or (X, y, sample_weight), or None

        Returns
        -------
        self
        """
        X, y = validation.check_X_y(self, X, y, y_numeric=True, reset=not self._continues())
        target = np.ascontiguousarray(y, dtype=np.float64)
        return self._fit(X, target, sample_weight, self._checked_evals(eval_set, _as_target))

    @in_own_environment
    def predict(self, X):
        """Predicted targets, float64 of shape (n_samples,). A row's value does not depend on the others."""
        return self._raw(X)

    @stepwise
    def staged_predict(self, X):
        """Yield :meth:`predict` after each of the ``best_iteration_`` trees; the last equals it."""
        yield from self._staged_raw(X)


def _as_target(y):
    return np.ascontiguousarray(y, dtype=np.float64)


def _probabilities(raw):
    positive = _core.logistic(np.ascontiguousarray(raw))
    return np.stack([1.0 - positive, positive], axis=1)
