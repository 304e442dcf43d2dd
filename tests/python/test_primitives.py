"""samebits.primitives: contracts on NumPy arrays, the same on every device here; shapes and dtypes refused by name."""

import doctest

import numpy as np
import pytest

import samebits
from samebits import primitives
from samebits.exceptions import InvalidInputError

DEVICES = [device["id"] for device in samebits.devices()]


def words(n, seed=1):
    return primitives.philox_words(seed, 77, np.arange(n, dtype=np.uint64), 0)


def test_examples_of_the_docstring():
    assert doctest.testmod(primitives).failed == 0 and doctest.testmod(primitives).attempted > 2


@pytest.mark.parametrize("device", DEVICES)
def test_reduce_sum_folds_lanes_by_halving(device):
    # Lanes 0, 1 and 2: (1e16 - 1e16) + 1, where a serial sum would lose the 1.
    assert primitives.reduce_sum(np.array([1e16, 1.0, -1e16]), device=device) == 1.0
    x = primitives.uniform_f64(words(9000).view(np.uint64)[:, 0].copy()) - 0.5
    one = primitives.reduce_sum(x, x, device=device)
    assert (
        one == primitives.reduce_sum(x * x, device=device) == primitives.reduce_sum(x * x, device="reference")
    )
    assert primitives.reduce_sum(np.empty(0), device=device) == 0.0


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_elementary_map(device, dtype):
    x = np.array([[0.0, 1.0, -1.0], [np.nan, np.inf, 2.5]], dtype=dtype)
    for name in primitives.elementary_functions():
        y = primitives.elementary_map(name, x, device=device)
        assert y.dtype == dtype and y.shape == x.shape
        assert y.tobytes() == primitives.elementary_map(name, x, device="reference").tobytes(), name
    with np.errstate(all="ignore"):
        assert np.allclose(primitives.elementary_map("log1p", x, device=device), np.log1p(x), equal_nan=True)
    assert primitives.elementary_map("exp", x[:0], device=device).shape == (0, 3)


