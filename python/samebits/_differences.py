"""Where two arrays of one dtype and shape first differ in their bits, and by how much."""

import numpy as np


def first_difference(a, b, limit=0):
    """The first element, in C order, whose bits differ.

    Parameters
    ----------
    a, b : ndarray
        Of one dtype and shape.
    limit : int, default=0
        Above 0: so many of the elements that differ are listed as ``elements``, the first of them included.

    Returns
    -------
    dict or None
        None: the same bits. Otherwise

        - ``element``: list of indices, one a dimension;
        - ``a``, ``b``: both values as text; ``a_bits``, ``b_bits``: their bit patterns as hexadecimal text;
        - ``ulp``: steps from one to the other over the floats of that width (-0 and +0 are one step apart); for
          integers the absolute difference; None when one side is NaN;
        - ``different``, ``count``: how many elements differ, and of how many.
    """
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        raise ValueError(
            f"[compare] {a.dtype}{a.shape} and {b.dtype}{b.shape} are not element by element comparable"
        )
    bits_a, bits_b = _bits(a), _bits(b)
    different = np.flatnonzero(bits_a != bits_b)
    if different.size == 0:
        return None
    elements = [_element(a, b, bits_a, bits_b, int(at)) for at in different[: max(1, limit)]]
    found = {**elements[0], "different": int(different.size), "count": int(a.size)}
    return found if limit == 0 else {**found, "elements": elements}


def _element(a, b, bits_a, bits_b, at):
    x, y = a.reshape(-1)[at], b.reshape(-1)[at]
    width = 2 * a.dtype.itemsize
    return {
        "element": [int(i) for i in np.unravel_index(at, a.shape)],
        "a": str(x),
        "b": str(y),
        "a_bits": f"0x{int(bits_a[at]):0{width}x}",
        "b_bits": f"0x{int(bits_b[at]):0{width}x}",
        "ulp": _steps(x, y),
    }


def difference_text(d):
    """One line for people: place, both values, bit patterns, ulps, how many differ."""
    place = ", ".join(map(str, d["element"]))
    steps = "one is NaN" if d["ulp"] is None else f"{d['ulp']:,} ulp apart"
    return (
        f"element [{place}]: {d['a']} ({d['a_bits']}) and {d['b']} ({d['b_bits']}), {steps}; "
        f"{d['different']:,} of {d['count']:,} elements differ"
    )


def _bits(array):
    return array.reshape(-1).view(f"{array.dtype.byteorder.replace('|', '=')}u{array.dtype.itemsize}")


def _steps(x, y):
    if x.dtype.kind != "f":
        return abs(int(x) - int(y))
    if np.isnan(x) or np.isnan(y):
        return None
    return abs(_rank(x) - _rank(y))


def _rank(x):
    """Place among the floats: negative ones count down from -1, so that -0 is -1 and +0 is 0."""
    bits, sign = int(_bits(np.asarray(x))[0]), 1 << (8 * x.dtype.itemsize - 1)
    return -1 - (bits - sign) if bits >= sign else bits
