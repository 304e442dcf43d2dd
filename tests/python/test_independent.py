"""An implementation that shares no code with samebits replays a bundle to the bit, and a wrong one is caught."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from samebits import conformance
from samebits.conformance import files as storage

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent / "independent"

# Runs a script in a process where importing samebits is an error, whatever the path says.
RUN = """
import runpy, sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "samebits":
            raise ImportError(f"the independent reader imports {name}")
sys.meta_path.insert(0, Refuse())
script = sys.argv.pop(1)
sys.argv[0] = script
sys.path.insert(0, script.rsplit("/", 1)[0])
runpy.run_path(script, run_name="__main__")
assert not any(name.split(".")[0] == "samebits" for name in sys.modules)
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    path = tmp_path_factory.mktemp("bundle") / "whole"
    conformance.export_bundle(path)
    return path


def replay(folder, bundle, results, *items):
    environment = {**os.environ, "PYTHONPATH": ""}
    command = [sys.executable, "-c", RUN, str(folder / "replay.py"), str(bundle), str(results), *items]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def test_it_returns_every_expected_byte(bundle, tmp_path):
    done = replay(FOLDER, bundle, tmp_path)
    assert done.returncode == 0, done.stderr
    # Compared as files first, so that this does not hang on the library's grading.
    assert storage.read(tmp_path) == storage.read(bundle / "expected")
    report = conformance.grade_results(bundle, tmp_path)
    assert report.ok and not report.notes, report.text()
    manifest = json.loads((bundle / "manifest.json").read_text())
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == manifest["items"]


def test_the_refusal_of_imports_works(tmp_path):
    (tmp_path / "replay.py").write_text("import samebits\n")
    done = replay(tmp_path, "a", "b")
    assert done.returncode != 0 and "the independent reader imports samebits" in done.stderr


def test_it_calls_no_function_of_another_library():
    text = "".join(path.read_text() for path in sorted(FOLDER.glob("*.py")))
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    own = {path.stem for path in FOLDER.glob("*.py")}
    assert imported - own == {
        "dataclasses",
        "fractions",
        "hashlib",
        "json",
        "math",
        "numpy",
        "pathlib",
        "sys",
    }
    assert not re.findall(
        r"\bnp\.(?:exp|log|tanh|power|random|sum|dot|ldexp|add\.reduce)\w*\(|\bmath\.(?:exp|log|pow)", text
    )


