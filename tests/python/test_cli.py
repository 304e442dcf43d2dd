"""The command line: fit, predict, compare, doctor; what it refuses, and with which status."""

import json
import subprocess
import sys

import numpy as np
import pytest

import samebits
from samebits.cli import main, params
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from samebits.exceptions import InvalidInputError

pd = pytest.importorskip("pandas")


def frame(rows=400):
    """Numbers, texts, booleans, missing values, a weight, two classes and a real target."""
    rng = np.random.default_rng(0)
    data = pd.DataFrame(
        {"a": rng.normal(size=rows), "b": rng.integers(0, 9, rows), "c": rng.choice(["x", "y", "zz"], rows)}
    )
    data["flag"] = rng.random(rows) < 0.5
    data["w"] = rng.random(rows)
    data["label"] = np.where((data.b > 4) ^ (data.c == "x"), "yes", "no")
    data["price"] = data.b * 1.5 + rng.normal(size=rows)
    data.loc[::7, "a"] = np.nan
    data.loc[::11, "c"] = None
    return data


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame().to_csv("d.csv", index=False)
    return tmp_path


def fit(*arguments):
    return main(["fit", *arguments])


FIT = ("--target", "label", "--task", "classification", "--encode", "ordinal", "--param", "n_estimators=5")


def refused(capsys, status, *words):
    """One line on stderr that holds the words; status 2."""
    error = capsys.readouterr().err
    assert status == 2, error
    assert error.startswith("samebits: ") and error.count("\n") == 1, error
    assert "Traceback" not in error
    for word in words:
        assert word in error
    return error


# ------------------------------------------------------------------------------------------------------- fit, predict


def test_fit_and_predict_like_the_estimator(folder, capsys):
    assert fit("d.csv", *FIT, "--weight", "w", "--model", "m.safetensors") == 0
    assert "400 rows x 5 features, 5 trees" in capsys.readouterr().out
    data = frame()
    X = data[["a", "b", "c", "flag", "price"]].assign(
        c=data.c.map({"x": 0, "y": 1, "zz": 2}), flag=data.flag * 1.0
    )
    own = GradientBoostingClassifier(n_estimators=5).fit(
        X.astype(float), data.label.astype(object), sample_weight=data.w
    )
    assert main(["predict", "m.safetensors", "d.csv", "--proba", "--out", "p.csv"]) == 0
    out = pd.read_csv("p.csv")
    assert list(out.columns) == ["probability_no", "probability_yes"]
    assert out.to_numpy().tobytes() == own.predict_proba(X.astype(float)).tobytes()
    assert main(["predict", "m.safetensors", "d.csv", "--out", "p.npy"]) == 0
    assert np.load("p.npy").tolist() == own.predict(X.astype(float)).tolist()


def test_csv_and_parquet_give_the_same_bytes(folder):
    pytest.importorskip("pyarrow")
    frame().to_parquet("d.parquet")
    frame().assign(c=frame().c.astype("category")).to_parquet("e.parquet")
    for data, name in (("d.csv", "1"), ("d.parquet", "2"), ("e.parquet", "3")):
        assert fit(data, *FIT, "--model", f"m{name}", "--card", f"c{name}.json", "--threads", name) == 0
        assert main(["predict", "m1", data, "--proba", "--out", f"p{name}.npy"]) == 0
    for kind in ("m{}", "p{}.npy"):
        assert len({(folder / kind.format(k)).read_bytes() for k in "123"}) == 1
    assert main(["compare", "c1.json", "c2.json"]) == main(["compare", "c1.json", "c3.json"]) == 0


def test_columns_are_taken_by_name_and_unseen_texts_are_missing(folder):
    assert fit("d.csv", *FIT, "--model", "m") == 0
    data = frame().drop(columns="label")
    data[["price", "more", "w", "c", "flag", "b", "a"]] = data.assign(more=1)[
        ["price", "more", "w", "c", "flag", "b", "a"]
    ]
    data.loc[0:9, "c"] = "never seen"
    data[["price", "more", "w", "c", "flag", "b", "a"]].to_csv("other.csv", index=False)
    data.loc[0:9, "c"] = None
    data.to_csv("missing.csv", index=False)
    for name in ("other", "missing"):
        assert main(["predict", "m", f"{name}.csv", "--proba", "--out", f"{name}.npy"]) == 0
    assert (folder / "other.npy").read_bytes() == (folder / "missing.npy").read_bytes()


