"""Checks of data and parameters: once, early, by name."""

import numbers

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, validate_data

from samebits.exceptions import InvalidInputError

MAX_CELLS = 2**31
GROW_POLICIES = ("symmetric", "depthwise", "lossguide")
IMPORTANCE_TYPES = ("gain", "split")


def check_cells(X):
    """Refuse more than 2^31 cells before anything is copied."""
    shape = getattr(X, "shape", None)
    if shape is None or len(shape) != 2:
        return
    cells = int(shape[0]) * int(shape[1])
    if cells > MAX_CELLS:
        raise InvalidInputError(
            f"[boosting] X has shape {tuple(int(n) for n in shape)}, {cells} cells; need at most 2^31 = {MAX_CELLS}. "
            "Fit on a sample of the rows or on fewer columns."
        )


def refuse_infinite(X):
    """Name the first column with an infinite value. One pass over X without a copy of its size."""
    for column in range(X.shape[1]):
        if np.isinf(X[:, column]).any():
            raise InvalidInputError(
                f"[boosting] X has infinity in column {column}; need finite values, or NaN where a value is missing"
            )


def _has_infinity(X):
    # In blocks, so that no array of the size of X is made.
    return any(np.isinf(X[start : start + 65536]).any() for start in range(0, X.shape[0], 65536))


def _refuse_text(X):
    """NumPy would read numbers out of text; whoever passes text has forgotten an encoding."""
    kind = (
        np.asarray(X).dtype.kind
        if isinstance(X, (list, tuple))
        else getattr(getattr(X, "dtype", None), "kind", "")
    )
    if kind in "USV" and kind:
        raise InvalidInputError(
            "[boosting] X holds text, need numbers; encode it first (could not convert it)"
        )


def check_X(estimator, X, *, reset):
    """Validated features: float32 or float64, 2-D, any strides, NaN allowed, no infinity."""
    X = _check_X(estimator, X, reset=reset)
    if _has_infinity(X):
        refuse_infinite(X)
    return X


def _check_X(estimator, X, *, reset):
    check_cells(X)
    _refuse_text(X)
    try:
        X = validate_data(estimator, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite=False)
    except InvalidInputError:
        raise
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    return native(X)


def check_X_y(estimator, X, y, *, y_numeric, reset):
    """Validated features and target of a fit. Infinity is left to the core, which meets every value anyway."""
    check_cells(X)
    _refuse_text(X)
    try:
        X, y = validate_data(
            estimator,
            X,
            y,
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
            y_numeric=y_numeric,
            multi_output=False,
            reset=reset,
        )
    except InvalidInputError:
        raise
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    return native(X), y


def native(X):
    """The array itself, unless the core cannot stride over it (foreign byte order, unaligned)."""
    item = X.dtype.itemsize
    if not X.dtype.isnative or not X.flags.aligned or any(stride % item for stride in X.strides):
        X = np.ascontiguousarray(X.astype(X.dtype.newbyteorder("="), copy=False))
    return X


def _two_numbers(y):
    """(classes, target) of numeric labels with exactly two whole values, in passes without a sort; else None."""
    if y.dtype.kind not in "biuf":
        return None
    low, high = y.min(), y.max()
    if low == high or (
        y.dtype.kind == "f" and not (np.isfinite([low, high]).all() and low % 1 == 0 and high % 1 == 0)
    ):
        return None
    is_high = y == high
    if np.count_nonzero(is_high) + np.count_nonzero(y == low) != y.size:
        return None
    return np.array([low, high], dtype=y.dtype), is_high.astype(np.float64)


def two_classes(y):
    """The two labels, sorted, and the target as 0.0 and 1.0; refuses any other number of classes."""
    found = _two_numbers(y)
    if found is not None:
        return found
    try:
        check_classification_targets(y)
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    classes, target = np.unique(y, return_inverse=True)
    if len(classes) > 2:
        raise InvalidInputError(
            f"Only binary classification is supported. The type of the target is {type_of_target(y)}. "
            f"[boosting] y has {len(classes)} classes, need 2"
        )
    if len(classes) < 2:
        raise InvalidInputError(f"[boosting] y has one class only ({classes[0]!r}), need 2")
    return classes, target.astype(np.float64)


