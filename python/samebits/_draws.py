"""Arrays from Philox words and exact arithmetic: the same bytes on every machine, whatever NumPy is installed."""

import numpy as np

from samebits import primitives


class Draws:
    """One array after the other from the stream (seed, purpose); every array has a `draw` number of its own, so that no
    array depends on the length of another."""

    def __init__(self, seed, purpose):
        self._seed = seed
        self._purpose = purpose
        self._next = 0

    def four_words(self, n):
        """uint32 array of shape (n, 4)."""
        self._next += 1
        return primitives.philox_words(self._seed, self._purpose, np.arange(n, dtype=np.uint64), self._next)

    def words(self, n):
        """uint64 array of shape (n,)."""
        four = self.four_words(n)
        return four[:, 0].astype(np.uint64) | four[:, 1].astype(np.uint64) << np.uint64(32)

    def below(self, n, bound):
        """int64 array of shape (n,), integers in [0, bound)."""
        return primitives.below(self.words(n), np.full(n, bound, np.uint32)).astype(np.int64)

    def uniform(self, n):
        """float64 array of shape (n,) in [0, 1)."""
        return primitives.uniform_f64(self.words(n))

    def uniform_f32(self, n, columns):
        """float32 array of shape (n, columns) in [0, 1); four columns a draw."""
        parts = [self.four_words(n) for _ in range(-(-columns // 4))]
        words = np.concatenate(parts, axis=1)[:, :columns]
        return primitives.uniform_f32(np.ascontiguousarray(words).reshape(-1)).reshape(n, columns)

    def bell(self, n):
        """Sums of four uniforms, mean 0: near enough to normal for a test."""
        return (self.uniform(n) + self.uniform(n)) + (self.uniform(n) + self.uniform(n)) - 2.0

    def floats(self, n, lowest, highest, dtype=np.float64):
        """Random sign and significand, exponents from lowest to highest (powers of two)."""
        bits, bias = (52, 1023) if dtype == np.float64 else (23, 127)
        unsigned = np.uint64 if dtype == np.float64 else np.uint32
        word = self.words(n)
        exponent = (self.below(n, highest - lowest + 1) + lowest + bias).astype(np.uint64)
        sign = (word >> np.uint64(63)) << np.uint64(8 * np.dtype(dtype).itemsize - 1)
        value = sign | exponent << np.uint64(bits) | word & np.uint64(2**bits - 1)
        return value.astype(unsigned).view(dtype)
