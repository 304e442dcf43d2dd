"""Single primitives of the library on NumPy arrays: what a device returns, bit for bit, without an estimator around it.

Low level: arrays are copied to the device and back at every call, and dtypes are never converted. Each function names
its contract (``docs/contracts``). ``device`` and ``n_threads`` are as everywhere: None is the configuration's, a device
that was asked for is used or refused.

>>> import numpy as np
>>> from samebits import primitives
>>> primitives.reduce_sum(np.array([1e16, 1.0, -1e16]), device="cpu")
1.0
>>> primitives.elementary_map("exp", np.array([0.0, 1.0], dtype=np.float32), device="cpu").tolist()
[1.0, 2.7182817459106445]
"""

import numpy as np

from samebits import _core
from samebits._devices import open_device
from samebits.exceptions import InvalidInputError

__all__ = [
    "below",
    "elementary_functions",
    "elementary_map",
    "histogram_build",
    "philox_words",
    "reduce_sum",
    "row_sample",
    "uniform_f32",
    "uniform_f64",
]


def _array(function, name, value, dtype, ndim):
    """`value` as a contiguous native array of that dtype and number of dimensions, or a refusal that names it."""
    dtype = np.dtype(dtype)
    found = np.asarray(value)
    if found.dtype.newbyteorder("=") != dtype or found.ndim != ndim:
        raise InvalidInputError(
            f"[{function}] {name} is {found.dtype} of shape {found.shape}, need {dtype} with {ndim} dimension(s); "
            "convert it yourself, a silent conversion could move bits"
        )
    return np.ascontiguousarray(found, dtype=dtype)


def _same_length(function, **arrays):
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        text = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise InvalidInputError(f"[{function}] lengths differ: {text}")


def _integer(function, name, value, bits, *, end=None):
    end = 2**bits if end is None else end
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__") or not 0 <= int(value) < end:
        raise InvalidInputError(f"[{function}] {name} is {value!r}, need an integer from 0 to {end - 1}")
    return int(value)


def reduce_sum(x, y=None, *, device=None, n_threads=None):
    """Sum in the fixed order of contract reduce_sum/1.

    Parameters
    ----------
    x : float64 array of shape (n,)
    y : float64 array of shape (n,) or None
        Given: the sum of the rounded products ``x[i] * y[i]``.

    Returns
    -------
    float
    """
    x = _array("reduce_sum", "x", x, np.float64, 1)
    if y is not None:
        y = _array("reduce_sum", "y", y, np.float64, 1)
        _same_length("reduce_sum", x=x, y=y)
    return _core.reduce_sum(open_device(device, n_threads), x, y)


def elementary_functions():
    """Names of the functions that :func:`elementary_map` knows."""
    return _core.elementary_functions()


def elementary_map(function, x, *, device=None, n_threads=None):
    """An elementary function of every element (contract elementary_map/1); NaN results are canonical.

    Parameters
    ----------
    function : str
        One of :func:`elementary_functions`.
    x : float32 or float64 array of any shape

    Returns
    -------
    ndarray of the dtype and shape of x
    """
    found = np.asarray(x)
    kinds = {np.dtype(np.float32): _core.elementary_map_f32, np.dtype(np.float64): _core.elementary_map_f64}
    call = kinds.get(found.dtype.newbyteorder("="))
    if call is None:
        raise InvalidInputError(f"[elementary_map] x is {found.dtype}, need float32 or float64")
    flat = _array("elementary_map", "x", found.reshape(-1), found.dtype.newbyteorder("="), 1)
    return call(open_device(device, n_threads), function, flat).reshape(found.shape)


