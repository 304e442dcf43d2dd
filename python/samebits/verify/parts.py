"""One estimator with one setting on one fixture, on one device: what it computes, part by part.

Every part is a list of stages (tag, dtype, shape, SHA-256), as in an identity card. Parts that check a run against
itself carry the stages that they must equal as well.
"""

import dataclasses
import itertools
import os
import tempfile

import numpy as np
from sklearn.base import clone

import samebits
from samebits import _model_file, ensemble
from samebits._trace import stage_record
from samebits.exceptions import SamebitsError
from samebits.verify.settings import ESTIMATORS

PARTS = ("train", "model", "predict", "batch", "save_load", "continue")


@dataclasses.dataclass
class Part:
    """``stages`` and, when the values were kept, ``arrays``; or why there are none: ``refused`` or ``pending``.

    ``own``: the part of the same run that this one must equal stage by stage, None where only another run can tell."""

    stages: list = None
    arrays: list = None
    own: "Part" = None
    refused: str = None
    pending: str = None


@dataclasses.dataclass(frozen=True)
class Place:
    """Where to compute; None leaves the choice to the configuration."""

    device: str = None
    n_threads: int = None


def of_arrays(arrays, keep):
    """A part from {tag: array}, in order."""
    stages = [stage_record(tag, array) for tag, array in arrays.items()]
    return Part(stages, list(arrays.values()) if keep else None)


def run_parts(estimator, setting, data, place, *, weighted=False, keep=False):
    """{part name: Part}, all of them.

    Parameters
    ----------
    estimator : str, a key of ESTIMATORS
    setting : Setting
    data : Data
    place : Place
    weighted : bool
        Use the weights whatever the setting says.
    keep : bool
        Keep the values beside the hashes.
    """
    try:
        given = _given(estimator, setting, data, weighted)
        model = getattr(ensemble, estimator)(**setting.params, device=place.device, n_threads=place.n_threads)
        train = _fit(model, *given, keep)
    except SamebitsError as error:
        return {name: Part(refused=str(error)) for name in PARTS}
    rows = data.new_rows()
    makers = {
        "model": lambda: _model(model, keep),
        "predict": lambda: _predict(model, rows, keep),
        "batch": lambda: _batch(model, rows, keep),
        "save_load": lambda: _save_load(model, rows, keep),
        "continue": lambda: _continue(model, train, *given, keep),
    }
    parts = {"train": train}
    for name in PARTS[1:]:
        try:
            parts[name] = makers[name]()
        except SamebitsError as error:
            parts[name] = Part(refused=str(error))
    return parts


def _given(estimator, setting, data, weighted):
    """(X, y, the other arguments of fit)"""
    target, target_valid = data.target(ESTIMATORS[estimator])
    weighted = weighted or setting.weighted
    held_out = [(data.X_valid, target_valid, data.weight_valid if weighted else None)]
    rest = {
        "sample_weight": data.weight if weighted else None,
        "eval_set": held_out if setting.held_out else None,
    }
    return data.X, target, rest


def _fit(model, X, y, rest, keep):
    with samebits.trace(keep) as log:
        model.fit(X, y, **rest)
    return Part(log.card()["stages"], log.card().arrays)


def _model(model, keep):
    """The tensors one by one, so that a difference is named, then the file. See ``_model_file.without_version``: a hash
    of the whole file would change with every version of the library."""
    content = model._model.to_dict()
    arrays = {
        f"tensor/{name}": value for name, value in sorted(content.items()) if isinstance(value, np.ndarray)
    }
    arrays["losses"] = np.array(
        [loss for held_out in model.evals_result_.values() for losses in held_out.values() for loss in losses]
    )
    arrays["trees"] = np.array([model.n_iter_, model.best_iteration_], dtype=np.int64)
    arrays["file"] = _file(model)
    return of_arrays(arrays, keep)


def _file(model):
    return np.frombuffer(_model_file.without_version(_model_file.to_bytes(model)), np.uint8)


def _methods(model):
    """{method: call} of everything that predicts."""
    raw = ["decision_function", "predict_proba", "predict"] if hasattr(model, "classes_") else ["predict"]
    calls = {name: getattr(model, name) for name in [*raw, "apply"]}
    for name in raw:
        staged = getattr(model, f"staged_{name}")
        calls[f"staged_{name}"] = lambda rows, staged=staged: _stack(staged(rows), len(rows))
    return calls


def _stack(parts, n_rows):
    parts = list(parts)  # none when early stopping found that no tree was better than none
    return np.stack(parts) if parts else np.empty((0, n_rows))


def _predict(model, rows, keep):
    arrays = {name: call(rows) for name, call in _methods(model).items()}
    arrays["feature_importances_"] = model.feature_importances_
    return of_arrays(arrays, keep)


def _batch(model, rows, keep):
    """The same rows in pieces of odd sizes, alone and in reversed order (C10)."""
    methods = _methods(model)
    names = [name for name in ("decision_function", "predict_proba", "predict", "apply") if name in methods]
    alone = [*range(min(3, len(rows))), *range(max(3, len(rows) - 3), len(rows))]
    cut, whole = {}, {}
    for name in names:
        call = methods[name]
        full = call(rows)
        cut[f"odd pieces/{name}"] = np.concatenate([call(rows[a:b]) for a, b in _odd_pieces(len(rows))])
        cut[f"reversed/{name}"] = call(rows[::-1])[::-1]
        cut[f"single rows/{name}"] = np.concatenate([call(rows[i : i + 1]) for i in alone])
        whole |= {f"odd pieces/{name}": full, f"reversed/{name}": full, f"single rows/{name}": full[alone]}
    part = of_arrays(cut, keep)
    part.own = of_arrays(whole, keep)
    return part


def _odd_pieces(n):
    """(begin, end) of pieces of 1, 3, 7, 15, ... rows."""
    begin = 0
    for power in itertools.count(1):
        if begin >= n:
            return
        end = min(n, begin + 2**power - 1)
        yield begin, end
        begin = end


def _save_load(model, rows, keep):
    """The file is written, read and written again."""
    loaded = _through_a_file(model)
    names = ("decision_function", "predict_proba", "predict", "apply")
    after, before = {}, {}
    for name in (name for name in names if name in _methods(model)):
        after[f"loaded/{name}"] = getattr(loaded, name)(rows)
        before[f"loaded/{name}"] = getattr(model, name)(rows)
    after["saved again"], before["saved again"] = _file(loaded), _file(model)
    part = of_arrays(after, keep)
    part.own = of_arrays(before, keep)
    return part


def _through_a_file(model):
    """The model saved and loaded, at the same place."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        model.save(path)
        loaded = samebits.load_model(path)
    return loaded.set_params(device=model.device, n_threads=model.n_threads)


def _continue(model, train, X, y, rest, keep):
    """Half of the trees, saved, loaded and continued: the stages of the new trees, and the file, are those of the fit
    in one go."""
    n, half = model.n_estimators, max(1, model.n_iter_ // 2)
    first = clone(model).set_params(n_estimators=half).fit(X, y, **rest)
    second = _through_a_file(first).set_params(n_estimators=n, warm_start=True)
    part = _fit(second, X, y, rest, keep)
    old = tuple(f"tree/{k}/" for k in range(half))
    new = [k for k, stage in enumerate(train.stages) if not stage["tag"].startswith(old)]
    part.own = Part(
        [train.stages[k] for k in new], [train.arrays[k] for k in new] if train.arrays is not None else None
    )
    for each, of in ((part, second), (part.own, model)):
        file = _file(of)
        each.stages.append(stage_record("file", file))
        if keep:
            each.arrays.append(file)
    return part
