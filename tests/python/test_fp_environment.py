"""Calls from a thread whose floating-point environment another package has changed: the same bits, and the thread finds
its environment again. Set through the C library: flush-to-zero, denormals-are-zero, other rounding modes."""

import contextlib
import ctypes
import platform
import threading

import numpy as np
import pytest

import samebits
from samebits import primitives
from samebits._io import canonical_json
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from samebits.exceptions import InvalidInputError

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="sets MXCSR, a register of x86-64")

MXCSR_AT = 28  # in glibc's fenv_t
FLUSH = 0x8040  # FTZ and DAZ
ROUNDING = {"upward": 0x4000, "downward": 0x2000, "toward zero": 0x6000}
ENVIRONMENTS = {"flush": FLUSH, **ROUNDING, "flush and upward": FLUSH | ROUNDING["upward"]}
CONTROL = 0xFFC0  # all of MXCSR but the six flags that operations raise
LIBM = ctypes.CDLL("libm.so.6") if platform.machine() == "x86_64" else None


def mxcsr():
    environment = ctypes.create_string_buffer(32)
    LIBM.fegetenv(environment)
    return int.from_bytes(environment[MXCSR_AT : MXCSR_AT + 4], "little")


@contextlib.contextmanager
def hostile(name):
    """The environment of that name for the calls inside, which must leave it as it is."""
    saved, changed = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    LIBM.fegetenv(saved)
    LIBM.fegetenv(changed)
    wanted = (mxcsr() & ~0x6000) | ENVIRONMENTS[name]
    changed[MXCSR_AT : MXCSR_AT + 4] = wanted.to_bytes(4, "little")
    LIBM.fesetenv(changed)
    try:
        yield
        found = mxcsr()
    finally:
        LIBM.fesetenv(saved)
    assert found & CONTROL == wanted & CONTROL


@pytest.fixture(params=ENVIRONMENTS)
def environment(request):
    return request.param


def data(n=400):
    """Columns of ordinary numbers, of subnormals, of whole numbers and with missing values; two targets, weights."""
    draws = np.random.default_rng(7)
    X = draws.normal(size=(n, 4))
    X[:, 1] = draws.integers(0, 1000, n) * 5e-324
    X[:, 2] = draws.integers(0, 9, n)
    X[draws.random(n) < 0.2, 3] = np.nan
    score = X[:, 0] + (X[:, 1] > 2500 * 1e-324) + 0.1 * X[:, 2]
    return X, (score > 1).astype(int), 0.1 * score, draws.random(n) + 0.01


def everything(kind, X, y, weight):
    """What a user gets of a fit, as bytes."""
    with samebits.trace() as log:
        model = kind(n_estimators=5, subsample=0.8, n_threads=2).fit(
            X, y, sample_weight=weight, eval_set=[(X[:50], y[:50])]
        )
    got = {
        "stages": canonical_json(log.card(0)["stages"]),
        "inputs": canonical_json(log.card(0)["inputs"]),
        "predict": model.predict(X).tobytes(),
        "leaves": model.apply(X).tobytes(),
        "importances": model.feature_importances_.tobytes(),
        "staged": b"".join(stage.tobytes() for stage in model.staged_predict(X)),
    }
    if kind is GradientBoostingClassifier:
        got["probabilities"] = model.predict_proba(X).tobytes()
        got["odds"] = model.decision_function(X).tobytes()
        got["staged probabilities"] = b"".join(p.tobytes() for p in model.staged_predict_proba(X))
    return model, got


@pytest.mark.parametrize("kind", [GradientBoostingClassifier, GradientBoostingRegressor])
def test_fit_predict_and_trace(kind, environment):
    X, classes, target, weight = data()
    y = classes if kind is GradientBoostingClassifier else target
    _, want = everything(kind, X, y, weight)
    with hostile(environment):
        _, got = everything(kind, X, y, weight)
    assert [name for name in want if got[name] != want[name]] == []


