"""Conformance bundles: the same bytes wherever they are exported, and every change of one is noticed."""

import hashlib
import io
import json
import os
import shutil
import tarfile
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import samebits
from samebits import conformance
from samebits.cli import main
from samebits.conformance import bundle as bundles
from samebits.conformance import check, probes
from samebits.conformance import files as storage
from samebits.exceptions import BundleError, DeviceUnavailableError, InvalidInputError

ROOT = Path(__file__).resolve().parents[2]
PIN = ROOT / "conformance/bundle.sha256"
DEVICES = [device["id"] for device in samebits.devices()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An exported bundle; tests do not change it."""
    path = tmp_path_factory.mktemp("bundle") / "whole"
    conformance.export_bundle(path)
    return path


@pytest.fixture
def copy(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def seal_again(folder):
    """New hashes over whatever the files now hold."""
    files = storage.read(folder)
    manifest = {**json.loads(files["manifest.json"])}
    sealed = bundles.seal(files, manifest, json.loads(files["provenance.json"]))
    for name in ("manifest.json", "manifest.sha256", "provenance.json"):
        (folder / name).write_bytes(sealed[name])


# ------------------------------------------------------------------------------------------------------------- export


def test_the_export_is_the_pinned_one(whole):
    assert PIN.read_text() == (whole / "manifest.sha256").read_text(), (
        "the bundle has other bytes than the pinned one: a bit of the contract, an input or a text of the bundle has "
        "moved. When that is meant: samebits conformance export DIR && cp DIR/manifest.sha256 conformance/bundle.sha256"
    )


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_exports_the_same(whole, device):
    files = check.bundle_files(device)
    expected = storage.read(whole)
    different = [name for name in expected.keys() | files.keys() if files.get(name) != expected.get(name)]
    assert different == ([] if device == "reference" else ["provenance.json"])


def test_archives_hold_the_same_files_and_have_fixed_bytes(whole, tmp_path):
    for kind in (".zip", ".tar"):
        conformance.export_bundle(tmp_path / f"a{kind}")
        conformance.export_bundle(tmp_path / f"b{kind}")
        data = (tmp_path / f"a{kind}").read_bytes()
        assert data == (tmp_path / f"b{kind}").read_bytes()
        assert storage.read(tmp_path / f"a{kind}") == storage.read(whole)
        assert conformance.validate_bundle(tmp_path / f"a{kind}", device="cpu").ok


def test_what_is_there_is_not_replaced(whole, tmp_path):
    before = storage.read(whole)
    with pytest.raises(InvalidInputError, match="not an empty folder"):
        conformance.export_bundle(whole)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InvalidInputError, match="not an empty folder"):
        conformance.export_bundle(tmp_path / "file")
    with pytest.raises(InvalidInputError, match="cannot write"):
        conformance.export_bundle(tmp_path / "nowhere" / "bundle")
    assert storage.read(whole) == before and (tmp_path / "file").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    conformance.export_bundle(tmp_path / "empty")
    assert sorted(os.listdir(tmp_path)) == ["empty", "file"]


def test_a_separating_build_exports_nothing(monkeypatch, tmp_path):
    real = samebits.build_info()
    monkeypatch.setattr(check._core, "build_info", lambda: {**real, "broken_rule": "ties"})
    with pytest.raises(InvalidInputError, match="'ties'"):
        conformance.export_bundle(tmp_path / "b")


def test_the_format_page_says_what_the_files_are(whole):
    page = (whole / "FORMAT.md").read_text()
    manifest = json.loads((whole / "manifest.json").read_text())
    assert bundles.FORMAT in page and manifest["profile"] in page
    assert all(f"`{key}`" in page for key in manifest)
    item = json.loads((whole / "items/exp_f32.json").read_text())
    assert all(f"`{key}`" in page for key in (*item, *item["inputs"][0]))
    algorithms = (whole / "ALGORITHMS.md").read_text()
    for name in manifest["items"]:
        item = json.loads((whole / f"items/{name}.json").read_text())
        assert f"\n## {item['algorithm']}\n" in algorithms
        assert (whole / item["inputs"][0]["file"]).stat().st_size > 0


# ----------------------------------------------------------------------------------------------------------- validate


@pytest.mark.parametrize("device", DEVICES)
def test_this_machine_is_identical(whole, device, isas, monkeypatch):
    for isa in isas if device == "cpu" else [None]:
        if isa:
            monkeypatch.setenv("SAMEBITS_CPU_ISA", isa)
        report = conformance.validate_bundle(whole, device=device, n_threads=2)
        assert report.ok and not report.notes, report.text()
        assert len(report.items) == len(json.loads((whole / "manifest.json").read_text())["items"]) >= 12


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    "path",
    [
        "FORMAT.md",
        "ALGORITHMS.md",
        "manifest.json",
        "manifest.sha256",
        "provenance.json",
        "items/philox.json",
        "inputs/reduce_sum/x.bin",
        "expected/fit_regression/stages/tree/1/histograms.bin",
    ],
)
def test_a_changed_byte_a_missing_and_a_short_file_are_named(copy, path):
    good = (copy / path).read_bytes()
    flip(copy / path)
    with pytest.raises(BundleError, match=path):
        conformance.validate_bundle(copy)
    (copy / path).write_bytes(good[: len(good) // 2])
    with pytest.raises(BundleError, match=path):
        conformance.validate_bundle(copy)
    (copy / path).unlink()
    with pytest.raises(BundleError, match=path):
        conformance.validate_bundle(copy)


def test_an_extra_file_is_named(copy):
    (copy / "inputs/more.bin").write_bytes(b"x")
    with pytest.raises(BundleError, match=r"inputs/more\.bin.*no other files"):
        conformance.validate_bundle(copy)
    seal_again(copy)  # even when the manifest lists it, it belongs to no item
    with pytest.raises(BundleError, match=r"inputs/more\.bin.*no item"):
        conformance.validate_bundle(copy)


def rewrite_manifest(folder, change):
    manifest = json.loads((folder / "manifest.json").read_text())
    change(manifest)
    data = bundles.json_bytes(manifest)
    (folder / "manifest.json").write_bytes(data)
    (folder / "manifest.sha256").write_text(f"{hashlib.sha256(data).hexdigest()}  manifest.json\n")


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda m: m.update(format="samebits-bundle/2"), "samebits-bundle/2.*update samebits"),
        (lambda m: m.pop("format"), "format None"),
        (lambda m: m.update(profile="identical/2"), "identical/2"),
        (lambda m: m.update(files=[]), "no good list"),
        (lambda m: m.update(items={}), "no good list"),
        (lambda m: m.update(items=[*m["items"], m["items"][0]]), "no good list"),
        (lambda m: m["files"].update({"FORMAT.md": None}), "size and hash of 'FORMAT.md'"),
        (lambda m: m["items"].append("other"), r"items/other\.json"),
        (lambda m: m["items"].append("../x"), r"\.\./x"),
    ],
)
def test_a_manifest_with_other_content(copy, change, words):
    rewrite_manifest(copy, change)
    body = {"manifest_sha256": bundles.sha256((copy / "manifest.json").read_bytes())}
    (copy / "provenance.json").write_bytes(
        bundles.json_bytes({**body, "self_sha256": bundles.sha256(bundles.json_bytes(body))})
    )
    with pytest.raises(BundleError, match=words):
        conformance.validate_bundle(copy)


@pytest.mark.parametrize(
    "path", ["../x.bin", "/etc/passwd", "a/../../x", "a\\..\\x", "C:/x", "", "a//b", "./a", "\u00e9"]
)
def test_a_path_out_of_the_bundle(copy, path):
    rewrite_manifest(copy, lambda m: m["files"].update({path: {"bytes": 1, "sha256": "0" * 64}}))
    with pytest.raises(BundleError, match="relative path inside the bundle"):
        conformance.validate_bundle(copy)


def test_archives_with_bad_members(whole, tmp_path):
    files = storage.read(whole)
    for name, members in {
        "escape": [*files.items(), ("../x", b"")],
        "twice": [*files.items(), ("FORMAT.md", files["FORMAT.md"])],
    }.items():
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zipfile warns of the member that is there twice
            for path, data in members:
                archive.writestr(path, data)
        with tarfile.open(tmp_path / f"{name}.tar", "w") as archive:
            for path, data in members:
                info = tarfile.TarInfo(path)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        for kind in (".zip", ".tar"):
            with pytest.raises(BundleError, match="twice" if name == "twice" else r"\.\./x"):
                conformance.validate_bundle(tmp_path / f"{name}{kind}")
    with tarfile.open(tmp_path / "link.tar", "w") as archive:
        info = tarfile.TarInfo("FORMAT.md")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(BundleError, match="is a link"):
        conformance.validate_bundle(tmp_path / "link.tar")


def test_a_link_in_a_folder(copy, tmp_path):
    data = (copy / "FORMAT.md").read_bytes()
    (tmp_path / "elsewhere").write_bytes(data)
    (copy / "FORMAT.md").unlink()
    (copy / "FORMAT.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BundleError, match=r"FORMAT\.md.*is a link"):
        conformance.validate_bundle(copy)


def test_what_is_no_bundle(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("x")
    (tmp_path / "bad.zip").write_text("x")
    (tmp_path / "bad.tar").write_text("x")
    for name, words in {
        "nowhere": "does not exist",
        "empty": r"manifest\.json.*missing",
        "text": "no bundle",
        "bad.zip": "cannot read",
        "bad.tar": "cannot read",
    }.items():
        with pytest.raises(BundleError, match=words):
            conformance.validate_bundle(tmp_path / name)


def rewrite_item(folder, name, change):
    path = folder / f"items/{name}.json"
    item = json.loads(path.read_text())
    change(item)
    path.write_bytes(bundles.json_bytes(item))
    seal_again(folder)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda i: i.update(algorithm="gemm"), "'gemm'.*this version knows reduce_sum"),
        (lambda i: i.update(item="other"), "no good item"),
        (lambda i: i.update(inputs=3), "no good inputs"),
        (lambda i: i.pop("parameters"), "no good parameters"),
        (lambda i: i["inputs"][0].update(dtype="f16"), "dtype 'f16'.*one of f32"),
        (lambda i: i["inputs"][0].update(shape=[-1]), r"shape \[-1\]"),
        (lambda i: i["inputs"][0].update(shape=[7]), r"x\.bin' has \d+ bytes, need 28"),
        (lambda i: i["inputs"][0].update(file="inputs/../../x"), r"inputs/\.\./\.\./x"),
        (lambda i: i["inputs"][0].update(file="inputs/none.bin"), "not in the manifest"),
        (lambda i: i["inputs"][0].update(file="manifest.json"), "not in the manifest"),
        (lambda i: i["inputs"][0].pop("dtype"), "without name, file, dtype and shape"),
        (lambda i: i["inputs"].append(i["inputs"][0]), "'x' twice"),
        (lambda i: i["inputs"][0].update(name="z"), "does not have what 'elementary' needs"),
        (lambda i: i["outputs"][0].update(name="z"), "no output 'z'"),
        (lambda i: i["parameters"].update(function="cosh"), "'cosh'"),
        (lambda i: i["parameters"].update(function=3), "does not have what 'elementary' needs"),
    ],
)
def test_a_malformed_item(copy, change, words):
    rewrite_item(copy, "exp_f32", change)
    with pytest.raises((BundleError, InvalidInputError), match=words):
        conformance.validate_bundle(copy)


def test_a_malformed_fit(copy):
    rewrite_item(copy, "fit_constant", lambda i: i["parameters"].update(max_bins="many"))
    with pytest.raises(BundleError, match="does not have what 'gradient_boosting' needs"):
        conformance.validate_bundle(copy)


def test_a_moved_bit_is_named(copy):
    path = copy / "expected/exp_f32/y.bin"
    values = np.fromfile(path, "<f4")
    index = int(np.flatnonzero(np.isfinite(values) & (values > 1))[5])
    values[index] = np.nextafter(values[index], np.float32(0))
    values.tofile(path)
    seal_again(copy)
    report = conformance.validate_bundle(copy, device="cpu")
    bad = [result for result in report.items if result.status != "identical"]
    assert [result.item for result in bad] == ["exp_f32"] and not report.ok
    found = bad[0].first_difference
    assert (found["output"], found["element"], found["ulp"], found["different"]) == ("y", [index], 1, 1)
    assert int(found["b_bits"], 16) - int(found["a_bits"], 16) == 1
    for word in ("divergent", f"[{index}]", "1 ulp", found["a_bits"], found["b_bits"], "12 of 13 items"):
        assert word in report.text()


def test_other_inputs_are_another_bundle(copy):
    path = copy / "inputs/log_f32/x.bin"
    values = np.fromfile(path, "<f4")
    values[100] = 2.5
    values.tofile(path)
    seal_again(copy)
    report = conformance.validate_bundle(copy, device="cpu")
    assert [r.item for r in report.items if r.status != "identical"] == ["log_f32"]
    assert "inputs are not those" in report.notes[0] and "inputs are not those" in report.text()


def test_a_device_without_a_primitive_is_refused_not_passed(whole, monkeypatch):
    def refuse(item, device):
        raise DeviceUnavailableError("[reduce_sum] backend x has no implementation of this contract")

    monkeypatch.setattr(check, "compute", refuse)
    report = conformance.validate_bundle(whole, items=["reduce_sum"])
    assert not report.ok and report.items[0].status == "refused" and "backend x" in report.text()
    with pytest.raises(DeviceUnavailableError):
        conformance.validate_bundle(whole, device="cuda:77")


# -------------------------------------------------------------------------------------------------------------- grade


@pytest.fixture
def results(whole, tmp_path):
    return Path(shutil.copytree(whole / "expected", tmp_path / "results"))


def test_grading(whole, results):
    assert conformance.grade_results(whole, results).ok
    (results / "philox/words.bin").unlink()
    (results / "log_f32/y.bin").write_bytes(b"123")
    flip(results / "fit_symmetric/stages/tree/1/scores.bin")
    (results / "notes.txt").write_text("mine")
    report = conformance.grade_results(whole, results)
    status = {result.item: result for result in report.items}
    assert status["philox"].status == "missing" and "philox/words.bin" in status["philox"].reason
    assert status["log_f32"].status == "divergent" and "3 bytes" in status["log_f32"].reason
    assert status["fit_symmetric"].first_difference["output"] == "stages/tree/1/scores"
    assert sum(result.status == "identical" for result in report.items) == len(report.items) - 3
    assert not report.ok and "notes.txt" in report.notes[0]
    assert conformance.grade_results(whole, results, items=["exp_f32", "reduce_sum"]).ok
    with pytest.raises(InvalidInputError, match="'sinh'"):
        conformance.grade_results(whole, results, items=["sinh"])
    with pytest.raises(BundleError, match="does not exist"):
        conformance.grade_results(whole, results / "none")


def test_any_other_nan_is_divergent(whole, results):
    path = results / "log_f32/y.bin"
    words = np.fromfile(path, "<u4")
    words[np.flatnonzero(words == 0x7FC00000)[0]] = 0xFFC00000
    words.tofile(path)
    report = conformance.grade_results(whole, results, items=["log_f32"])
    assert not report.ok and report.items[0].first_difference["ulp"] is None


# ---------------------------------------------------------------------------------------------------------- self-test


def test_self_test_passes():
    outcome = conformance.self_test(device="cpu")
    assert outcome.ok and len(outcome.probes) > 50, outcome.text()


def _always_identical(item, found):
    return check.ItemResult(item.name, "identical", len(item.outputs))


def _first_item_only(bundle, names):
    return bundle.items[:1] if names is None else [item for item in bundle.items if item.name in names]


SABOTAGES = {
    "no comparison": (check, "compare_outputs", _always_identical),
    "differences not seen": (check, "first_difference", lambda a, b: None),
    "nothing is computed": (check, "compute", lambda item, device: item.outputs),
    "hashes not checked": (bundles, "_check_listing", lambda files, listed: None),
    "provenance not checked": (bundles, "_checked_provenance", lambda files: {}),
    "paths not checked": (bundles, "check_path", lambda path, where: None),
    "items left out": (check, "_selected", _first_item_only),
    "everything is divergent": (
        check,
        "_recomputed",
        lambda item, d: check.ItemResult(item.name, "divergent", 1),
    ),
}


@pytest.mark.parametrize("sabotage", SABOTAGES)
def test_self_test_fails_when_the_validator_is_sabotaged(monkeypatch, sabotage, capsys):
    module, name, replacement = SABOTAGES[sabotage]
    monkeypatch.setattr(module, name, replacement)
    assert main(["conformance", "self-test", "--device", "cpu"]) == 1
    assert "CANNOT BE TRUSTED" in capsys.readouterr().out


def test_a_self_test_without_probes_is_no_pass():
    assert not probes.SelfTest([]).ok


# ------------------------------------------------------------------------------------------------------- command line


def run(capsys, *arguments):
    status = main(["conformance", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_command_line(copy, tmp_path, capsys):
    status, out, _ = run(capsys, "export", tmp_path / "b.tar")
    assert status == 0 and PIN.read_text().split()[0] in out
    status, out, _ = run(capsys, "validate", tmp_path / "b.tar", "--device", "cpu", "--threads", 1)
    assert status == 0 and "13 of 13 items identical" in out
    status, out, _ = run(capsys, "validate", copy, "--item", "exp_f32", "--json")
    assert status == 0 and json.loads(out)["ok"] and len(json.loads(out)["items"]) == 1
    status, out, _ = run(capsys, "validate", copy, "--results", copy / "expected")
    assert status == 0
    flip(copy / "expected/exp_f32/y.bin")
    status, _, err = run(capsys, "validate", copy)
    assert status == 2 and "expected/exp_f32/y.bin" in err and err.count("\n") == 1
    seal_again(copy)
    status, out, _ = run(capsys, "validate", copy, "--json")
    found = json.loads(out)
    assert status == 1 and not found["ok"]
    assert [i["item"] for i in found["items"] if i["status"] != "identical"] == ["exp_f32"]
    status, _, err = run(capsys, "validate", copy, "--results", copy / "expected", "--device", "cpu")
    assert status == 2 and "--device" in err
    status, _, err = run(capsys, "export", copy)
    assert status == 2 and "not an empty folder" in err
