"""The inputs of the exported bundle, from Philox words and exact arithmetic: the same bytes on every machine."""

import numpy as np

from samebits._draws import Draws
from samebits.conformance.bundle import Item

_PURPOSE = 0x62756E64  # a purpose of its own, so that no other draw is repeated
_SPECIAL_F32 = (
    "00000000 80000000 7f800000 ff800000 7fc00000 ffc00001 7f800001 00000001 80000001 007fffff 807fffff 00800000 "
    "80800000 7f7fffff ff7fffff 3f800000 bf800000 3f7fffff bf7fffff 3f800001 bf800001 3f3504f2 3f3504f3 3f3504f4 "
    "3fb504f2 3fb504f3 3fb504f4 3f317217 3f317218 3eb17218 beb17218 42b17217 42b17218 42b20000 c2aeac4f c2aeac50 "
    "c2cff1b4 c2cff1b5 c2d00000 c2d00001 32800000 327fffff b2800000 31800000 b1800000 4b800000 4b7fffff cb800000 "
    "3f000000 bf000000 40000000 41000000 c1000000 42000000 c2000000"
)


def make_items():
    """The items without outputs, in the order of the manifest."""
    return [
        _reduce_sum(),
        _histogram_build(),
        _philox(),
        _row_sample(),
        *(_elementary_f32(name, i) for i, name in enumerate(("exp", "log", "log1p", "logistic"))),
        _log_f64(),
        *_fits(),
    ]


def _item(name, algorithm, inputs, parameters=None):
    return Item(name, algorithm, parameters or {}, inputs, {})


def _reduce_sum():
    draws, specials = Draws(1, _PURPOSE), []
    with np.errstate(all="ignore"):
        for part in (
            [-0.0] * 5,
            [1e16, 1.0, -1e16],
            [np.inf, 1.0, -3.0],
            [np.inf, -np.inf],
            [1.0, np.nan, 2.0],
            [1.7e308] * 130,
            [5e-324] * 70,
        ):
            specials.append(np.array(part))
    pool = [
        draws.floats(8200, -20, 20),
        draws.floats(200, -300, 300),
        draws.floats(100, -1022, -1015) * 2.0**-30,
    ]
    lengths = (0, 1, 2, 31, 63, 64, 65, 128, 1000, 4095, 4096, 4097, 8192, 8193)
    parts = [(0, n) for n in lengths] + [(1, 64), (3, 4100), (4095, 4097), (8200, 200), (8400, 100)]
    start = 8500
    for part in specials:
        parts.append((start, len(part)))
        start += len(part)
    x = np.concatenate(pool + specials)
    begin, length = np.array(parts, np.uint64).T
    inputs = {"x": x, "y": draws.floats(len(x), -10, 10), "start": begin.copy(), "length": length.copy()}
    return _item("reduce_sum", "reduce_sum", inputs)


def _histogram_build():
    draws, n, cells = Draws(2, _PURPOSE), 400, (3, 17, 256, 2, 9, 40)
    codes = np.stack([draws.below(n, count) for count in cells], axis=1).astype(np.uint8)
    bound = 2**30
    gradient, hessian = draws.below(n, 2**31 - 1) - (bound - 1), draws.below(n, bound)
    gradient[::7], gradient[3::7], hessian[::5], hessian[2::5] = bound, -bound, bound, 0
    order = np.argsort(draws.words(n), kind="stable").astype(np.uint32)
    parts = [order, order[draws.below(n, 3) == 0], order[:0], order[7:8]]
    end = np.cumsum([len(part) for part in parts]).astype(np.uint64)
    return _item(
        "histogram_build",
        "histogram_build",
        {
            "codes": codes,
            "gradients": np.stack([gradient, hessian], axis=1).astype(np.int32),
            "cell_offset": np.cumsum([0, *cells]).astype(np.uint32),
            "active": np.array([0, 1, 2, 4, 5], np.uint32),
            "rows": np.concatenate(parts),
            "begin": np.concatenate([np.zeros(1, np.uint64), end[:-1]]),
            "end": end,
        },
    )