def test_codes_that_look_like_numbers(folder):
    data = frame().assign(c=frame().c.map({"x": "a1", "y": "01", "zz": "1"}))
    data.to_csv("d.csv", index=False)
    assert fit("d.csv", *FIT, "--model", "m") == 0
    data.to_csv("all.csv", index=False)
    data[data.c == "1"].to_csv("numeric.csv", index=False)  # this column alone would be read as integers
    for name in ("all", "numeric"):
        assert main(["predict", "m", f"{name}.csv", "--proba", "--out", f"{name}.npy"]) == 0
    assert np.load("all.npy")[data.c == "1"].tobytes() == np.load("numeric.npy").tobytes()


def test_matrices(folder):
    data = frame()[["a", "b", "price", "w"]].to_numpy()
    np.save("X.npy", data[:, :2])
    np.save("y.npy", data[:, 2])
    np.save("all.npy", data)
    given = ("--task", "regression", "--param", "n_estimators=4")
    assert fit("X.npy", "--target-file", "y.npy", *given, "--model", "m1") == 0
    assert fit("all.npy", "--target", "2", "--weight", "3", *given, "--model", "m2") == 0
    own = GradientBoostingRegressor(n_estimators=4).fit(data[:, :2], data[:, 2])
    weighted = GradientBoostingRegressor(n_estimators=4).fit(
        data[:, :2], data[:, 2], sample_weight=data[:, 3]
    )
    for model, file, wanted in (("m1", "X.npy", own), ("m2", "all.npy", weighted), ("m2", "X.npy", weighted)):
        assert main(["predict", model, file, "--out", "p.npy"]) == 0
        assert np.load("p.npy").tobytes() == wanted.predict(data[:, :2]).tobytes()


def test_eval_and_early_stopping(folder, capsys):
    frame().iloc[::2].to_csv("v.csv", index=False)
    options = ("--eval", "v.csv", "--param", "early_stopping_rounds=3", "--param", "learning_rate=1.0")
    assert (
        fit(
            "d.csv",
            "--target",
            "price",
            "--task",
            "regression",
            "--encode",
            "ordinal",
            *options,
            "--model",
            "m",
        )
        == 0
    )
    assert "eval: squared_error " in capsys.readouterr().out


