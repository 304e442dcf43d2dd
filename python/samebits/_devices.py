"""What this machine has, and opening it."""

import glob
import os
import threading
import warnings

from samebits import _core
from samebits._config import resolve
from samebits.exceptions import DeviceUnavailableError


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


def support():
    """Rows (estimator, backend, mode, runs_as, state, columns) of this version.

    state: 'certified' - a run on this backend is recorded and ships with the package, ``columns`` names where;
    'runs' - usable on this machine, no recorded column; 'refused' - its plugin is here but was refused;
    'pending' - neither."""
    from samebits._evidence import recorded_columns

    recorded = sorted(recorded_columns())
    reports = {report["name"]: report for report in backends()}
    rows = []
    for estimator in ("GradientBoostingClassifier", "GradientBoostingRegressor"):
        for backend in ("reference", "cpu", "cuda", "hip", "opencl", "metal"):
            columns = [column for column in recorded if column.split("-")[0] == backend]
            report = reports.get(backend, {"status": "missing", "device_count": 0})
            state = "pending"
            if report["status"] == "refused":
                state = "refused"
            elif columns:
                state = "certified"
            elif report["device_count"] > 0:
                state = "runs"
            row = {
                "estimator": estimator,
                "backend": backend,
                "runs_as": "identical",
                "state": state,
                "columns": columns,
            }
            rows += [{**row, "mode": mode} for mode in ("identical", "deterministic", "fast")]
    return rows


def gpu_visible(backend):
    """Does the kernel driver of a backend's vendor show a GPU that the user has not hidden?"""
    if backend == "cuda":
        return not _hidden("CUDA_VISIBLE_DEVICES") and os.path.exists("/proc/driver/nvidia/version")
    if backend == "hip":
        hidden = _hidden("HIP_VISIBLE_DEVICES") or _hidden("ROCR_VISIBLE_DEVICES")
        return not hidden and any(map(_is_gpu, glob.glob("/sys/class/kfd/kfd/topology/nodes/*/properties")))
    return False


def _hidden(variable):
    return os.environ.get(variable, "0").strip() in ("", "-1")


def _is_gpu(node):
    """A node of AMD's kernel driver with SIMD units; processors are nodes too."""
    try:
        with open(node) as file:
            return any(line.split()[0] == "simd_count" and line.split()[1] != "0" for line in file)
    except (OSError, IndexError):
        return False


_warned = set()


def _warn_unusable_gpus():
    """loader behaviour 4: a visible GPU whose plugin cannot be used is named once; strict mode refuses."""
    for report in _core.backends(automatic_only=True):
        if report["name"] in ("cpu", "reference", *_warned):
            continue
        # Devices and a reason: there are some, and every one of them is refused.
        visible = bool(report["reason"]) if report["device_count"] else gpu_visible(report["name"])
        if not visible:
            continue
        text = (
            f"[device] a GPU for the {report['name']} backend is visible but cannot be used: {report['reason']}; "
            "running on the cpu (same bits, another speed). Run `samebits doctor` for details."
        )
        if os.environ.get("SAMEBITS_STRICT_DEVICE") == "1":
            raise DeviceUnavailableError(text)
        _warned.add(report["name"])
        warnings.warn(text, RuntimeWarning, stacklevel=4)


_opened = threading.local()
_inherited = []


def open_device(device=None, n_threads=None):
    """The device that ``device`` (or the configuration) names, opened once per thread and process; refused by name when
    it cannot be had."""
    name = resolve("device", device)
    threads = resolve("n_threads", n_threads) or 0
    if name == "auto":
        _warn_unusable_gpus()
    # What a device is depends on these too; a forked child must never use its parent's.
    settings = tuple(os.environ.get(f"SAMEBITS_{key}") for key in ("CPU_ISA", "CODE_OBJECT", "NUM_THREADS"))
    key = (os.getpid(), name, threads, settings)
    if getattr(_opened, "key", None) != key:
        if (getattr(_opened, "key", None) or key)[0] != os.getpid():
            _inherited.append(_opened.device)  # closing it would call the parent's driver from the child
        _opened.key = _opened.device = None  # a refusal below must not leave half of it
        _opened.device = _core.Device.open(name, threads)
        _opened.key = key
    return _opened.device
