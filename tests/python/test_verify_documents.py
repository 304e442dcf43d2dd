"""Verify documents: damaged ones are refused by name, two of strangers are compared."""

import copy
import json

import pytest

from samebits import compare
from samebits.cli import main
from samebits.exceptions import ModelFormatError
from samebits.verify import document as documents
from samebits.verify import verify


@pytest.fixture(scope="module")
def document():
    return verify("cpu", fixtures=["rows_2", "rows_63"])[1]


def written(tmp_path, name, document):
    path = tmp_path / name
    path.write_bytes(documents.to_bytes(document))
    return str(path)


def changed(document, change):
    other = copy.deepcopy(document)
    change(other)
    return documents.sealed(other)


CELL = "GradientBoostingRegressor/coarse/rows_63"


def move(part, stage):
    def change(document):
        entry = document["cells"][CELL][part]
        stages = entry["stages"].split()
        stages[stage] = "0" * 16
        entry.update(stages=" ".join(stages), sha256="0" * 64)

    return change


def test_same(document, tmp_path, capsys):
    a, b = (written(tmp_path, name, document) for name in ("a.json", "b.json"))
    assert main(["compare", a, b]) == 0
    assert capsys.readouterr().out.startswith("same: ")


@pytest.mark.parametrize(
    "part, stage", [("train", 7), ("model", 0), ("predict", 3), ("batch", 2), ("save_load", 1)]
)
def test_divergent(document, part, stage, tmp_path, capsys):
    other = changed(document, move(part, stage))
    found = compare.compare_documents(document, other)
    first = next(cell for cell in found.cells if cell["status"] == "divergent")
    tags = document["tags"][document["cells"][CELL][part]["tags"]]
    assert found.status == "divergent" and (first["cell"], first["part"]) == (CELL, part)
    assert first["first_difference"]["tag"] == tags[stage] and first["first_difference"]["index"] == stage
    assert first["first_difference"]["last_equal"] == (tags[stage - 1] if stage else None)
    assert main(["compare", written(tmp_path, "a", document), written(tmp_path, "b", other)]) == 1
    assert "how many ulp: not known" in capsys.readouterr().out


def test_a_forged_digest_is_divergent(document):
    other = changed(document, lambda d: d["cells"][CELL]["train"].update(sha256="1" * 64))
    assert compare.compare_documents(document, other).status == "divergent"


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda d: d.update(profile="identical/2"), "profile differs"),
        (lambda d: d["library"].update(broken_rule="C6"), "'C6'"),
        (
            lambda d: d["fixtures"]["rows_63"][0].update(sha256="0" * 64),
            "inputs of the fixture 'rows_63' differ",
        ),
        (
            lambda d: d["settings"]["coarse"]["params"].update(max_bins=3),
            "parameters of the setting 'coarse'",
        ),
        (lambda d: d["cells"][CELL].update(train={"refused": "no fma"}), "refused in B: no fma"),
        (lambda d: d.update(cells={"E/coarse/rows_2": d["cells"][CELL]}), "no cell in common"),
        (
            lambda d: [c.update({p: {"pending": "x"} for p in c}) for c in d["cells"].values()],
            "0 are the same",
        ),
    ],
)
def test_not_comparable(document, change, words, tmp_path, capsys):
    other = changed(document, change)
    assert main(["compare", written(tmp_path, "a", document), written(tmp_path, "b", other)]) == 2
    text = capsys.readouterr().out
    assert text.startswith("not comparable") and words in text


def test_a_card_and_a_document(document, tmp_path, capsys):
    import samebits
    from samebits._draws import Draws
    from samebits.ensemble import GradientBoostingRegressor

    X = Draws(1, 1).uniform_f32(50, 2)
    with samebits.trace() as log:
        GradientBoostingRegressor(n_estimators=1).fit(X, X[:, 0])
    log.save(tmp_path / "card.json")
    assert main(["compare", str(tmp_path / "card.json"), written(tmp_path, "a", document)]) == 2
    assert "two of a kind" in capsys.readouterr().err


DAMAGES = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "flipped": lambda data: data.replace(b'"profile":"identical/1"', b'"profile":"identical/3"'),
    "flipped hash": lambda data: data.replace(b'"stages":"', b'"stages":"0', 1),
    "list": lambda data: b"[1, 2]",
    "text": lambda data: b"\xff\xfe",
    "other format": lambda data: data.replace(b"samebits-verify/1", b"samebits-verify/9"),
    "no seal": lambda data: json.dumps({**json.loads(data), "sha256": 5}).encode(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_documents_are_refused(document, damage, tmp_path, capsys):
    path = tmp_path / "damaged.json"
    path.write_bytes(DAMAGES[damage](documents.to_bytes(document)))
    with pytest.raises(ModelFormatError, match="damaged"):
        documents.load(path)
    good = written(tmp_path, "good.json", document)
    for command in (
        ["verify", "--quick", "--against", str(path)],
        ["compare", good, str(path)],
        ["compare", str(path), good],
        ["check-fixture", "--name", "ties", "--against", str(path)],
    ):
        assert main(command) == 2
        captured = capsys.readouterr()
        assert "damaged.json" in captured.err and "same" not in captured.out


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["cells"][CELL].pop("train"),
        lambda d: d["cells"][CELL]["train"].update(stages="ab"),
        lambda d: d["cells"][CELL]["train"].update(tags=999),
        lambda d: d["cells"][CELL].update(train=3),
        lambda d: d["cells"].update(x={}),
        lambda d: d["fixtures"].update(rows_2=[{}]),
        lambda d: d["fixtures"].update(rows_2=[]),
        lambda d: d["settings"].pop("coarse"),
    ],
)
def test_well_sealed_nonsense_is_refused(document, change):
    with pytest.raises(ModelFormatError, match="malformed fixtures or cells"):
        documents.check(changed(document, change), "x")


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda d: d.update(profile="identical/2"), "identical/2"),
        (lambda d: d["library"].update(broken_rule="C6"), "C6"),
        (lambda d: d["settings"]["coarse"]["params"].update(max_bins=3), "'coarse'"),
        (lambda d: d["fixtures"]["rows_63"][0].update(sha256="0" * 64), "'rows_63'"),
        (lambda d: d["fixtures"]["rows_63"].pop(), "'rows_63'"),
    ],
)
def test_verify_refuses_a_document_it_cannot_be_compared_with(document, change, words, tmp_path, capsys):
    path = written(tmp_path, "other.json", changed(document, change))
    assert main(["verify", "--fixture", "rows_63", "--device", "cpu", "--against", path]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and "same bits" not in captured.out


def test_a_document_without_the_cells_passes_nothing(document, tmp_path, capsys):
    path = written(tmp_path, "small.json", document)
    assert main(["verify", "--fixture", "ties", "--device", "cpu", "--against", path]) == 1
    assert "NOT verified: 0 identical" in capsys.readouterr().out


def test_a_missing_or_damaged_shipped_document(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(documents.resources, "files", lambda name: tmp_path)
    assert main(["verify", "--quick"]) == 2
    assert "verify.json" in capsys.readouterr().err
    (tmp_path / "data" / "cards").mkdir(parents=True)
    (tmp_path / "data" / "cards" / "verify.json").write_text("{")
    assert main(["verify", "--quick"]) == 2
    assert "the shipped verify.json" in capsys.readouterr().err