def test_model_of_python_without_command_line_metadata(folder):
    data = frame()
    named = GradientBoostingRegressor(n_estimators=3).fit(data[["b", "a"]], data.price)
    named.save("m")
    assert main(["predict", "m", "d.csv", "--out", "p.npy"]) == 0
    assert np.load("p.npy").tobytes() == named.predict(data[["b", "a"]]).tobytes()


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("d.csv", "--target", "label", "--task", "classification"), ["'c'", "--encode ordinal"]),
        (("d.csv", "--target", "nothing", "--task", "regression"), ["'nothing'", "a, b, c"]),
        (("d.csv", "--target", "price", "--task", "regression", "--weight", "ww"), ["'ww'", "weight"]),
        (("d.csv", "--target", "label", "--task", "regression", "--encode", "ordinal"), ["'label'", "text"]),
        (
            ("d.csv", "--target", "a", "--task", "regression", "--encode", "ordinal"),
            ["'a'", "missing in 58 rows"],
        ),
        (("d.csv", *FIT, "--param", "max_leafs=3"), ["max_leafs", "max_leaf_nodes", "n_estimators"]),
        (("d.csv", *FIT, "--param", "max_bins"), ["name=value"]),
        (("d.csv", *FIT, "--param", "n_estimators=6"), ["twice"]),
        (("d.csv", *FIT, "--param", "device=cpu"), ["--device"]),
        (("d.csv", *FIT, "--param", "max_bins=many"), ["max_bins", "many"]),
        (("d.csv", *FIT, "--param", "warm_start=true"), ["warm_start", "new model"]),
        (("d.csv", *FIT, "--device", "cuda:99"), ["cuda:99"]),
        (("d.csv", *FIT, "--threads", "0"), ["n_threads"]),
        (("d.csv", *FIT, "--eval-target-file", "y.npy"), ["--eval"]),
        (("absent.csv", *FIT), ["absent.csv"]),
        (("d.txt", *FIT), ["d.txt", "Parquet"]),
        (("empty.csv", *FIT), ["empty.csv"]),
        (("header.csv", *FIT), ["no rows"]),
        (("wide.csv", *FIT), ["more fields"]),
        (("broken.parquet", *FIT), ["broken.parquet"]),
        (("pickled.npy", "--target", "0", "--task", "regression"), ["pickled.npy"]),
        (("dates.csv", "--target", "y", "--task", "regression"), ["when", "--encode"]),
    ],
)
def test_fit_refuses(folder, capsys, arguments, words):
    (folder / "d.txt").write_text("a,b\n1,2\n")
    (folder / "empty.csv").write_text("")
    (folder / "header.csv").write_text("a,b,label\n")
    (folder / "wide.csv").write_text("a,label\n0,2,3\n4,5,6\n")
    (folder / "broken.parquet").write_bytes(b"PAR1 and no more")
    (folder / "dates.csv").write_text("when,y\n2013-01-01,1\n2013-01-02,2\n")
    np.save("pickled.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    refused(capsys, fit(*arguments, "--model", "m"), *words)
    assert not (folder / "m").exists()


def test_fit_refuses_unwritable_outputs_before_the_work(folder, capsys, monkeypatch):
    monkeypatch.setattr(GradientBoostingClassifier, "fit", lambda *a, **k: pytest.fail("fit ran"))
    refused(capsys, fit("d.csv", *FIT, "--model", "no/such/folder/m"), "no/such/folder/m")
    refused(capsys, fit("d.csv", *FIT, "--model", "m", "--card", "no/c.json"), "no/c.json")
    refused(capsys, fit("d.csv", *FIT), "--model", "--card")


def test_no_file_of_a_call_replaces_another(folder, capsys):
    assert fit("d.csv", *FIT, "--model", "m.st") == 0
    before = {name: (folder / name).read_bytes() for name in ("d.csv", "m.st")}
    (folder / "link.csv").symlink_to(folder / "d.csv")
    for out in ("d.csv", "./d.csv", "link.csv"):
        refused(capsys, main(["predict", "m.st", "d.csv", "--out", out]), out, "named twice")
    refused(capsys, fit("d.csv", *FIT, "--model", "z", "--card", "z"), "'z'", "named twice")
    refused(capsys, fit("d.csv", *FIT, "--model", "d.csv"), "'d.csv'", "named twice")
    assert before == {name: (folder / name).read_bytes() for name in before}
    assert not (folder / "z").exists()


def test_predict_refuses(folder, capsys):
    assert fit("d.csv", *FIT, "--model", "m") == 0
    assert (
        fit("d.csv", "--target", "price", "--task", "regression", "--encode", "ordinal", "--model", "r") == 0
    )
    frame().drop(columns="b").to_csv("few.csv", index=False)
    frame().assign(b="text").to_csv("text.csv", index=False)
    np.save("X.npy", np.zeros((3, 5)))
    (folder / "cut").write_bytes((folder / "m").read_bytes()[:200])
    capsys.readouterr()
    for arguments, words in (
        (("m", "few.csv", "--out", "p.csv"), ["'b'"]),
        (("m", "text.csv", "--out", "p.csv"), ["'b'", "text"]),
        (("m", "X.npy", "--out", "p.csv"), ["named columns"]),
        (("m", "d.csv", "--out", "p.txt"), [".csv or .npy"]),
        (("m", "d.csv", "--out", "no/p.csv"), ["no/p.csv"]),
        (("r", "d.csv", "--out", "p.csv", "--proba"), ["classifier"]),
        (("cut", "d.csv", "--out", "p.csv"), ["cut"]),
        (("d.csv", "d.csv", "--out", "p.csv"), ["d.csv"]),
    ):
        refused(capsys, main(["predict", *arguments]), *words)
    assert not list(folder.glob("p.*"))


def test_damaged_description_of_columns_is_refused(folder, capsys):
    model = GradientBoostingRegressor(n_estimators=1).fit(frame()[["a", "b"]], frame().price)
    for damage in ({"columns": 3}, [], {"columns": ["a"], "ordinal": {"a": [1]}, "left_out": []}):
        model.save("m", metadata={"samebits fit": damage})
        refused(capsys, main(["predict", "m", "d.csv", "--out", "p.csv"]), "damaged description")


def test_values_of_parameters():
    texts = {"7": 7, "-1": -1, "0.5": 0.5, "1e-3": 1e-3, "None": None, "true": True, "depthwise": "depthwise"}
    assert {text: params.value(text) for text in texts} == texts
    assert params.value("1_000") == "1_000" and params.value("nan") == "nan" and params.value("inf") == "inf"
    assert isinstance(params.value("7"), int) and isinstance(params.value("7.0"), float)
    with pytest.raises(InvalidInputError, match="need name=value"):
        params.parse(["=3"], GradientBoostingRegressor, {})


# ------------------------------------------------------------------------------------------------------------- compare


def test_compare(folder, capsys):
    assert fit("d.csv", *FIT, "--card", "a.json") == 0
    card = json.loads((folder / "a.json").read_text())
    tag = card["stages"][12]["tag"]
    card["stages"][12]["sha256"] = "0" * 64
    (folder / "b.json").write_text(json.dumps(card))
    assert main(["compare", "a.json", "a.json"]) == 0
    assert "same" in capsys.readouterr().out
    assert main(["compare", "a.json", "b.json"]) == 1
    assert tag in capsys.readouterr().out
    assert main(["compare", "--json", "a.json", "b.json"]) == 1
    assert json.loads(capsys.readouterr().out)["first_difference"]["tag"] == tag
    assert fit("d.csv", *FIT, "--param", "max_bins=9", "--card", "c.json") == 0
    assert main(["compare", "a.json", "c.json"]) == 2
    assert "max_bins" in capsys.readouterr().out
    refused(capsys, main(["compare", "a.json", "d.csv"]), "d.csv")
    refused(capsys, main(["compare", "absent.json", "a.json"]), "absent.json")


# -------------------------------------------------------------------------------------------------------------- doctor


def test_doctor_json_holds_all_that_can_be_read_back(capsys):
    status = main(["doctor", "--json", "--support"])
    found = json.loads(capsys.readouterr().out)
    assert status == (1 if found["problems"] else 0)
    assert found["build"] == samebits.build_info()
    assert found["devices"] == samebits.devices()
    assert found["backends"] == samebits.backends()
    assert found["device_reason"] == samebits.device_reason()
    assert found["config"] == samebits.config()
    assert found["code_objects"]["cpu"] == samebits.code_object("cpu")
    assert found["support"] == samebits.support()


def test_doctor_for_people(capsys):
    main(["doctor", "--support"])
    text = capsys.readouterr().out
    for word in (samebits.__version__, "cpu", samebits.device_reason(), "GradientBoostingClassifier"):
        assert word in text


@pytest.mark.parametrize(
    "name, value, words",
    [
        ("SAMEBITS_DEVICE", "cuda:99", "cuda:99"),
        ("SAMEBITS_MODE", "quick", "'quick'"),
        ("SAMEBITS_CPU_ISA", "mmx", "mmx"),
        ("SAMEBITS_THREADS", "2", "SAMEBITS_NUM_THREADS"),
    ],
)
def test_doctor_tells_what_cannot_be_met(capsys, monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    assert main(["doctor"]) == 1
    problems = [line for line in capsys.readouterr().out.splitlines() if line.startswith("problem: ")]
    assert any(words in line for line in problems), problems


def test_doctor_reports_a_refused_plugin(capsys, monkeypatch):
    report = {
        **samebits.backends()[0],
        "name": "cuda",
        "status": "refused",
        "reason": "it is truncated; reinstall it",
    }
    monkeypatch.setattr(samebits, "backends", lambda: [report])
    assert main(["doctor"]) == 1
    assert "problem: [backend] cuda: it is truncated; reinstall it" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------------ all verbs


@pytest.mark.parametrize("verb", ["demo", "fit", "predict", "compare", "doctor"])
def test_help(verb, capsys):
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert stop.value.code == 0
    assert f"samebits {verb}" in capsys.readouterr().out


def test_interrupt(monkeypatch, folder, capsys):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(GradientBoostingClassifier, "fit", interrupted)
    assert fit("d.csv", *FIT, "--model", "m") == 130
    assert "interrupted" in capsys.readouterr().err
    assert not (folder / "m").exists()


def test_python_m_and_version():
    done = subprocess.run(
        [sys.executable, "-m", "samebits", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"samebits {samebits.__version__}"
