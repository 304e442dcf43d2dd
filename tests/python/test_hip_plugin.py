"""The HIP plugin where there is no AMD GPU: refusals by name, and its host side on the emulated library.

The emulated library is made by the test run (`./dev test`, part "GPU kernels, emulated"); without it those tests are
skipped, and so is all of it where the plugin was not built."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

import samebits

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(samebits.__file__).parent
EMULATED = next(iter(sorted(ROOT.glob("build/*/emulated_hip/libamdhip64.so.6"))), None)
REPORT = next((report for report in samebits.backends() if report["name"] == "hip"), {"status": "missing"})

pytestmark = pytest.mark.skipif(
    REPORT["status"] != "loaded", reason=f"HIP plugin: {REPORT.get('reason', 'none')}"
)
emulated = pytest.mark.skipif(EMULATED is None, reason="no emulated HIP library in build/")

FIT = """
    import numpy as np, samebits
    from conftest import make_data
    from samebits.ensemble import GradientBoostingRegressor as R
    X, y = make_data(400, 5, missing=True)
    def fit(device):
        return R(n_estimators=2, max_depth=3, device=device).fit(X, y)
"""


def run(code, library=None, **environment):
    """A process of its own: the driver is opened once for its life."""
    folders = f"{ROOT / 'tests' / 'python'}:{PACKAGE.parent}"
    env = {**os.environ, "PYTHONPATH": folders, **environment}
    if library is not None:
        env["LD_LIBRARY_PATH"] = f"{pathlib.Path(library).parent}:{env.get('LD_LIBRARY_PATH', '')}"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FIT) + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=300,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


REFUSAL = """
try:
    fit("hip")
except samebits.exceptions.DeviceUnavailableError as error:
    print(error)
"""


@pytest.mark.skipif(os.path.exists("/opt/rocm/lib/libamdhip64.so"), reason="this machine has the HIP library")
def test_machine_without_the_library():
    text = run(REFUSAL)
    assert "asked for 'hip'" in text and "looked for libamdhip64.so.6, libamdhip64.so.5" in text, text
    assert "install the HIP runtime of ROCm" in text


def test_library_that_is_none(tmp_path):
    broken = tmp_path / "libamdhip64.so.6"
    broken.write_text("this is no library, but long enough to be looked at" * 20)
    text = run(REFUSAL, broken)
    assert "libamdhip64.so.6: " in text and "invalid ELF header" in text, text


@emulated
def test_same_bits_on_the_emulated_library():
    text = run(
        """
        device = [d for d in samebits.devices() if d["vendor"] == "amd"]
        print([(d["id"], d["column"], d["architecture"]) for d in device])
        import os
        fit("hip").save("a"), fit("cpu").save("b")
        print(open("a", "rb").read() == open("b", "rb").read(), fit("auto").device_used_)
        os.remove("a"), os.remove("b")
        """,
        EMULATED,
        SAMEBITS_BACKEND_PATH="",
    )
    assert text.splitlines()[0] == "[('hip:0', 'hip-emulated', 'gfx942')]", text
    assert text.splitlines()[1].startswith("True"), text


@emulated
def test_architecture_without_code_object():
    text = run(REFUSAL + 'print(fit("auto").device_used_)', EMULATED, SAMEBITS_EMULATED_HIP="gfx1030")
    assert "no code object fits on emulated device (gfx1030)" in text, text
    assert ", ".join(REPORT["code_objects"]) in text and "SAMEBITS_HIP_ARCHITECTURES" in text
    assert text.splitlines()[-1] == "cpu"


@emulated
def test_auto_says_once_that_it_cannot_use_the_gpu():
    text = run(
        """
        import warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(fit("auto").device_used_, fit("auto").device_used_)
        print(*[warning.message for warning in caught], sep="\\n")
        """,
        EMULATED,
        SAMEBITS_EMULATED_HIP="gfx1030",
    )
    used, warning = text.splitlines()
    assert used == "cpu cpu" and "a GPU for the hip backend is visible" in warning and "(gfx1030)" in warning


@emulated
def test_every_device_is_judged_on_its_own():
    text = run(
        'print(fit("hip:1").device_used_, samebits.device_reason())',
        EMULATED,
        SAMEBITS_EMULATED_HIP="gfx1030,gfx90a",
    )
    assert text.startswith("hip:1 ") and "auto takes hip:1" in text and "gfx1030" not in text, text


@emulated
@pytest.mark.parametrize("asked", ["gfx90a", "ptx", "nothing"])
def test_asked_for_a_code_object_that_does_not_fit(asked):
    text = run(REFUSAL, EMULATED, SAMEBITS_CODE_OBJECT=asked)
    assert f"SAMEBITS_CODE_OBJECT asks for '{asked}', which cannot run on emulated device (gfx942)" in text, (
        text
    )


@emulated
@pytest.mark.parametrize("asked", ["gfx942", "native"])
def test_asked_for_a_code_object_that_fits(asked):
    assert run('print(fit("hip").device_used_)', EMULATED, SAMEBITS_CODE_OBJECT=asked) == "hip:0\n"


@emulated
def test_device_that_computes_wrong_bits_is_refused():
    text = run(REFUSAL, EMULATED, SAMEBITS_EMULATOR_FAULT="sb_gradients_fixed")
    assert "it computes wrong bits: the stage '" in text and "asked for 'hip'" in text, text


@emulated
def test_current_device_of_the_caller_is_given_back():
    text = run(
        f"""
        import ctypes
        library = ctypes.CDLL({str(EMULATED)!r})
        assert library.hipSetDevice(1) == 0
        fit("hip:0")
        current = ctypes.c_int(-1)
        library.hipGetDevice(ctypes.byref(current))
        print(current.value)
        """,
        EMULATED,
        SAMEBITS_EMULATED_HIP="gfx942,gfx942",
    )
    assert text == "1\n"


@emulated
def test_forked_child_is_refused_by_name():
    text = run(
        """
        import os
        fit("hip")
        if os.fork() == 0:
            print(fit("cpu").device_used_)
            try:
                fit("hip")
            except samebits.exceptions.DeviceUnavailableError as error:
                print(error)
            os.sys.stdout.flush()
            os._exit(0)
        os.wait()
        """,
        EMULATED,
    )
    assert text.startswith("cpu\n") and "forked child" in text and "'spawn'" in text, text


@emulated
def test_out_of_memory_is_an_error_and_leaves_the_process_usable():
    text = run(
        """
        big = make_data(200000, 60)[0]
        try:
            R(n_estimators=1, device="hip").fit(big, big[:, 0])
        except Exception as error:
            print(type(error).__name__, error)
        print(fit("hip").device_used_)
        """,
        EMULATED,
        SAMEBITS_EMULATOR_MEMORY=str(24 << 20),
    )
    assert "memory" in text.splitlines()[0] and text.splitlines()[1] == "hip:0", text
