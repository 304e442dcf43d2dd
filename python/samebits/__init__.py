"""samebits: machine learning that returns the same bits everywhere."""

import importlib
import os

from samebits import _core, exceptions

_core.set_plugin_folder(os.path.dirname(os.path.abspath(__file__)))

from samebits._config import config, config_context, set_config  # noqa: E402
from samebits._devices import (  # noqa: E402
    backends,
    build_info,
    code_object,
    device_reason,
    devices,
    support,
)
from samebits._trace import trace  # noqa: E402

__version__ = _core.build_info()["version"]

__all__ = [
    "__version__",
    "backends",
    "build_info",
    "code_object",
    "compare",
    "config",
    "config_context",
    "conformance",
    "device_reason",
    "devices",
    "ensemble",
    "exceptions",
    "load_model",
    "primitives",
    "set_config",
    "support",
    "trace",
]

_LAZY_MODULES = ("compare", "conformance", "ensemble", "primitives")


def __getattr__(name):
    # scikit-learn is imported with the first estimator, not with the package.
    if name in _LAZY_MODULES:
        return importlib.import_module(f"samebits.{name}")
    if name == "load_model":
        return importlib.import_module("samebits._model_file").load_model
    raise AttributeError(f"module 'samebits' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
