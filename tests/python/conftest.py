"""Data that several test files use. Everything is made from fixed seeds."""

import numpy as np
import pytest

import samebits


def make_table(rows, features=6, seed=0, dtype=np.float64, missing=0.05):
    """Features with missing values, ties and a constant column; a binary label that depends on some of them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, features))
    X[:, 1] = np.round(X[:, 1] * 2)
    X[:, -1] = 3.0
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.standard_normal(rows) > 0).astype(np.int64)
    X[rng.random((rows, features)) < missing] = np.nan
    return X.astype(dtype), y


def make_data(n=3000, n_features=7, *, missing=False, dtype=np.float32, seed=0):
    """A nonlinear regression problem with ties, a constant column and, if asked, missing values."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, n_features)).astype(dtype)
    X[:, 1] = np.round(X[:, 1] * 2)
    X[:, -1] = 3.0
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3])
    if missing:
        X[rng.random((n, n_features)) < 0.1] = np.nan
    return X, np.nan_to_num(signal) + 0.3 * rng.standard_normal(n)


@pytest.fixture(scope="session")
def regression():
    return make_data()


@pytest.fixture(scope="session")
def classification():
    X, target = make_data(missing=True)
    return X, np.where(target > 0, "yes", "no")


@pytest.fixture(scope="session")
def table():
    return make_table(3000)


@pytest.fixture
def isas():
    """Instruction sets of this machine; SAMEBITS_CPU_ISA takes one of them."""
    return samebits.build_info()["cpu_isas"]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    """No setting of the caller's shell reaches a test."""
    for name in ("DEVICE", "MODE", "NUM_THREADS", "CPU_ISA", "STRICT_DEVICE"):
        monkeypatch.delenv(f"SAMEBITS_{name}", raising=False)