def check_weight(sample_weight, X):
    """Weights as float64, finite, not negative, not all zero; None stays None."""
    if sample_weight is None:
        return None
    try:
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    with np.errstate(over="ignore"):  # the core names weights beyond float32
        positive = (weight.astype(np.float32) > 0).any()
    if not positive:
        raise InvalidInputError("[boosting] all sample weights are 0, need at least one above 0")
    return np.ascontiguousarray(weight)


def check_flag(name, value):
    """True or False; refuses anything else."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidInputError(f"[boosting] {name} is {value!r}, need True or False")
    return bool(value)


def _integer(name, value, low, high=2**31 - 1):
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, numbers.Integral)
        or not low <= value <= high
    ):
        raise InvalidInputError(f"[boosting] {name} is {value!r}, need an integer from {low} to {high}")
    return int(value)


def _real(name, value, low, high, *, open_low=False):
    ok = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    ok = ok and np.isfinite(value) and (low < value if open_low else low <= value) and value <= high
    if not ok:
        bound = "above" if open_low else "at least"
        raise InvalidInputError(
            f"[boosting] {name} is {value!r}, need a number {bound} {low} and at most {high}"
        )
    return float(value)


def _choice(name, value, words):
    if value not in words:
        raise InvalidInputError(f"[boosting] {name} is {value!r}, need one of {', '.join(map(repr, words))}")
    return value


def seed_of(random_state):
    """None: 0, the same model each time; an int: itself; a RandomState: a number drawn from it."""
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, (bool, np.bool_)):
        return _integer("random_state", random_state, 0, 2**63 - 1)
    try:
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    except ValueError as error:
        raise InvalidInputError(
            f"[boosting] random_state is {random_state!r}, need None, an integer or a RandomState"
        ) from error


def core_params(estimator, loss):
    """The estimator's parameters, checked, in the core's terms (0 stands for 'no limit')."""
    policy = _choice("grow_policy", estimator.grow_policy, GROW_POLICIES)
    _choice("importance_type", estimator.importance_type, IMPORTANCE_TYPES)
    lossguide = policy == "lossguide"
    depth = estimator.max_depth
    depth = (
        (0 if lossguide else 6)
        if depth is None
        else _integer("max_depth", depth, 1, 16 if policy == "symmetric" else 10**6)
    )
    leaves = estimator.max_leaf_nodes
    leaves = (31 if lossguide else 0) if leaves is None else _integer("max_leaf_nodes", leaves, 2)
    rounds = estimator.early_stopping_rounds
    return {
        "loss": loss,
        "grow_policy": policy,
        "n_estimators": _integer("n_estimators", estimator.n_estimators, 1),
        "learning_rate": _real("learning_rate", estimator.learning_rate, 0, 1e30, open_low=True),
        "max_depth": depth,
        "max_leaf_nodes": leaves,
        "min_samples_leaf": _integer("min_samples_leaf", estimator.min_samples_leaf, 1),
        "min_child_weight": _real("min_child_weight", estimator.min_child_weight, 0, 1e30),
        "l2_regularization": _real("l2_regularization", estimator.l2_regularization, 0, 1e30),
        "max_bins": _integer("max_bins", estimator.max_bins, 2, 255),
        "subsample": _real("subsample", estimator.subsample, 0, 1, open_low=True),
        "colsample_bytree": _real("colsample_bytree", estimator.colsample_bytree, 0, 1, open_low=True),
        "seed": seed_of(estimator.random_state),
        "early_stopping_rounds": 0 if rounds is None else _integer("early_stopping_rounds", rounds, 1),
        "tol": _real("tol", estimator.tol, 0, 1e300),
        "record_train_loss": bool(estimator.verbose),
    }


def eval_items(eval_set):
    """eval_set as a list of (X, y, weight or None)."""
    if eval_set is None:
        return []
    if isinstance(eval_set, tuple):
        eval_set = [eval_set]
    items = []
    for item in eval_set:
        if not isinstance(item, (tuple, list)) or len(item) not in (2, 3):
            raise InvalidInputError("[boosting] eval_set needs a list of (X, y) or (X, y, sample_weight)")
        items.append(tuple(item) if len(item) == 3 else (*item, None))
    return items