def _philox():
    draws, n, most = Draws(3, _PURPOSE), 60, 2**64 - 1
    seed, element = draws.words(n), draws.words(n)
    purpose, draw = draws.words(n).astype(np.uint32), draws.words(n).astype(np.uint32)
    # First the known answers of Random123 (kat_vectors, philox4x32 with 10 rounds), by the mapping of C8.
    known = [
        (0, 0, 0, 0),
        (most, 2**32 - 1, most, 2**32 - 1),
        (0x299F31D0A4093822, 0x03707344, 0x85A308D3243F6A88, 0x13198A2E),
        (1, 0, 0, 0),
        (0, 1, 0, 0),
        (0, 0, 1, 0),
        (0, 0, 0, 1),
    ]
    for i, (s, p, e, d) in enumerate(known):
        seed[i], purpose[i], element[i], draw[i] = s, p, e, d
    bound = (draws.words(n) >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
    bound[::4] = np.resize(np.array([1, 2, 3, 10, 1000, 2**32 - 1], np.uint32), len(bound[::4]))
    inputs = {"seed": seed, "purpose": purpose, "element": element, "draw": draw, "bound": bound}
    return _item("philox", "philox", inputs)


def _row_sample():
    columns = np.array(
        [
            (0, 1, 0, 2**31, 300),
            (2**63 + 5, 0x62690002, 3, 3006477107, 1000),
            (9, 7, 1, 2**32, 65),
            (9, 7, 2, 0, 65),
        ],
        np.uint64,
    ).T
    wide = dict(zip(("seed", "purpose", "draw", "threshold", "n"), columns))
    inputs = {
        name: np.ascontiguousarray(column, np.uint32 if name in ("purpose", "draw") else np.uint64)
        for name, column in wide.items()
    }
    return _item("row_sample", "row_sample", inputs)


def _floats(words, dtype):
    """Floats of that type from their bits in hexadecimal."""
    bits = [int(word, 16) for word in words.split()]
    return np.array(bits, np.uint32 if dtype == np.float32 else np.uint64).view(dtype)


def _elementary_f32(name, number):
    draws = Draws(10 + number, _PURPOSE)
    special = _floats(_SPECIAL_F32, np.float32)
    steps = (np.arange(-2080, 1781, dtype=np.float64) / 20).astype(np.float32)  # -104 to 89
    parts = [
        special,
        draws.floats(1200, -126, 127, np.float32),
        draws.floats(1200, -12, 6, np.float32),
        steps,
    ]
    parts.append(draws.words(400).astype(np.uint32).view(np.float32))  # any bits
    return _item(f"{name}_f32", "elementary", {"x": np.concatenate(parts)}, {"function": name})


def _log_f64():
    draws = Draws(20, _PURPOSE)
    special = _floats(
        "0000000000000000 8000000000000000 7ff0000000000000 fff0000000000000 7ff8000000000000 7ff0000000000001 "
        "0000000000000001 000fffffffffffff 0010000000000000 7fefffffffffffff 3ff0000000000000 bff0000000000000 "
        "3fefffffffffffff 3ff0000000000001 3fe6a09e667f3bcc 3fe6a09e667f3bcd 3ff6a09e667f3bcc 3ff6a09e667f3bcd",
        np.float64,
    )
    parts = [
        special,
        np.abs(draws.floats(300, -1022, 1023)),
        np.abs(draws.floats(300, -3, 2)),
        draws.uniform(200),
    ]
    return _item("log_f64", "elementary", {"x": np.concatenate(parts)}, {"function": "log"})


# ---------------------------------------------------------------------------------------------------------------- fits

_FIT = {
    "loss": "squared_error",
    "grow_policy": "lossguide",
    "n_estimators": 3,
    "learning_rate": 0.3,
    "max_depth": 0,
    "max_leaf_nodes": 0,
    "min_samples_leaf": 5,
    "min_child_weight": 0.001,
    "l2_regularization": 0.0,
    "max_bins": 255,
    "subsample": 1.0,
    "colsample_bytree": 1.0,
    "seed": 0,
    "early_stopping_rounds": 0,
    "tol": 0.0,
    "record_train_loss": False,
}


def _table(seed, n, missing):
    """Six features: bell-shaped, ties, signed zeros and small numbers, constant but missing where y is larger, wide
    range, a copy of the first (so that gains tie)."""
    draws = Draws(seed, _PURPOSE)
    hidden = draws.below(n, 4) == 0
    bell = draws.bell(n)
    sign = np.where(draws.below(n, 2) == 0, 1.0, -1.0)
    columns = [
        bell,
        np.floor(draws.bell(n) * 2.0),
        (draws.below(n, 5) - 2.0) * 2.0**-30 * sign,
        np.where(hidden, np.nan, 3.0),
        draws.floats(n, -40, 40),
        bell,
    ]
    X = np.stack(columns, axis=1)
    signal = X[:, 0] + X[:, 1] * np.where(X[:, 4] > 0.0, 0.5, -0.25)
    signal = signal + np.where(X[:, 2] > 0.0, 1.0, 0.0) + np.where(hidden, 1.5, 0.0)
    noise = draws.bell(n) * 0.5
    X[:, :5][(draws.words(n * 5) % np.uint64(100) < np.uint64(missing)).reshape(n, 5)] = np.nan
    X[:, 5] = X[:, 0]
    return X, signal + noise


def _test_rows(X, draws):
    """Training rows, some with a value on an edge, fresh rows, rows far outside, a row of missing values."""
    fresh = np.stack([draws.bell(20) * 2.0 for _ in range(X.shape[1])], axis=1)
    far = np.repeat(np.array([1e30, -1e30, 5e-324, -0.0, np.nan]), X.shape[1]).reshape(5, -1)
    on_edge = X[20:60].copy()
    on_edge[:, 1] = on_edge[:, 1] + 0.5  # edges lie between the integers of this feature
    return np.concatenate([X[:20], on_edge, fresh, far])


def _fit(name, X, y, weight, dtype, draws, **parameters):
    inputs = {"X": X.astype(dtype), "y": y}
    if weight is not None:
        inputs["weight"] = weight
    with np.errstate(under="ignore"):
        inputs["X_test"] = _test_rows(X, draws).astype(dtype)
    return _item(name, "gradient_boosting", inputs, {**_FIT, **parameters})


def _fits():
    draws = Draws(30, _PURPOSE)
    X, y = _table(31, 240, 8)
    weight = draws.uniform(240) * 3.0
    weight[::11] = 0.0
    yield _fit(
        "fit_regression",
        X,
        y * 100.0 + 1000.0,
        weight,
        np.float64,
        draws,
        n_estimators=4,
        max_leaf_nodes=8,
        l2_regularization=0.5,
        max_bins=16,
    )
    X, y = _table(32, 200, 5)
    yield _fit(
        "fit_classification",
        X,
        (y > 0.25).astype(np.float64),
        None,
        np.float32,
        draws,
        loss="log_loss",
        grow_policy="depthwise",
        max_depth=3,
        max_leaf_nodes=6,
        l2_regularization=1.0,
        max_bins=24,
        subsample=0.7,
        colsample_bytree=0.6,
        seed=2**40 + 11,
    )
    X, y = _table(33, 150, 0)
    y[8] = 40.0  # decides the fixed-point exponent, also of the tree for which the row is not drawn
    X[::9, 1] = np.nan
    yield _fit(
        "fit_symmetric",
        X,
        y,
        draws.uniform(150) + 0.5,
        np.float32,
        draws,
        grow_policy="symmetric",
        n_estimators=2,
        max_depth=4,
        min_samples_leaf=8,
        min_child_weight=2.0,
        max_bins=12,
        subsample=0.6,
        seed=5,
    )
    X, _ = _table(34, 40, 0)
    X[:, 2] = np.nan
    yield _fit("fit_constant", X, np.full(40, -5.5), None, np.float64, draws, n_estimators=2)
