"""`samebits verify` on this machine: everything quick is identical, and what is not is named to the element."""

import html.parser
import json

import numpy as np
import pytest

import samebits
from samebits import compare
from samebits._draws import Draws
from samebits.cli import main
from samebits.exceptions import DeviceUnavailableError, InvalidInputError
from samebits.verify import check_fixtures, parts, run, verify
from samebits.verify import document as documents
from samebits.verify.fixtures import FIXTURES, LARGE
from samebits.verify.one_ulp import moved_by_one_ulp
from samebits.verify.outcome import Outcome, Verdict
from samebits.verify.settings import ESTIMATORS, SETTINGS


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """(exit status, outcome, document, page) of one whole quick run of the command."""
    folder = tmp_path_factory.mktemp("verify")
    import contextlib
    import io

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        files = ["--out", str(folder / "here.json"), "--report", str(folder / "here.html")]
        status = main(["verify", "--quick", "--json", *files])
    return status, json.loads(text.getvalue()), folder / "here.json", folder / "here.html"


def test_everything_quick_is_identical(quick):
    status, outcome, _, _ = quick
    assert status == 0 and outcome["ok"]
    assert outcome["counts"]["divergent"] == outcome["counts"]["refused"] == 0
    seen = {
        (v["estimator"], v["setting"], v["fixture"]) for v in outcome["verdicts"] if v["state"] == "identical"
    }
    planned = {names for names, _, _ in run.plan_of(quick=True)}
    assert seen == planned and len(planned) > 200
    assert outcome["counts"]["pending"] == 0 and len(outcome["verdicts"]) == len(parts.PARTS) * len(planned)


def test_the_document_of_this_machine_is_the_reference_one(quick):
    here, shipped = compare.load_any(quick[2]), documents.reference()
    found = compare.compare_documents(here, shipped)
    assert found.status == "same", found.text()
    assert len(documents.to_bytes(shipped)) < 1_500_000
    assert shipped["column"] == "reference" and not shipped["library"]["dirty"]
    assert set(shipped["fixtures"]) == set(FIXTURES) and set(shipped["settings"]) == set(SETTINGS)
    assert all("sha256" in entry for cell in shipped["cells"].values() for entry in cell.values())
    assert {tuple(cell.split("/")) for cell in shipped["cells"]} == {names for names, _, _ in run.plan_of()}


def test_the_page_holds_every_cell_and_nothing_from_elsewhere(quick):
    page = quick[3].read_text()
    opened, marks = [], []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            marks.extend(value for name, value in attrs if name == "class" and tag == "span")
            if tag not in ("meta", "br"):
                opened.append(tag)

        def handle_endtag(self, tag):
            assert opened.pop() == tag

    Reader().feed(page)
    assert not opened and "http" not in page and "src=" not in page
    assert len(marks) == len(quick[1]["verdicts"])


@pytest.mark.parametrize("place", [("cpu", 1), ("cpu", 7), ("reference", None)], ids=str)
def test_places(place, isas, monkeypatch):
    for isa in isas if place[0] == "cpu" else isas[:1]:
        monkeypatch.setenv("SAMEBITS_CPU_ISA", isa)
        outcome, _ = verify(*place, fixtures=["missing", "rows_65", "huge_range"])
        assert outcome.ok and outcome.device["id"] == place[0], outcome.counts


def test_settings_and_fixtures_cover_what_they_promise():
    given = {key for setting in SETTINGS.values() for key in setting.params}
    assert len(SETTINGS) >= 6 and {s.params.get("grow_policy") for s in SETTINGS.values()} >= {
        "lossguide",
        "depthwise",
        "symmetric",
    }
    assert given >= {
        "subsample",
        "colsample_bytree",
        "l2_regularization",
        "max_bins",
        "early_stopping_rounds",
    }
    assert any(s.weighted for s in SETTINGS.values())
    assert set(ESTIMATORS) == set(samebits.ensemble.__all__)
    data = {name: f.data() for name, f in FIXTURES.items() if name not in LARGE}
    assert data["wide"].X.shape[1] > data["wide"].X.shape[0]
    assert (
        np.isnan(data["missing"].X[:, -1]).all() and len(np.unique(data["missing"].X.view("u8")[:, -1])) == 3
    )
    tiny = np.abs(data["subnormal"].X)
    assert (tiny[tiny > 0] < np.finfo(np.float32).tiny).all() and (tiny > 0).mean() > 0.9
    assert 0 < data["subnormal"].y.max() < np.finfo(np.float64).tiny
    spread = np.log2(np.abs(data["huge_range"].X))
    assert spread.min() < -900 and spread.max() > 900
    zeros = data["negative"].X[:, 1]
    assert (data["negative"].X <= 0).all() and 0 < np.signbit(zeros).mean() < 1 and (zeros == 0).all()
    assert (data["weights"].weight == 0).any() and data["weights"].weight.max() > 1e5
    assert len(np.unique(data["duplicates"].X, axis=0)) == 41
    assert all(set(np.unique(d.label)) == {0, 1} for name, d in data.items() if name != "rows_1")


