"""What this machine has, and opening it."""

import os
import warnings

from samebits import _core
from samebits._config import resolve
from samebits.exceptions import DeviceUnavailableError, InvalidInputError


def devices():
    """Every device of every loaded backend, as plain dicts (id, name, column, code_object, driver, ...)."""
    return _core.devices()


def backends():
    """Every backend and plugin as the loader judged it, with the reason of a refusal."""
    return _core.backends()


def build_info():
    """Version, commit, compiler, profile and CPU instruction sets of the loaded library."""
    return _core.build_info()


def device_reason():
    """A sentence that says what ``device='auto'`` takes here, and why."""
    return _core.auto_device_reason()


def code_object(device="auto"):
    """What really runs on a device: dict with device, column, code_object, architecture and driver."""
    info = open_device(device).info()
    return {key: info[key] for key in ("id", "column", "code_object", "architecture", "driver")}


def _evidence(column, recorded):
    if column in recorded:
        return "certified"
    return "runs"


def support():
    """Rows (estimator, backend, mode, state): state is 'certified' (a recorded column ships with the package), 'runs',
    'pending' or 'refused'."""
    from samebits._evidence import recorded_columns

    recorded = recorded_columns()
    rows = []
    present = {device["id"].split(":")[0]: device for device in devices()}
    for estimator in ("GradientBoostingClassifier", "GradientBoostingRegressor"):
        for backend in ("reference", "cpu", "cuda", "hip", "opencl", "metal"):
            for mode in ("identical", "deterministic", "fast"):
                if backend in present:
                    state = _evidence(present[backend]["column"], recorded)
                elif backend in ("cpu", "cuda"):
                    state = "certified" if any(c.startswith(backend) for c in recorded) else "pending"
                else:
                    state = "pending"
                rows.append(
                    {
                        "estimator": estimator,
                        "backend": backend,
                        "mode": mode,
                        "runs_as": "identical",
                        "state": state,
                    }
                )
    return rows


_warned = set()


def _warn_unusable_gpus():
    """loader behaviour 4: a visible GPU whose plugin cannot be used is named once; strict mode refuses."""
    for report in _core.backends():
        if report["name"] in ("cpu", "reference") or report["device_count"] > 0:
            continue
        visible = report["name"] == "cuda" and os.path.exists("/proc/driver/nvidia/version")
        if not visible or report["name"] in _warned:
            continue
        text = (
            f"[device] a GPU for the {report['name']} backend is visible but cannot be used: {report['reason']}; "
            "running on the cpu (same bits, another speed). Run `samebits doctor` for details."
        )
        if os.environ.get("SAMEBITS_STRICT_DEVICE") == "1":
            raise DeviceUnavailableError(text)
        _warned.add(report["name"])
        warnings.warn(text, RuntimeWarning, stacklevel=4)


def open_device(device=None, n_threads=None):
    """Open the device that ``device`` (or the configuration) names; refuse by name when it cannot be had."""
    name = resolve("device", device)
    threads = resolve("n_threads", n_threads) or 0
    if name == "auto":
        _warn_unusable_gpus()
    return _core.Device.open(name, threads)


def check_mode_available(mode):
    """Modes are accepted by every estimator; those without a faster path run the identical kernels."""
    if mode not in ("identical", "deterministic", "fast"):
        raise InvalidInputError(f"[mode] {mode!r} is not a mode")
    return "identical"
