"""Model files: safetensors with one canonical JSON text, so that the same model has the same bytes everywhere (C12).

The file holds no time, path, device or column: those would differ between machines that computed the same model."""

import json
import os

import numpy as np

from samebits import _core
from samebits._environment import in_own_environment
from samebits._io import canonical_json, write_atomic
from samebits.exceptions import InvalidInputError, ModelFormatError

FORMAT = "samebits-model/1"
_KEY = "samebits"


def _init_params(estimator):
    from samebits.ensemble._gradient_boosting import PLACEMENT
    from samebits.ensemble._validation import seed_of

    params = {k: v for k, v in estimator.get_params(deep=False).items() if k not in PLACEMENT}
    params["random_state"] = seed_of(params["random_state"])
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}


def _head(estimator, scalars, metadata):
    build = _core.build_info()
    head = {
        "format": FORMAT,
        "profile": build["profile"],
        "version": build["version"],
        "mode": estimator.mode_used_,
        "estimator": type(estimator).__name__,
        "params": _init_params(estimator),
        "model": scalars,
        "n_iter": estimator.n_iter_,
        "best_iteration": estimator.best_iteration_,
        "evals_result": estimator.evals_result_,
        "user": metadata if metadata is not None else estimator.user_metadata_,
    }
    if hasattr(estimator, "feature_names_in_"):
        head["feature_names"] = [str(name) for name in estimator.feature_names_in_]
    if hasattr(estimator, "classes_"):
        dtype = estimator.classes_.dtype
        head["classes"] = {
            "dtype": "object" if dtype.kind == "O" else dtype.str,
            "values": estimator.classes_.tolist(),
        }
    return head


@in_own_environment
def to_bytes(estimator, metadata=None):
    """The content of the file that :func:`save` writes."""
    from safetensors.numpy import save as serialised

    content = estimator._model.to_dict()
    tensors = {name: value for name, value in content.items() if isinstance(value, np.ndarray)}
    scalars = {name: value for name, value in content.items() if not isinstance(value, np.ndarray)}
    try:
        head = canonical_json(_head(estimator, scalars, metadata))
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            f"[save] metadata or class labels cannot be written as JSON: {error}"
        ) from error
    return serialised(tensors, metadata={_KEY: head})


@in_own_environment
def save(estimator, path, metadata=None):
    """Write a fitted estimator; see ``GradientBoostingClassifier.save``."""
    write_atomic(path, to_bytes(estimator, metadata))


@in_own_environment
def without_version(data):
    """The bytes of a model file that a new version of the library keeps: its header without padding and with an empty
    version, then the tensors. Two files with equal results here hold the same model under the same profile."""
    size = int.from_bytes(data[:8], "little")
    text = data[8 : 8 + size].rstrip(b" ")
    version = json.loads(json.loads(text)["__metadata__"][_KEY])["version"]
    named, unnamed = (json.dumps(f'"version":{json.dumps(v)}')[1:-1].encode() for v in (version, ""))
    at = text.rfind(named)  # the last key of the sorted head, behind anything the user stored
    if size != -(-len(text) // 8) * 8 or at < 0:
        raise ModelFormatError("[model] the header is not in the form that this version writes")
    return text[:at] + unnamed + text[at + len(named) :] + data[8 + size :]


def _read(path):
    from safetensors import SafetensorError, safe_open

    path = os.fspath(path)
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError) as error:
        raise ModelFormatError(
            f"[load] {path!r} cannot be read as a safetensors file: {error}; "
            "it is missing, truncated or of another kind"
        ) from error
    if _KEY not in metadata:
        raise ModelFormatError(
            f"[load] {path!r} is a safetensors file of another program, need one written by samebits"
        )
    try:
        head = json.loads(metadata[_KEY])
    except json.JSONDecodeError as error:
        raise ModelFormatError(f"[load] {path!r} has damaged metadata: {error}") from error
    _check_head(path, head)
    return head, tensors


def _check_head(path, head):
    found = head.get("format") if isinstance(head, dict) else None
    if found != FORMAT:
        raise ModelFormatError(
            f"[load] {path!r} has the format {found!r}, this version reads {FORMAT!r}; update samebits if it is newer"
        )
    profile = _core.build_info()["profile"]
    if head.get("profile") != profile:
        raise ModelFormatError(
            f"[load] {path!r} is of profile {head.get('profile')!r}, this library computes {profile!r}"
        )


def _estimators():
    from samebits import ensemble

    return {name: getattr(ensemble, name) for name in ensemble.__all__}


@in_own_environment
def load(path, wanted=None):
    """Read an estimator; ``wanted`` is the class it must be, or None."""
    from samebits.ensemble._validation import core_params

    head, tensors = _read(path)
    known = _estimators()
    try:
        cls = known[head["estimator"]]
        if wanted is not None and cls is not wanted:
            raise ModelFormatError(
                f"[load] {os.fspath(path)!r} holds a {cls.__name__}, asked for a {wanted.__name__}; "
                "use samebits.load_model"
            )
        estimator = cls(**head["params"])
        estimator._grown_with = core_params(estimator, estimator._loss)
        estimator._model = _core.BoostingModel.from_dict({**tensors, **head["model"]})
        estimator.n_features_in_ = estimator._model.n_features
        estimator.n_iter_ = int(head["n_iter"])
        estimator.best_iteration_ = int(head["best_iteration"])
        estimator.evals_result_ = head["evals_result"]
        estimator.user_metadata_ = head["user"]
        if estimator.evals_result_:
            last = estimator.evals_result_[
                max(estimator.evals_result_, key=lambda name: int(name.split("_")[1]))
            ]
            estimator.best_score_ = next(iter(last.values()))[estimator.best_iteration_ - 1]
        estimator.mode_used_ = head["mode"]
        if "feature_names" in head:
            estimator.feature_names_in_ = np.array(head["feature_names"], dtype=object)
        if "classes" in head:
            estimator.classes_ = np.array(head["classes"]["values"], dtype=np.dtype(head["classes"]["dtype"]))
    except (KeyError, TypeError, IndexError, AttributeError, InvalidInputError) as error:
        raise ModelFormatError(f"[load] {os.fspath(path)!r} is malformed: {error!r}") from error
    if not 0 <= estimator.best_iteration_ <= estimator._model.n_trees:
        raise ModelFormatError(
            f"[load] {os.fspath(path)!r} is malformed: best_iteration {estimator.best_iteration_}"
        )
    return estimator


def load_model(path):
    """Read a model file of any estimator.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    The fitted estimator.

    Raises
    ------
    ModelFormatError
        The file is missing, truncated, foreign, malformed or from a newer version.
    """
    return load(path)
