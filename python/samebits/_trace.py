"""Identity cards: what a fit computed, stage by stage, as hashes."""

import contextlib
import contextvars
import hashlib
import sys

import numpy as np

from samebits import _core
from samebits._io import canonical_json, write_atomic

CARD_FORMAT = "samebits-card/1"
DOCUMENT_FORMAT = "samebits-verify/1"  # of samebits.verify.document

# The dtype words of stages and bundles.
NUMPY_DTYPES = {
    "f32": "<f4",
    "f64": "<f8",
    "i32": "<i4",
    "i64": "<i8",
    "u8": "u1",
    "u32": "<u4",
    "u64": "<u8",
}

_active = contextvars.ContextVar("samebits_trace", default=None)


def _canonical_bytes(array):
    """Little-endian, C-order bytes with the one NaN of the contract."""
    array = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
        array = array.astype(array.dtype.newbyteorder("<"))
    if array.dtype.kind == "f":
        missing = np.isnan(array)
        if missing.any():
            array = array.copy()
            array[missing] = np.nan
            bits = array.view(f"<u{array.dtype.itemsize}")
            bits[missing] = {4: 0x7FC00000, 8: 0x7FF8000000000000}[array.dtype.itemsize]
    return array.tobytes()


def input_record(name, array):
    """Name, dtype, shape and SHA-256 of an input array."""
    array = np.asarray(array)
    return {
        "name": name,
        "dtype": str(array.dtype),
        "shape": list(array.shape),
        "sha256": hashlib.sha256(_canonical_bytes(array)).hexdigest(),
    }


def stage_record(tag, array):
    """The record of an array as a stage, in the form of ``card["stages"]``."""
    array = np.asarray(array)
    words = {np.dtype(kind): word for word, kind in NUMPY_DTYPES.items()}
    return {
        "tag": tag,
        "dtype": words[array.dtype.newbyteorder("<")],
        "shape": list(array.shape),
        "count": int(array.size),
        "sha256": hashlib.sha256(_canonical_bytes(array)).hexdigest(),
    }


class Card(dict):
    """A card of this process: the plain, JSON-able dict, and beside it the stages' values when the trace kept them.

    Attributes
    ----------
    arrays : list of ndarray or None
        One little-endian array a stage, in the order of ``card["stages"]``; None: only hashes were kept.
    """

    arrays = None


class TraceLog:
    """What a ``with samebits.trace() as log`` block recorded: one card per fit, in order."""

    def __init__(self, keep_bytes=False):
        self.keep_bytes = bool(keep_bytes)
        self.cards = []

    def new_stages(self):
        """An empty list of stages for a fit to fill."""
        return _core.Trace(self.keep_bytes)

    def card(self, index=-1):
        """The card of a fit (the last one by default): a dict; with ``keep_bytes`` its attribute ``arrays`` has the
        values of the stages.

        Raises
        ------
        LookupError
            No fit ran inside the block.
        """
        if not self.cards:
            raise LookupError(
                "[trace] no fit ran inside the trace block; call fit inside `with samebits.trace()`"
            )
        return self.cards[index]

    def save(self, path, index=-1):
        """Write a card as canonical JSON; the file appears whole or not at all."""
        write_atomic(path, (canonical_json(self.card(index)) + "\n").encode("ascii"))


@contextlib.contextmanager
def trace(keep_bytes=False):
    """Record identity cards of the fits inside the block.

    Parameters
    ----------
    keep_bytes : bool, default=False
        Keep the values of every stage as well (``log.card().arrays``), so that a comparison can name the element that
        differs. Takes the memory of all stages: for boosting about 12 bytes a row and tree, and the histograms.

    Yields
    ------
    TraceLog
        ``log.card()`` is the card of the last fit, ``log.save(path)`` writes it.

    Notes
    -----
    Outside such a block nothing is hashed and a fit costs what it costs.
    """
    log = TraceLog(keep_bytes)
    token = _active.set(log)
    try:
        yield log
    finally:
        _active.reset(token)


def active():
    """The innermost open TraceLog of this context, or None."""
    return _active.get()


def make_card(estimator, params, inputs, device, stages):
    """A card (contract.md, "Evidence"). stages: of ``_core.Trace.stages()``; their bytes become ``card.arrays``."""
    build = _core.build_info()
    arrays = [stage_array(stage) for stage in stages] if stages and "bytes" in stages[0] else None
    card = Card(
        {
            "format": CARD_FORMAT,
            "profile": build["profile"],
            "library": {key: build[key] for key in ("version", "commit", "dirty", "broken_rule")},
            "estimator": estimator,
            "params": params,
            "inputs": inputs,
            "column": device["column"],
            "device": {key: device[key] for key in ("id", "name", "code_object", "driver")},
            "stages": [{key: value for key, value in stage.items() if key != "bytes"} for stage in stages],
        }
    )
    card.arrays = arrays
    return card


def stage_array(stage):
    return np.frombuffer(stage["bytes"], NUMPY_DTYPES[stage["dtype"]]).reshape(stage["shape"])
