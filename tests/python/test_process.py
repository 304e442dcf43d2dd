"""Life in a real process: interrupts, forks, joblib, threads, settings, plugins."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from conftest import make_data

import samebits
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

FOLDER = os.path.dirname(os.path.abspath(__file__))


def run(code, **environment):
    package = os.path.dirname(os.path.dirname(os.path.abspath(samebits.__file__)))
    env = {**os.environ, "PYTHONPATH": f"{FOLDER}:{package}", **environment}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, env=env
    )


def test_interrupt_leaves_the_process_usable(tmp_path):
    code = f"""
        import os, signal, threading, time, numpy as np
        from conftest import make_data
        from samebits.ensemble import GradientBoostingRegressor as R
        os.chdir({str(tmp_path)!r})
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job starts with SIGINT ignored
        X, y = make_data(50000)
        threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.time()
        try:
            R(n_estimators=1000000).fit(X, y).save("m.safetensors")
            print("finished?")
        except KeyboardInterrupt:
            print("interrupted", time.time() - start < 20)
        print("usable", R(n_estimators=5).fit(X, y).score(X, y) > 0.1, os.listdir("."))
    """
    done = run(code)
    assert done.stdout.splitlines() == ["interrupted True", "usable True []"], done.stderr


def fit_and_predict(threads=2):
    X, y = make_data(30000)
    return GradientBoostingRegressor(n_estimators=3, n_threads=threads).fit(X, y).predict(X[:100])


def test_forked_child_after_use():
    expected = fit_and_predict()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for got in pool.map_async(fit_and_predict, [1, 2, 4]).get(timeout=100):
            assert np.array_equal(got, expected)


def test_joblib_and_grid_search():
    from sklearn.model_selection import GridSearchCV

    X, target = make_data(2000)
    y = (target > 0).astype(int)
    search = GridSearchCV(
        GradientBoostingClassifier(n_estimators=5), {"max_leaf_nodes": [4, 8]}, n_jobs=2, cv=3
    ).fit(X, y)
    alone = GridSearchCV(
        GradientBoostingClassifier(n_estimators=5), {"max_leaf_nodes": [4, 8]}, n_jobs=1, cv=3
    ).fit(X, y)
    assert np.array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])


def test_many_python_threads_at_once():
    expected = fit_and_predict()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for got in pool.map(fit_and_predict, [2] * 8):
            assert np.array_equal(got, expected)


def test_flush_to_zero_in_the_caller_changes_nothing(tmp_path):
    # Another package may set flush-to-zero; -ffast-math shared objects do. The result must not move, and the
    # caller's setting must survive.
    source = tmp_path / "ftz.c"
    source.write_text(
        "#include <xmmintrin.h>\nvoid set(void) { _mm_setcsr(_mm_getcsr() | 0x8040 | 0x2000); }\n"
        "unsigned get(void) { return _mm_getcsr(); }\n"
    )
    library = tmp_path / "ftz.so"
    if (
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source]).returncode
        or os.uname().machine != "x86_64"
    ):
        pytest.skip("no C compiler for x86-64")
    code = f"""
        import ctypes, hashlib, numpy as np, samebits
        from conftest import make_data
        from samebits.ensemble import GradientBoostingRegressor as R
        X, y = make_data(2000)
        X *= np.float32(1e-41)
        fit = lambda: R(n_estimators=5, n_threads=2).fit(X, y)
        first = hashlib.sha256(fit().predict(X).tobytes()).hexdigest()
        f = ctypes.CDLL({str(library)!r}); f.set(); before = f.get() & 0xffc0
        second = hashlib.sha256(fit().predict(X).tobytes()).hexdigest()
        print(first == second, before == (f.get() & 0xffc0), hex(before & 0x8040))
    """
    done = run(code)
    assert done.stdout.split() == ["True", "True", "0x8040"], done.stdout + done.stderr


def test_configuration_order(monkeypatch):
    monkeypatch.setenv("SAMEBITS_MODE", "fast")
    monkeypatch.setenv("SAMEBITS_NUM_THREADS", "3")
    assert samebits.config() == {"device": "auto", "mode": "fast", "n_threads": 3}
    with samebits.config_context(mode="deterministic", device="cpu"):
        assert samebits.config()["mode"] == "deterministic"
        assert samebits.config()["device"] == "cpu"
        with samebits.config_context(mode="identical"):
            assert samebits.config()["mode"] == "identical"
    X, y = make_data(200)
    model = GradientBoostingRegressor(n_estimators=1, mode="fast", device="cpu").fit(X, y)
    assert (model.mode_used_, model.device_used_) == ("identical", "cpu")
    monkeypatch.setenv("SAMEBITS_MODE", "quick")
    with pytest.raises(samebits.exceptions.InvalidInputError, match="'identical', 'deterministic', 'fast'"):
        samebits.config()


def test_isa_that_is_not_there():
    code = (
        "import numpy as np\nfrom samebits.ensemble import GradientBoostingRegressor as R\n"
        "R(device='cpu').fit(np.eye(9), np.arange(9))"
    )
    done = run(code, SAMEBITS_CPU_ISA="mmx")
    assert "DeviceUnavailableError" in done.stderr and "SAMEBITS_CPU_ISA asks for 'mmx'" in done.stderr


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "cannot be opened"),
        (b"\x7fELF not really", "cannot be opened"),
        ("libc", "exports no samebits_backend"),
    ],
)
def test_bad_plugins_are_refused_with_the_reason(tmp_path, content, words):
    file = tmp_path / "libsamebits_cuda.so"
    if content == "libc":
        source = tmp_path / "x.c"
        source.write_text("int nothing(void) { return 0; }\n")
        if subprocess.run(["cc", "-shared", "-fPIC", "-o", file, source]).returncode:
            pytest.skip("no C compiler")
    else:
        file.write_bytes(content)
    code = """
        import os, samebits
        samebits._core.set_plugin_folder("")
        cuda = next(b for b in samebits.backends() if b["name"] == "cuda")
        print(cuda["status"], cuda["reason"])
        from samebits.ensemble import GradientBoostingRegressor as R
        import numpy as np
        print(R(n_estimators=1, device="cpu").fit(np.eye(9), np.arange(9)).device_used_)
    """
    done = run(code, SAMEBITS_BACKEND_PATH=str(tmp_path))
    lines = done.stdout.splitlines()
    assert lines[0].startswith("refused") and words in lines[0], done.stderr
    assert lines[1] == "cpu"


def test_two_different_plugins_are_refused_naming_both(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "libsamebits_cuda.so").write_bytes(name.encode())
    code = """
        import samebits
        samebits._core.set_plugin_folder("")
        print(next(b for b in samebits.backends() if b["name"] == "cuda")["reason"])
    """
    done = run(code, SAMEBITS_BACKEND_PATH=f"{tmp_path}/one:{tmp_path}/two")
    assert "one/libsamebits_cuda.so" in done.stdout and "two/libsamebits_cuda.so" in done.stdout


def test_loading_changes_nothing():
    code = """
        import os, signal, ctypes
        before = (dict(os.environ), signal.getsignal(signal.SIGINT))
        import samebits
        samebits.devices()
        print((dict(os.environ), signal.getsignal(signal.SIGINT)) == before)
    """
    assert run(code).stdout.split() == ["True"]


def test_support_table_is_plain_data():
    rows = samebits.support()
    assert {"estimator", "backend", "mode", "runs_as", "state", "columns"} == set(rows[0])
    assert {row["state"] for row in rows} <= {"certified", "runs", "pending", "refused"}
    assert signal.getsignal(signal.SIGINT) is not None