def test_inputs_that_are_converted(environment):
    """float16, integers beyond 2^53 and frames of mixed columns become float64 by rounding that is ours too."""
    pandas = pytest.importorskip("pandas")
    draws = np.random.default_rng(8)
    big = draws.integers(2**60, 2**62, 300)
    frame = pandas.DataFrame(
        {
            "a": (draws.random(300) * 1e-39).astype(np.float32),
            "b": big,
            "c": draws.random(300).astype(np.float16),
        }
    )
    y = big.astype(np.float64) + 0.5
    want = GradientBoostingRegressor(n_estimators=3).fit(frame, big).predict(frame)
    weights = np.full(300, 1e-42)
    light = GradientBoostingRegressor(n_estimators=3).fit(frame, y, sample_weight=weights).predict(frame)
    with hostile(environment):
        got = GradientBoostingRegressor(n_estimators=3).fit(frame, big).predict(frame)
        also = GradientBoostingRegressor(n_estimators=3).fit(frame, y, sample_weight=weights).predict(frame)
    assert got.tobytes() == want.tobytes()
    assert also.tobytes() == light.tobytes()


def test_model_files(environment, tmp_path):
    X, classes, _, weight = data()
    model, _ = everything(GradientBoostingClassifier, X, classes, weight)
    model.save(tmp_path / "plain", {"third": 1 / 3})
    with hostile(environment):
        model.save(tmp_path / "hostile", {"third": 1 / 3})
        loaded = samebits.load_model(tmp_path / "plain")
        same_class = GradientBoostingClassifier.load(tmp_path / "plain")
    assert (tmp_path / "plain").read_bytes() == (tmp_path / "hostile").read_bytes()
    for other in (loaded, same_class):
        other.save(tmp_path / "again")
        assert (tmp_path / "plain").read_bytes() == (tmp_path / "again").read_bytes()
        assert other.evals_result_ == model.evals_result_


def test_single_primitives(environment):
    x = np.random.default_rng(9).normal(size=70000)
    small = (np.arange(5000) * 5e-324).astype(np.float64)

    def run():
        words = primitives.philox_words(1, 2, np.arange(1000, dtype=np.uint64), 0)[:, 0].copy()
        return (
            np.float64(primitives.reduce_sum(x)).tobytes(),
            np.float64(primitives.reduce_sum(small, small + 1.0)).tobytes(),
            primitives.elementary_map("expm1", x).tobytes(),
            primitives.elementary_map("log", np.abs(x).astype(np.float32)).tobytes(),
            primitives.uniform_f32(words).tobytes(),
        )

    want = run()
    with hostile(environment):
        x_sum = primitives.reduce_sum(x)
        expm1 = primitives.elementary_map("expm1", x)
    assert np.float64(x_sum).tobytes() == want[0]
    assert expm1.tobytes() == want[2]


def test_errors_leave_it_alone(environment):
    X, classes, _, _ = data(60)
    model = GradientBoostingClassifier(n_estimators=2).fit(X, classes)
    X[3, 0] = np.inf
    with hostile(environment):
        for call in (lambda: model.predict(X), lambda: GradientBoostingClassifier().fit(X, classes)):
            with pytest.raises(InvalidInputError):
                call()


def test_generators_leave_it_alone_between_values(environment):
    X, classes, _, _ = data(60)
    model = GradientBoostingClassifier(n_estimators=3).fit(X, classes)
    with hostile(environment):
        inside = mxcsr() & CONTROL
        stages = model.staged_predict_proba(X)
        assert [mxcsr() & CONTROL for _ in stages] == [inside] * 3
        unfinished = model.staged_predict_proba(X)
        next(unfinished)
        del unfinished


def test_threads_of_python_that_inherit_it(environment):
    X, classes, _, weight = data()
    _, want = everything(GradientBoostingClassifier, X, classes, weight)
    found = []
    with hostile(environment):
        thread = threading.Thread(
            target=lambda: found.append(everything(GradientBoostingClassifier, X, classes, weight)[1])
        )
        thread.start()
        thread.join()
    assert found == [want]