@pytest.mark.parametrize("device", DEVICES)
def test_histogram_build_is_bincount(device):
    n, cells = 500, [3, 7, 2]
    w = words(n)
    codes = np.stack([w[:, f] % cells[f] for f in range(3)], axis=1).astype(np.uint8)
    gh = np.stack([w[:, 0].view(np.int32) // 2, w[:, 1] // 4], axis=1).astype(np.int32)
    offset = np.cumsum([0, *cells]).astype(np.uint32)
    rows = [
        np.flatnonzero(w[:, 3] % 2 == 0).astype(np.uint32),
        np.array([7, 3], np.uint32),
        np.empty(0, np.uint32),
    ]
    active = np.array([0, 2], np.uint32)
    gradient, hessian, count = primitives.histogram_build(
        codes, gh, offset, rows, active=active, device=device
    )
    assert gradient.shape == hessian.shape == count.shape == (3, 12)
    for j, own in enumerate(rows):
        for f in range(3):
            part = slice(offset[f], offset[f + 1])
            one = np.eye(cells[f], dtype=np.int64)[codes[own, f]] * (f in active)
            assert np.array_equal(gradient[j, part], gh[own, 0].astype(np.int64) @ one)
            assert np.array_equal(hessian[j, part], gh[own, 1].astype(np.int64) @ one)
            assert np.array_equal(count[j, part], one.sum(axis=0))
    whole = primitives.histogram_build(codes, gh, offset, device=device)
    assert whole[2].sum() == 3 * n and whole[0].shape == (1, 12)


@pytest.mark.parametrize("device", DEVICES)
def test_row_sample_is_philox(device):
    kept = primitives.row_sample(1000, seed=5, purpose=9, draw=2, threshold=2**31, device=device)
    drawn = primitives.philox_words(5, 9, np.arange(1000, dtype=np.uint64), 2)[:, 0]
    assert np.array_equal(kept, np.flatnonzero(drawn < 2**31)) and kept.dtype == np.uint32
    assert len(primitives.row_sample(10, seed=0, purpose=0, draw=0, threshold=2**32, device=device)) == 10
    assert len(primitives.row_sample(0, seed=0, purpose=0, draw=0, threshold=1, device=device)) == 0


def test_distributions():
    # Known answer of Random123 (kat_vectors): counter and key 0.
    assert [f"{w:08x}" for w in primitives.philox_words(0, 0, np.zeros(1, np.uint64), 0)[0]] == [
        "6627e8d5",
        "e169c58d",
        "bc57ac4c",
        "9b00dbd8",
    ]
    top = np.array([0, 2**32 - 1], np.uint32)
    assert primitives.uniform_f32(top).tolist() == [0.0, 1 - 2**-24]
    top = np.array([0, 2**64 - 1], np.uint64)
    assert primitives.uniform_f64(top).tolist() == [0.0, 1 - 2**-53]
    assert primitives.below(top, np.array([7, 7], np.uint32)).tolist() == [0, 6]


@pytest.mark.parametrize(
    "call, what",
    [
        (lambda: primitives.reduce_sum(np.zeros(3, np.float32)), "x is float32"),
        (lambda: primitives.reduce_sum(np.zeros((3, 1))), "x is float64 of shape"),
        (lambda: primitives.reduce_sum(np.zeros(3), np.zeros(2)), "y has 2"),
        (lambda: primitives.elementary_map("cosh", np.zeros(3)), "'cosh', need one of exp"),
        (lambda: primitives.elementary_map("exp", np.zeros(3, int)), "x is int64"),
        (lambda: primitives.philox_words(-1, 0, np.zeros(1, np.uint64), 0), "seed is -1"),
        (lambda: primitives.philox_words(0, 2**32, np.zeros(1, np.uint64), 0), "purpose is 4294967296"),
        (lambda: primitives.philox_words(0, 0, np.zeros(1, np.int64), 0), "element is int64"),
        (lambda: primitives.below(np.zeros(1, np.uint64), np.zeros(1, np.uint32)), "bound is 0"),
        (lambda: primitives.row_sample(9, seed=0, purpose=0, draw=0, threshold=2**32 + 1), "threshold"),
        (lambda: primitives.row_sample(2**31, seed=0, purpose=0, draw=0, threshold=0), "n is 2147483648"),
    ],
)
def test_refusals(call, what):
    with pytest.raises(InvalidInputError, match=what):
        call()


@pytest.mark.parametrize(
    "change, what",
    [
        ({"codes": np.full((4, 2), 2, np.uint8)}, "code of row 0, feature 0 is 2"),
        ({"codes": np.zeros((5, 2), np.uint8)}, "codes has 5"),
        ({"gradients": np.full((4, 2), -1, np.int32)}, "hessian -1"),
        ({"gradients": np.full((4, 2), 2**30 + 1, np.int32)}, "1073741825"),
        ({"cell_offset": np.array([0, 2], np.uint32)}, "cell_offset"),
        ({"cell_offset": np.array([0, 1, 3], np.uint32)}, "feature 0 has 1 cells"),
        ({"cell_offset": np.array([0, 2, 300], np.uint32)}, "feature 1 has 298 cells"),
        ({"rows": [np.array([4], np.uint32)]}, "row 4 of 4"),
        ({"rows": [np.array([0], np.int64)]}, r"rows\[0\] is int64"),
        ({"rows": []}, "at least one node"),
        ({"active": np.array([1, 0], np.uint32)}, "ascending"),
        ({"active": np.array([2], np.uint32)}, r"active\[0\] is 2"),
    ],
)
def test_histogram_refusals(change, what):
    good = {
        "codes": np.zeros((4, 2), np.uint8),
        "gradients": np.zeros((4, 2), np.int32),
        "cell_offset": np.array([0, 2, 4], np.uint32),
    }
    primitives.histogram_build(**good)
    with pytest.raises(InvalidInputError, match=what):
        primitives.histogram_build(**{**good, **change})
