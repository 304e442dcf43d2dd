"""Two devices of this machine beside each other, on the user's own data."""

import time

import numpy as np

from samebits._devices import open_device
from samebits.exceptions import InvalidInputError
from samebits.verify import document as documents
from samebits.verify import evidence, run
from samebits.verify.fixtures import Data
from samebits.verify.outcome import Outcome, judge_cell
from samebits.verify.parts import Place, run_parts
from samebits.verify.settings import ESTIMATORS, SETTINGS

_QUICK = ("lossguide", "depthwise", "symmetric")
_HELD_OUT = 5  # every fifth row is held out


def data_of_table(table, target, task=None, weight=None, encode=None):
    """(Data, task) of columns of a :class:`samebits.cli.tables.Table`, taken as by `samebits fit`."""
    from samebits.cli import features

    column = table.column(target, "target")
    weights = None if weight is None else features.numbers(table.column(weight, "weight"), weight, table.path)
    recipe = features.Recipe.learn(table, [name for name in (target, weight) if name is not None], encode)
    task = task or task_of(column)
    y = np.asarray(features.labels(column, target, table.path, task))
    return data_of(np.ascontiguousarray(recipe.build(table)), y, task, weights), task


def data_of(X, y, task, weight=None):
    """Every fifth row held out, the others for training.

    Parameters
    ----------
    X : ndarray of shape (rows, features), numbers
    y : ndarray of shape (rows,): numbers, or for 'classification' two distinct labels, which are numbered
    task : {'classification', 'regression'}
    weight : ndarray of shape (rows,) or None
        None: every row counts as one, and settings with weights use 1, 2, 3, 1, 2, 3, ...
    """
    rows = len(y)
    if rows < 2:
        raise InvalidInputError(f"[verify] the data has {rows} row, need at least 2: one is held out")
    held_out = np.arange(rows) % _HELD_OUT == _HELD_OUT - 1
    held_out[-1] = True
    weight = 1.0 + np.arange(rows) % 3 if weight is None else weight
    target = np.zeros(rows) if task == "classification" else y
    label = np.unique(y, return_inverse=True)[1] if task == "classification" else np.zeros(rows, np.int64)
    columns = (X, target, label, weight)
    return Data(*(c[~held_out] for c in columns), *(c[held_out] for c in columns))


def task_of(y):
    """'classification' when the target has exactly two distinct values or holds texts, else 'regression'."""
    y = np.asarray(y)
    return "classification" if y.dtype.kind not in "fiu" or len(np.unique(y)) == 2 else "regression"


def cross_check(a, b, data, task, *, weighted=False, quick=False, name="your data", n_threads=None):
    """Everything that `verify` computes, on two devices, on one data set.

    Parameters
    ----------
    a, b : str
        Device names; ``b`` is judged, ``a`` is what it is compared with.
    data : Data
    task : {'classification', 'regression'}
    weighted : bool
        All settings use the weights.
    quick : bool
        Three settings, one a growth policy, in place of all.

    Returns
    -------
    (Outcome, dict)
        The verdicts, and the verify document of ``b``. With the values of both sides at hand every difference names its
        first element.
    """
    start = time.perf_counter()
    places = Place(a, n_threads), Place(b, n_threads)
    infos = [open_device(place.device, n_threads).info() for place in places]
    writers = [documents.Writer(info) for info in infos]
    inputs = data.inputs()
    outcome = Outcome(
        [], run.shown(infos[1]), f"{a} ({infos[0]['column']})", {name: inputs}, run.broken_build()
    )
    estimator = next(known for known, of in ESTIMATORS.items() if of == task)
    for setting in _QUICK if quick else SETTINGS:
        names = (estimator, setting, name)
        first, second = (
            run_parts(estimator, SETTINGS[setting], data, p, weighted=weighted, keep=True) for p in places
        )
        for writer, parts in zip(writers, (first, second)):
            writer.add_fixture(name, inputs)
            writer.add_cell(*names, parts)
        verdicts = list(judge_cell(names, second, writers[0].document()))
        _add_values(verdicts, first, second)
        outcome.verdicts.extend(verdicts)
    outcome.seconds = time.perf_counter() - start
    return outcome, writers[1].document()


def _add_values(verdicts, first, second):
    for verdict in verdicts:
        if verdict.state == "divergent" and verdict.beside == "the document":
            verdict.beside = "the other device"
            verdict.reason = verdict.reason.replace("the document", "the other device")
            evidence.fill(verdict, second[verdict.part], first[verdict.part])
