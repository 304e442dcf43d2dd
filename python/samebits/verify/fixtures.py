"""The pinned data of `samebits verify`.

Every value comes from Philox words (C8) through integers and + - * / only: no elementary function of a C library, no
NumPy generator, no NumPy sum, so that the inputs have the same bytes everywhere. That they do is checked by hash before
anything is computed from them.
"""

import dataclasses
import zlib
from collections.abc import Callable

import numpy as np

from samebits._draws import Draws
from samebits._trace import input_record

_PURPOSE = 0x76726679  # a purpose of its own: no draw of an estimator is repeated
_PREDICTED_ROWS = 50_000
_LARGE_SETTINGS = ("lossguide", "depthwise", "symmetric", "sampled")


@dataclasses.dataclass(frozen=True)
class Data:
    """Arrays of one fixture: training rows, held-out rows, and for both a real target, a label and a weight."""

    X: np.ndarray
    y: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    X_valid: np.ndarray
    y_valid: np.ndarray
    label_valid: np.ndarray
    weight_valid: np.ndarray

    def inputs(self):
        """Name, dtype, shape and SHA-256 of every array, in a fixed order."""
        return [input_record(field.name, getattr(self, field.name)) for field in dataclasses.fields(self)]

    def target(self, task):
        """(training target, held-out target) for 'classification' or 'regression'."""
        return (self.label, self.label_valid) if task == "classification" else (self.y, self.y_valid)

    def new_rows(self):
        """The rows that are predicted: training rows (of a large fixture the first ones), then the held-out ones."""
        return np.concatenate([self.X[:_PREDICTED_ROWS], self.X_valid])


@dataclasses.dataclass(frozen=True)
class Fixture:
    """How one fixture is made. ``make(draws, rows, features)`` returns (X, y, weight or None) of all rows together.

    ``weighted``: the weights take part under every setting, not only under those that ask for them.
    ``settings``: names of the settings it runs under, None: all.
    """

    name: str
    about: str
    rows: int
    valid: int
    features: int
    make: Callable
    weighted: bool = False
    tasks: tuple = ("classification", "regression")
    settings: tuple = None

    def data(self):
        """The arrays; a later call makes the same bytes again."""
        total = self.rows + self.valid
        draws = Draws(zlib.crc32(self.name.encode()), _PURPOSE)  # a fixture more moves no other
        X, y, weight = self.make(draws, total, self.features)
        if weight is None:
            weight = 0.25 + draws.uniform(total)
        label = _label(y, self.rows)
        n = self.rows
        return Data(X[:n], y[:n], label[:n], weight[:n], X[n:], y[n:], label[n:], weight[n:])