def histogram_build(codes, gradients, cell_offset, rows=None, *, active=None, device=None, n_threads=None):
    """Exact integer sums per node, feature and bin (contract histogram_build/1).

    Parameters
    ----------
    codes : uint8 array of shape (n, F)
        Bin of every row and feature.
    gradients : int32 array of shape (n, 2)
        Gradient (at most 2^30 in magnitude) and hessian (0 to 2^30) of every row.
    cell_offset : uint32 array of shape (F + 1,)
        Feature f owns the cells ``cell_offset[f]`` to ``cell_offset[f + 1] - 1``, 2 to 256 of them; starts with 0.
    rows : list of uint32 arrays, or None
        Rows of each node; None: one node of all rows.
    active : uint32 array or None
        Features that are summed, ascending; the cells of others stay 0. None: all.

    Returns
    -------
    (gradient, hessian, count) : int64, int64 and uint32 arrays of shape (nodes, cell_offset[F])
    """
    codes = _array("histogram_build", "codes", codes, np.uint8, 2)
    gradients = _array("histogram_build", "gradients", gradients, np.int32, 2)
    _same_length("histogram_build", codes=codes, gradients=gradients)
    cell_offset = _array("histogram_build", "cell_offset", cell_offset, np.uint32, 1)
    if gradients.shape[1] != 2 or cell_offset.shape[0] != codes.shape[1] + 1:
        raise InvalidInputError(
            f"[histogram_build] gradients has shape {gradients.shape} and cell_offset {cell_offset.shape}, "
            f"need (n, 2) and ({codes.shape[1] + 1},) for codes of shape {codes.shape}"
        )
    if active is None:
        active = np.arange(codes.shape[1], dtype=np.uint32)
    active = _array("histogram_build", "active", active, np.uint32, 1)
    if rows is None:
        rows = [np.arange(codes.shape[0], dtype=np.uint32)]
    rows = [_array("histogram_build", f"rows[{j}]", each, np.uint32, 1) for j, each in enumerate(rows)]
    end = np.cumsum([each.shape[0] for each in rows], dtype=np.uint64)
    begin = np.concatenate([np.zeros(1, np.uint64), end])[:-1]
    every = np.concatenate([*rows, np.empty(0, np.uint32)])
    return _core.histogram_build(
        open_device(device, n_threads), codes, gradients, cell_offset, active, every, begin, end
    )


def row_sample(n, *, seed, purpose, draw, threshold, device=None, n_threads=None):
    """Rows i below n whose Philox word 0 of (seed, purpose, i, draw) is below `threshold` (contract row_sample/1).

    Parameters
    ----------
    n : int, below 2^31
    seed : int, 64 bits
    purpose, draw : int, 32 bits
    threshold : int, 0 to 2^32
        Each row is kept with probability ``threshold / 2^32``.

    Returns
    -------
    uint32 array, ascending
    """
    return _core.row_sample(
        open_device(device, n_threads),
        _integer("row_sample", "seed", seed, 64),
        _integer("row_sample", "purpose", purpose, 32),
        _integer("row_sample", "draw", draw, 32),
        _integer("row_sample", "threshold", threshold, 32, end=2**32 + 1),
        _integer("row_sample", "n", n, 31),
    )


def philox_words(seed, purpose, element, draw):
    """The four words of Philox4x32-10 draws (C8); computed by the library's text on the host.

    Parameters
    ----------
    seed : int, 64 bits
    purpose, draw : int, 32 bits
    element : uint64 array of shape (n,)

    Returns
    -------
    uint32 array of shape (n, 4)
    """
    return _core.philox_words(
        _integer("philox_words", "seed", seed, 64),
        _integer("philox_words", "purpose", purpose, 32),
        _array("philox_words", "element", element, np.uint64, 1),
        _integer("philox_words", "draw", draw, 32),
    )


def uniform_f32(word):
    """float32 in [0, 1): the upper 24 bits of each uint32 word times 2^-24. Shape (n,) in and out."""
    return _core.uniform_f32(_array("uniform_f32", "word", word, np.uint32, 1))


def uniform_f64(word):
    """float64 in [0, 1): the upper 53 bits of each uint64 word times 2^-53. Shape (n,) in and out."""
    return _core.uniform_f64(_array("uniform_f64", "word", word, np.uint64, 1))


def below(word, bound):
    """Integers in [0, bound): ``floor(word * bound / 2^64)``.

    Parameters
    ----------
    word : uint64 array of shape (n,)
    bound : uint32 array of shape (n,), every value at least 1

    Returns
    -------
    uint32 array of shape (n,)
    """
    word = _array("below", "word", word, np.uint64, 1)
    bound = _array("below", "bound", bound, np.uint32, 1)
    _same_length("below", word=word, bound=bound)
    return _core.below(word, bound)