def test_draws_are_philox_words_of_their_own():
    a, b = Draws(5, 7), Draws(5, 7)
    first, second = a.uniform(100), a.uniform(100)
    assert (first != second).all() and (b.uniform(50) == first[:50]).all()
    grid = Draws(5, 7).uniform_f32(64, 6)
    assert grid.dtype == np.float32 and grid.shape == (64, 6) and len(np.unique(grid)) > 370
    assert (Draws(5, 7).uniform_f32(64, 3) == grid[:, :3]).all()


def _moving(monkeypatch, part, index, *, device="cpu"):
    """The cpu device returns one value of one stage one ulp away; returns [(tag, element)] as moved."""
    original, moved = parts.run_parts, []

    def changed(*arguments, keep=False, **rest):
        found = original(*arguments, keep=True, **rest)
        if arguments[3].device == device and found[part].stages is not None:
            chosen = found[part]
            array, element = moved_by_one_ulp(chosen.arrays[index])
            moved.append((chosen.stages[index]["tag"], element))
            chosen.stages[index] = samebits._trace.stage_record(chosen.stages[index]["tag"], array)
            chosen.arrays[index] = array
        return found

    for module in (run, samebits.verify.evidence, samebits.verify.two_devices):
        monkeypatch.setattr(module, "run_parts", changed)
    return moved


@pytest.mark.parametrize(
    "part, index",
    [("train", 13), ("model", 13), ("predict", 2), ("batch", 1), ("save_load", 0), ("continue", 4)],
)
def test_one_ulp_of_one_device_is_named(part, index, monkeypatch, tmp_path, capsys):
    moved = _moving(monkeypatch, part, index)
    page = tmp_path / "page.html"
    chosen = ["--fixture", "ties", "--estimator", "GradientBoostingRegressor"]
    assert main(["verify", "--device", "cpu", *chosen, "--report", str(page)]) == 1
    text = capsys.readouterr().out
    tag, element = moved[0]
    place = f"[{', '.join(map(str, element))}]"
    assert (
        f"stage {index} {tag!r} (other bytes)" in text
        and f"element {place}" in text
        and "1 ulp apart" in text
    )
    assert "NOT verified" in text and text.count("divergent: ") == len(SETTINGS)
    assert f"<td>{place}</td>" in page.read_text() and "Not verified" in page.read_text()


def test_cross_check_names_the_element(monkeypatch, tmp_path, capsys):
    X = Draws(1, 1).uniform_f32(300, 3)
    np.savez(tmp_path / "data.npz", X=X, y=X[:, 0] * X[:, 1], w=X[:, 2] + 1)
    arguments = ["--data", str(tmp_path / "data.npz"), "--target", "y", "--weight", "w"]
    assert main(["verify", "--cross-check", "reference", "cpu", *arguments]) == 0
    assert "same bits" in capsys.readouterr().out
    moved = _moving(monkeypatch, "train", 9)
    assert main(["verify", "--cross-check", "reference", "cpu", "--quick", *arguments]) == 1
    text = capsys.readouterr().out
    assert f"{moved[0][0]!r} (other bytes)" in text and "1 ulp apart" in text and "3 divergent" in text


