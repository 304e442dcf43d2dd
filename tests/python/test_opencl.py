"""The OpenCL plugin: same bits, compiled programs kept on disk, and drivers that misbehave.

A process has one OpenCL library, so every case runs in a process of its own. Misbehaviour comes from a library that
stands in front of the real one (stubs/opencl.c)."""

import ctypes.util
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

FIT = """
import json, sys, numpy as np, samebits
from samebits.ensemble import GradientBoostingClassifier
x = ((np.arange(3000) * 7919) % 1009).reshape(600, 5).astype(np.float32)
y = (x[:, 0] + x[:, 1] > 1000).astype(int)
try:
    model = GradientBoostingClassifier(n_estimators=5, device=sys.argv[1]).fit(x, y)
    print(json.dumps({"device": model.device_used_, "p": model.predict_proba(x).tobytes().hex()}))
except samebits.exceptions.SamebitsError as error:
    print(json.dumps({"error": type(error).__name__, "text": str(error)}))
"""


def run(cache, code=FIT, arguments=("opencl",), **variables):
    environment = {**os.environ, "SAMEBITS_CACHE_DIR": str(cache), **variables}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    first = run(folder)
    if "computes wrong bits" in first.get("text", ""):
        pytest.skip(first["text"])  # refused as it must be: nothing to test on this driver
    assert first.get("device", "").startswith("opencl"), first
    return folder


@pytest.fixture(scope="module")
def stub(tmp_path_factory):
    if platform.machine() != "x86_64":
        pytest.skip("the stub forwards by x86-64 jumps")
    folder = tmp_path_factory.mktemp("stub")
    source = Path(__file__).parent / "stubs" / "opencl.c"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", str(source), "-o", str(folder / "libOpenCL.so.1"), "-ldl"],
        check=True,
    )
    return folder


def real_library():
    name = ctypes.util.find_library("OpenCL")
    code = f"import ctypes; ctypes.CDLL({name!r}); print(*(l for l in open('/proc/self/maps') if 'libOpenCL' in l))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()[5]


def run_stub(stub, cache, what, **more):
    return run(
        cache,
        LD_LIBRARY_PATH=str(stub),
        STUB_OPENCL=what,
        STUB_OPENCL_REAL=real_library(),
        POCL_CACHE_DIR=str(cache / "pocl"),
        **more,
    )


def test_same_bits_as_the_cpu(cache):
    assert run(cache)["p"] == run(cache, arguments=("cpu",))["p"]


def test_a_well_behaved_driver_behind_the_stub_is_used(cache, stub):
    assert run_stub(stub, cache, "nothing")["device"] == "opencl:0"


def test_a_compiled_program_is_kept_and_a_damaged_one_is_made_again(cache):
    (kept,) = (cache / "opencl").iterdir()
    whole = kept.read_bytes()
    for damaged in (
        whole[:100],
        whole[:-1],
        bytes([whole[0] ^ 1]) + whole[1:],
        whole[:70] + b"\0" + whole[71:],
        b"",
    ):
        kept.write_bytes(damaged)
        assert run(cache)["device"] == "opencl:0"
        assert kept.read_bytes()[64:70] == whole[64:70] and len(kept.read_bytes()) > 64
    assert list((cache / "opencl").iterdir()) == [kept]


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run(blocked)["device"] == "opencl:0"


def test_a_driver_that_cannot_compile_is_refused_with_its_words(stub, tmp_path):
    refused = run_stub(stub, tmp_path, "build_fails")
    assert refused["error"] == "DeviceUnavailableError"
    for part in ("cannot compile", "CL_BUILD_PROGRAM_FAILURE", "kernels.cl:7: error: this driver cannot"):
        assert part in refused["text"]


def test_a_missing_capability_is_named(stub, tmp_path):
    refused = run_stub(stub, tmp_path, "no_fma")
    assert refused["error"] == "DeviceUnavailableError" and "CL_FP_FMA" in refused["text"]


def test_no_platform_is_named(stub, tmp_path):
    refused = run_stub(stub, tmp_path, "no_platform")
    assert refused["error"] == "DeviceUnavailableError" and "finds no platform" in refused["text"]


def test_a_library_that_cannot_be_opened_is_named(tmp_path):
    (tmp_path / "libOpenCL.so.1").write_text("not a library\n" * 40)
    refused = run(tmp_path / "cache", LD_LIBRARY_PATH=str(tmp_path))
    assert refused["error"] == "DeviceUnavailableError"
    assert "the OpenCL library cannot be opened" in refused["text"]


def test_a_driver_that_fuses_is_refused_by_its_answers(stub, tmp_path):
    refused = run_stub(stub, tmp_path, "contracts")
    assert refused["error"] == "DeviceUnavailableError"
    assert "wrong bits" in refused["text"] and "stage" in refused["text"]


def test_doctor_names_a_refused_device(stub, tmp_path):
    code = "import sys; from samebits.cli import main; sys.argv[1:] = ['doctor']; sys.exit(main())"
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(stub),
        "STUB_OPENCL": "no_fma",
        "STUB_OPENCL_REAL": real_library(),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1 and "refused: the device" in done.stdout and "CL_FP_FMA" in done.stdout


def test_auto_opens_no_opencl_driver(stub, tmp_path):
    answer = run(
        tmp_path,
        arguments=("auto",),
        LD_LIBRARY_PATH=str(stub),
        STUB_OPENCL="nothing",
        STUB_OPENCL_REAL="/nowhere",
    )
    assert not answer["device"].startswith("opencl")  # loading the stub without a real library would abort


def test_a_forked_child_is_refused(cache):
    code = FIT.replace(
        "try:",
        "samebits.code_object('opencl')\nimport os\npid = os.fork()\nif pid: os.wait(); sys.exit()\ntry:",
        1,
    )
    assert "forked child" in run(cache, code=code)["text"]
