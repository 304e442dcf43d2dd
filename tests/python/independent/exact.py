"""Sums in the fixed order, Philox, histograms, scaling by powers of two."""

import math
from fractions import Fraction

import numpy as np

TILE = 4096


def sum64(x):
    """reduce_sum of ALGORITHMS.md: f64 scalar."""
    x = np.asarray(x, np.float64)
    if x.size == 0:
        return np.float64(0.0)
    while True:
        x = np.array([_tile(x[first : first + TILE]) for first in range(0, x.size, TILE)])
        if x.size == 1:
            return x[0]


def _tile(x):
    lane = np.zeros(64)
    for first in range(0, x.size, 64):
        row = x[first : first + 64]
        lane[: row.size] = lane[: row.size] + row
    width = 32
    while width:
        lane[:width] = lane[:width] + lane[width : 2 * width]
        width //= 2
    return lane[0]


def block(seed, purpose, element, draw):
    """Philox4x32-10: the four words, each a list of Python integers in, uint32 array of shape (n, 4) out."""
    seed, element = np.asarray(seed, np.uint64), np.asarray(element, np.uint64)
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    k0, k1 = seed & low, seed >> half
    c0, c1 = element & low, element >> half
    c2, c3 = np.asarray(draw, np.uint64), np.asarray(purpose, np.uint64)
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (p1 >> half) ^ c1 ^ k0, p1 & low, (p0 >> half) ^ c3 ^ k1, p0 & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    return np.stack(np.broadcast_arrays(c0, c1, c2, c3), axis=-1).astype(np.uint32)


def word(seed, purpose, elements, draw):
    """Word 0 of the draws of one (seed, purpose, draw)."""
    n = len(elements)
    return block([seed] * n, [purpose] * n, elements, [draw] * n)[:, 0]


def histogram(codes, gradients, cell_offset, active, rows):
    """One node: int64 array (3, cells) of gradient, hessian and count."""
    out = np.zeros((3, int(cell_offset[-1])), np.int64)
    rows = np.asarray(rows, np.int64)
    for f in active:
        cells = int(cell_offset[f]) + codes[rows, f].astype(np.int64)
        np.add.at(out[0], cells, gradients[rows, 0].astype(np.int64))
        np.add.at(out[1], cells, gradients[rows, 1].astype(np.int64))
        np.add.at(out[2], cells, 1)
    return out


def exponent(x):
    """e with 2^(e-1) <= |x| < 2^e of a finite number that is not 0."""
    return math.frexp(float(x))[1]


def scale32(x, e):
    """f32 array x * 2^e, rounded once: exact in f64 for |e| <= 800 (2^-149 * 2^-800 is normal), then one conversion.
    For larger |e| the result has been 0 or infinity for long."""
    e = max(-800, min(800, int(e)))
    with np.errstate(over="ignore", under="ignore"):
        return (np.asarray(x, np.float64) * 2.0**e).astype(np.float32)


def scale64(x, e):
    """f64 scalar x * 2^e, rounded once, by exact rational numbers."""
    if x == 0 or not math.isfinite(x):
        return np.float64(x)
    try:
        return np.float64(float(Fraction(float(x)) * Fraction(2) ** int(e)))
    except OverflowError:
        return np.float64(math.copysign(math.inf, x))


def fixed(x, s):
    """Integers nearest to x * 2^s, ties to even; x f32, |x| * 2^s <= 2^30, so that the product is exact in f64."""
    return np.rint(np.asarray(x, np.float64) * 2.0**s).astype(np.int64)
