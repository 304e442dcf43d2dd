"""Process-wide and context-wide settings: device, mode, number of threads."""

import contextlib
import contextvars
import os

from samebits.exceptions import InvalidInputError

MODES = ("identical", "deterministic", "fast")

_KEYS = ("device", "mode", "n_threads")
_process = dict.fromkeys(_KEYS)
_context = contextvars.ContextVar("samebits_config", default=None)


def check_mode(mode):
    """Return ``mode`` or refuse it, listing the three modes."""
    if mode not in MODES:
        raise InvalidInputError(f"[config] mode is {mode!r}, need one of {', '.join(map(repr, MODES))}")
    return mode


def check_n_threads(n_threads):
    """Return ``n_threads`` as an int of at least 1, or refuse it."""
    if isinstance(n_threads, bool) or not hasattr(n_threads, "__index__") or not 1 <= int(n_threads) <= 1024:
        raise InvalidInputError(f"[config] n_threads is {n_threads!r}, need an integer from 1 to 1024")
    return int(n_threads)


def check_device(device):
    """Return ``device`` or refuse what is not a non-empty text; whether it exists is asked when it is opened."""
    if not isinstance(device, str) or not device:
        raise InvalidInputError(
            f"[config] device is {device!r}, need a text such as 'auto', 'cpu' or 'cuda:0'"
        )
    return device


_CHECKS = {"device": check_device, "mode": check_mode, "n_threads": check_n_threads}


def _checked(settings):
    return {key: None if value is None else _CHECKS[key](value) for key, value in settings.items()}


def set_config(*, device=None, mode=None, n_threads=None):
    """Set process-wide defaults; ``None`` leaves a setting as it is.

    Parameters
    ----------
    device : str, 'auto', 'cpu', 'cuda', 'cuda:1', ...
    mode : {'identical', 'deterministic', 'fast'}
    n_threads : int, 1 to 1024

    Raises
    ------
    InvalidInputError
        A word or number that is not one of these.
    """
    changes = _checked({"device": device, "mode": mode, "n_threads": n_threads})
    _process.update({key: value for key, value in changes.items() if value is not None})


@contextlib.contextmanager
def config_context(*, device=None, mode=None, n_threads=None):
    """Like :func:`set_config`, for the code inside the ``with`` block of this thread or task only."""
    changes = _checked({"device": device, "mode": mode, "n_threads": n_threads})
    merged = dict(_context.get() or {})
    merged.update({key: value for key, value in changes.items() if value is not None})
    token = _context.set(merged)
    try:
        yield
    finally:
        _context.reset(token)


def _environment(key):
    text = os.environ.get(
        {"device": "SAMEBITS_DEVICE", "mode": "SAMEBITS_MODE", "n_threads": "SAMEBITS_NUM_THREADS"}[key]
    )
    if not text:
        return None
    if key == "n_threads":
        return check_n_threads(int(text) if text.isdigit() else text)
    return _CHECKS[key](text)


_DEFAULTS = {"device": "auto", "mode": "identical", "n_threads": None}


def resolve(key, own=None):
    """The setting in force: the estimator's own, the context's, the process's, the environment's, the default."""
    if own is not None:
        return _CHECKS[key](own)
    for source in (_context.get() or {}, _process):
        if source.get(key) is not None:
            return source[key]
    from_environment = _environment(key)
    return _DEFAULTS[key] if from_environment is None else from_environment


def config():
    """The settings in force here, as a plain dict; ``n_threads`` None means all hardware threads."""
    return {key: resolve(key) for key in _KEYS}