def test_cross_check_of_a_table(tmp_path, capsys):
    pd = pytest.importorskip("pandas")
    X = Draws(2, 1).uniform_f32(200, 3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = np.where(X[:, 0] > 0.5, "x", "y")
    frame["late"] = np.where(X[:, 1] > X[:, 2], "yes", "no")
    frame.to_csv(tmp_path / "data.csv", index=False)
    arguments = [
        "verify",
        "--cross-check",
        "cpu",
        "reference",
        "--data",
        str(tmp_path / "data.csv"),
        "--target",
        "late",
    ]
    assert main([*arguments, "--quick"]) == 2
    assert "kind" in capsys.readouterr().err
    assert main([*arguments, "--encode", "ordinal", "--out", str(tmp_path / "b.json"), "--quick"]) == 0
    text = capsys.readouterr().out
    assert "4 features, classification" in text and "0 divergent, 0 refused" in text
    assert main(["compare", str(tmp_path / "b.json"), str(tmp_path / "b.json")]) == 0


def test_a_refusing_device_is_no_pass(monkeypatch):
    original = samebits._core.boosting_fit

    def refusing(device, x, *rest):
        if x.shape[1] == 6:
            raise DeviceUnavailableError("[device] no float64 here")
        return original(device, x, *rest)

    monkeypatch.setattr(samebits._core, "boosting_fit", refusing)
    outcome, document = verify("cpu", fixtures=["ties", "rows_63"])
    refused = {v.fixture for v in outcome.verdicts if v.state == "refused"}
    assert not outcome.ok and refused == {"ties"} and outcome.counts["identical"] > 0
    other = compare.compare_documents(document, documents.reference())
    assert other.status == "not comparable" and "no float64" in other.text()


def test_what_passes():
    def outcome(*states, problems=()):
        verdicts = [Verdict("E", "s", "f", "train", state) for state in states]
        return Outcome(verdicts, {}, "x", {}, list(problems)).ok

    assert outcome("identical") and outcome("identical", "pending")
    assert not outcome() and not outcome("pending") and not outcome("identical", "refused")
    assert not outcome("identical", "divergent") and not outcome("identical", problems=["broken"])


def test_a_separating_build_never_passes(monkeypatch):
    build = {**samebits.build_info(), "broken_rule": "C4"}
    monkeypatch.setattr(samebits, "build_info", lambda: build)
    outcome, document = verify("cpu", fixtures=["rows_2"])
    assert outcome.counts["divergent"] == 0 and not outcome.ok and "C4" in outcome.problems[0]
    assert compare.compare_documents(document, documents.reference()).status == "not comparable"


def test_check_fixture(capsys, monkeypatch):
    records = list(check_fixtures([name for name in FIXTURES if name not in LARGE]))
    assert {record["state"] for record in records} == {"identical"}
    assert main(["check-fixture", "--name", "ties"]) == 0
    assert capsys.readouterr().out.count("identical") == 8
    assert main(["check-fixture", "--name", "tie"]) == 2
    assert "'tie'" in capsys.readouterr().err
    _wrong_uniform(monkeypatch)
    assert main(["check-fixture", "--name", "plain", "--json"]) == 1
    assert any(record["state"] == "divergent" for record in json.loads(capsys.readouterr().out))


def _wrong_uniform(monkeypatch):
    original = samebits.primitives.uniform_f64
    monkeypatch.setattr(samebits.primitives, "uniform_f64", lambda words: np.nextafter(original(words), 1))


def test_other_inputs_are_an_error_never_a_pass(monkeypatch, capsys):
    _wrong_uniform(monkeypatch)
    with pytest.raises(InvalidInputError, match="'plain' has other bytes here"):
        verify("cpu", fixtures=["plain"])
    assert main(["verify", "--quick", "--device", "cpu"]) == 2
    assert "same bits" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--device", "nonsense"], "nonsense"),
        (["--estimator", "Forest"], "Forest"),
        (["--fixture", "tie"], "'tie'"),
        (["--data", "x.csv"], "--data has no meaning without --cross-check"),
        (["--cross-check", "cpu", "cpu"], "--data FILE"),
        (["--self-test", "--report", "x.html"], "--report has no meaning"),
        (["--cross-check", "cpu", "cpu", "--data", "nowhere.npz", "--target", "y"], "nowhere.npz"),
        (["--out", "x", "--report", "x"], "twice"),
    ],
)
def test_refused_arguments(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["verify", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_missing_driver_is_named(capsys):
    if any(device["id"].startswith("cuda") for device in samebits.devices()):
        pytest.skip("this machine has CUDA")
    for arguments in (["--device", "cuda"], ["--self-test", "--device", "cuda"]):
        assert main(["verify", *arguments]) == 2
        captured = capsys.readouterr()
        assert "cuda" in captured.err and "same bits" not in captured.out