# One rule of ALGORITHMS.md broken in the reader, and an item that must then diverge.
ARMS = {
    "lanes folded pairwise": (
        "exact.py",
        "lane[:width] = lane[:width] + lane[width : 2 * width]",
        "lane[:width] = lane[0 : 2 * width : 2] + lane[1 : 2 * width : 2]",
        "reduce_sum",
    ),
    "no tiles": ("exact.py", "TILE = 4096", "TILE = 65536", "reduce_sum"),
    "products not rounded first": (
        "replay.py",
        "sum64(x[part] * y[part])",
        "sum64(x[part]) * y[part][:1].sum()",
        "reduce_sum",
    ),
    "count and hessian exchanged": ("replay.py", "whole[:, 1]", "whole[:, 2]", "histogram_build"),
    "nine rounds": ("exact.py", "range(10)", "range(9)", "philox"),
    "uniform from the lower bits": ("replay.py", ">> 8)", "& 0xFFFFFF)", "philox"),
    "draw and purpose exchanged": (
        "exact.py",
        "np.asarray(draw, np.uint64), np.asarray(purpose,",
        "np.asarray(purpose, np.uint64), np.asarray(draw,",
        "row_sample",
    ),
    "exp without its correction": ("elementary.py", "(c + (r * r) * q)", "((r * r) * q)", "exp_f32"),
    "exp scaled in one step": ("elementary.py", "half = n >> 1", "half = np.minimum(n, 126)", "exp_f32"),
    "log without the rounding error of its large part": (
        "elementary.py",
        'return s + (e + (low + k * h32("0x1.7f7d1cp-20")))',
        'return s + (low + k * h32("0x1.7f7d1cp-20"))',
        "log_f32",
    ),
    "log1p of small numbers": (
        "elementary.py",
        'h32("0x1p-26"), x, r)',
        'h32("0x1p-26"), u - one, r)',
        "log1p_f32",
    ),
    "logistic without its correction": (
        "elementary.py",
        "exp_scale(q + v, n)",
        "exp_scale(q, n)",
        "logistic_f32",
    ),
    "log f64 without the low part of ln 2": ("elementary.py", "-0x1.8432a1b0e2634p-43", "0x0p0", "log_f64"),
    "ties of gain to the later feature": (
        "boosting.py",
        "usable[first] > best.gain",
        "usable[first] >= best.gain",
        "fit_regression",
    ),
    "missing values always right": (
        "boosting.py",
        "directions = 2 if missing else 1",
        "directions = 1",
        "fit_regression",
    ),
    "larger side not preferred": (
        "boosting.py",
        "direction if missing else lean",
        "direction",
        "fit_symmetric",
    ),
    "edge instead of midpoint": (
        "boosting.py",
        "middle = lower * 0.5 + upper * 0.5",
        "middle = lower",
        "fit_classification",
    ),
    "fixed point truncated": ("exact.py", "np.rint(", "np.trunc(", "fit_regression"),
    "exponents of the sampled rows": (
        "boosting.py",
        "np.abs(g).max(), h.max()",
        "np.abs(g)[self.draw_rows()].max(), h.max()",
        "fit_symmetric",
    ),
    "regularisation not normalised": (
        "boosting.py",
        'self.p["l2_regularization"]), self.eh - 30',
        'self.p["l2_regularization"]), 0',
        "fit_regression",
    ),
    "depthwise without a leaf limit": (
        "boosting.py",
        "if len(chosen) > room:",
        "if False:",
        "fit_classification",
    ),
    "lossguide takes the first open node": (
        "boosting.py",
        "min(open_nodes, key=lambda k: (-float(self.nodes[k].split.gain), k))",
        "min(open_nodes)",
        "fit_regression",
    ),
    "invalid nodes count in a level": (
        "boosting.py",
        "np.where(big, start + gain, start)",
        "start + gain",
        "fit_symmetric",
    ),
    "zero gradient gives +0": (
        "boosting.py",
        "v = -(normalised(node.sums[0]) / d) * rate",
        "v = (F32(0) - normalised(node.sums[0]) / d) * rate",
        "fit_constant",
    ),
    "predictions with < instead of <=": (
        "boosting.py",
        "x <= self.threshold(node.split)",
        "x < self.threshold(node.split)",
        "fit_regression",
    ),
    "offset added last in f32": (
        "boosting.py",
        "score.astype(np.float64)",
        "score * F32(1.0000001)",
        "fit_regression",
    ),
}


@pytest.mark.parametrize("arm", ARMS)
def test_a_broken_rule_is_caught(arm, bundle, tmp_path):
    file, old, new, item = ARMS[arm]
    folder = Path(shutil.copytree(FOLDER, tmp_path / "reader"))
    text = (folder / file).read_text()
    assert text.count(old) == 1, f"{file} has {text.count(old)} places {old!r}"
    (folder / file).write_text(text.replace(old, new))
    done = replay(folder, bundle, tmp_path / "results", item)
    if done.returncode:  # a shape that no longer fits is caught while writing
        assert "AssertionError" in done.stderr, done.stderr
        return
    report = conformance.grade_results(bundle, tmp_path / "results", items=[item])
    assert report.items[0].status == "divergent", report.text()


def test_the_numbers_of_the_algorithms_are_those_of_the_sources():
    page = (ROOT / "python/samebits/conformance/ALGORITHMS.md").read_text()
    headers = "".join(path.read_text() for path in sorted((ROOT / "src").rglob("*.h*")))
    sources = {float.fromhex(word) for word in re.findall(r"0x[0-9a-f]+\.?[0-9a-f]*p[-+]?\d+", headers)}
    words = set(re.findall(r"0x[0-9a-f]+\.[0-9a-f]*p[-+]?\d+", page))
    missing = [word for word in sorted(words - {"0x1.8p1"}) if float.fromhex(word) not in sources]
    assert len(words) > 40 and not missing
    integers = set(re.findall(r"0x[0-9a-f]{8,16}\b(?!\.)", page))
    missing = [word for word in sorted(integers) if f"{word}u" not in headers and word not in headers]
    assert len(integers) > 10 and not missing