def _label(y, rows):
    """1 above the middle value of the training rows, else 0: both classes occur when two targets differ."""
    middle = np.sort(y[:rows])[(rows - 1) // 2]
    return (y > middle).astype(np.int64)


def _target(draws, columns, n):
    """A target that needs several splits: a product, a step and noise. ``columns``: three float64 arrays."""
    a, b, c = columns
    return a + b * c + np.where(a * c > 0.25, 1.5, 0.0) + 0.25 * draws.bell(n)


def _bells(draws, n, features, dtype=np.float64):
    return np.stack([draws.bell(n) for _ in range(features)], axis=1).astype(dtype)


def _three(X):
    return [X[:, k % X.shape[1]].astype(np.float64) for k in range(3)]


def _plain(draws, n, features):
    X = _bells(draws, n, features, np.float32)
    return X, _target(draws, _three(X), n), None


def _ties(draws, n, features):
    X = np.stack([draws.below(n, 2 + k).astype(np.float64) for k in range(features)], axis=1)
    y = draws.below(n, 3).astype(np.float64) + X[:, 1] - X[:, 2]
    return X, y, None


def _duplicates(draws, n, features):
    distinct = _bells(draws, 41, features)
    X = distinct[draws.below(n, 41)]
    return X, _target(draws, _three(X), n), None


def _constant_targets(draws, n, features):
    """Two target values only and constant columns: zero gains and equal gains decide."""
    X = np.round(2.0 * _bells(draws, n, features))
    X[:, ::2] = 3.0
    return X, (X[:, 1] > 0).astype(np.float64), None


def _negative(draws, n, features):
    X = -np.abs(_bells(draws, n, features))
    X[:, 1] = np.where(draws.below(n, 2) == 0, -0.0, 0.0)
    X[:, 2] = np.where(draws.below(n, 3) == 0, -0.0, X[:, 2])
    return X, -1.0 - np.abs(_target(draws, _three(X), n)), None


def _subnormal(draws, n, features):
    """Features among the subnormal float32 numbers; targets among the subnormal float64 numbers."""
    bits = np.stack([draws.below(n, 0x0080_0000) for _ in range(features)], axis=1)
    sign = np.stack([draws.below(n, 2) for _ in range(features)], axis=1)
    X = (bits | sign << 31).astype(np.uint32).view(np.float32)
    small = (draws.below(n, 2**20) + bits[:, 0]).astype(np.uint64) << np.uint64(20)
    return X, small.view(np.float64), None


def _huge_range(draws, n, features):
    X = np.stack([draws.floats(n, -1000, 1000) for _ in range(features)], axis=1)
    return X, draws.floats(n, -300, 300), draws.uniform(n) + 0.5


def _missing(draws, n, features):
    """NaN of three bit patterns in a fifth of the cells, and one column of nothing else."""
    X = _bells(draws, n, features)
    y = _target(draws, _three(X), n)
    nans = np.array([0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000001], np.uint64).view(np.float64)
    for k in range(features):
        lost = draws.below(n, 5) == 0
        X[:, k] = np.where(lost, nans[draws.below(n, 3)], X[:, k])
    X[:, -1] = nans[draws.below(n, 3)]
    return X, y, None


def _categorical(draws, n, features):
    """Integer codes of categories, the low ones more frequent."""
    codes = [np.minimum(draws.below(n, 3 + 4 * k), draws.below(n, 3 + 4 * k)) for k in range(features)]
    X = np.stack(codes, axis=1).astype(np.float32)
    effect = 2.0 * draws.uniform(3 + 4 * features) - 1.0
    return X, effect[codes[1]] + effect[codes[2]] * effect[codes[3]] + 0.25 * draws.bell(n), None


def _weights(draws, n, features):
    """Weights over forty powers of two, a seventh of them zero."""
    X, y, _ = _plain(draws, n, features)
    weight = np.abs(draws.floats(n, -20, 20))
    return X, y, np.where(draws.below(n, 7) == 0, 0.0, weight)


def _large(draws, n, features):
    X = draws.uniform_f32(n, features)
    return X, _target(draws, _three(X), n), None


def _table():
    odd = [Fixture(f"rows_{n}", f"{n} rows", n, max(1, n // 4), 4, _plain) for n in (2, 63, 65, 257, 4097)]
    return [
        Fixture("plain", "float32, no ties", 400, 37, 8, _plain),
        Fixture("ties", "few distinct values", 300, 37, 6, _ties),
        Fixture("duplicates", "41 distinct rows, repeated", 300, 37, 5, _duplicates),
        Fixture("constants", "constant columns, equal gains", 200, 37, 6, _constant_targets),
        Fixture("wide", "more columns than rows", 40, 11, 97, _plain),
        Fixture("rows_1", "one row", 1, 1, 4, _plain, tasks=("regression",)),
        *odd,
        Fixture("negative", "negative values, -0 and +0", 300, 37, 5, _negative),
        Fixture("subnormal", "subnormal features and targets", 300, 37, 4, _subnormal),
        Fixture("huge_range", "2^-1000 to 2^1000", 300, 37, 5, _huge_range),
        Fixture("missing", "NaN in every column", 300, 37, 6, _missing),
        Fixture("categorical", "codes of categories as numbers", 400, 37, 6, _categorical),
        Fixture("weights", "weights from 0 to 2^20", 300, 37, 6, _weights, weighted=True),
        Fixture("large", "1,000,000 x 28", 1_000_000, 4097, 28, _large, settings=_LARGE_SETTINGS),
    ]


FIXTURES = {fixture.name: fixture for fixture in _table()}
LARGE = ("large",)  # left out by --quick
