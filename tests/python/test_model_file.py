"""Saving, loading, pickling: same bytes, and a clear error for every damaged file."""

import copy
import json
import os
import pickle

import numpy as np
import pytest
from safetensors.numpy import save_file

import samebits
from samebits.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from samebits.exceptions import InvalidInputError, ModelFormatError


@pytest.fixture(scope="module")
def model(classification):
    X, y = classification
    return GradientBoostingClassifier(n_estimators=6).fit(X, y, eval_set=[(X, y)])


def test_round_trip_is_byte_equal(model, classification, tmp_path):
    X, _ = classification
    first, second = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    model.save(first, metadata={"note": "for me"})
    loaded = GradientBoostingClassifier.load(first)
    assert loaded.user_metadata_ == {"note": "for me"}
    loaded.save(second)
    assert first.read_bytes() == second.read_bytes()
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.evals_result_ == model.evals_result_
    assert loaded.get_params() == {**model.get_params(), "random_state": 0}
    assert isinstance(samebits.load_model(first), GradientBoostingClassifier)
    header = first.read_bytes()
    for private in (str(tmp_path), os.uname().nodename, "x86_64", "cpu-"):
        assert private.encode() not in header


def test_pickle_and_copy(model, classification):
    X, _ = classification
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert np.array_equal(other.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize(
    "labels",
    [np.array([3, 7]), np.array([1.0, 2.0]), np.array([False, True]), np.array(["a", "bcd"], dtype=object)],
)
def test_label_types_survive(labels, tmp_path, classification):
    X, y = classification
    named = labels[(y == "yes").astype(int)]
    GradientBoostingClassifier(n_estimators=2).fit(X, named).save(tmp_path / "m")
    loaded = samebits.load_model(tmp_path / "m")
    assert loaded.classes_.dtype == named.dtype
    assert set(loaded.predict(X)) <= set(labels.tolist())


def damage(path, how):
    data = path.read_bytes()
    if how == "truncated":
        path.write_bytes(data[: len(data) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_text("this is no model")
    elif how == "missing":
        path.unlink()
    elif how == "foreign":
        save_file({"weights": np.zeros(3, dtype=np.float32)}, path)
    elif how == "folder":
        path.unlink()
        path.mkdir()


@pytest.mark.parametrize("how", ["truncated", "empty", "text", "missing", "foreign", "folder"])
def test_damaged_files_are_refused(model, tmp_path, how):
    path = tmp_path / "m.safetensors"
    model.save(path)
    damage(path, how)
    with pytest.raises(ModelFormatError, match=r"m\.safetensors"):
        samebits.load_model(path)


def rewrite(model, path, change):
    """Write the model with its header or arrays changed."""
    from safetensors import safe_open

    model.save(path)
    with safe_open(path, framework="numpy") as file:
        head = json.loads(file.metadata()["samebits"])
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    change(head, arrays)
    save_file(arrays, path, metadata={"samebits": json.dumps(head)})


def newer(head, _):
    head["format"] = "samebits-model/2"


def other_profile(head, _):
    head["profile"] = "identical/9"


def cyclic(_, arrays):
    arrays["left"] = np.zeros_like(arrays["left"])


def far_feature(_, arrays):
    arrays["feature"] = np.where(arrays["feature"] >= 0, 10**6, -1).astype(np.int32)


def short_array(_, arrays):
    arrays["value"] = arrays["value"][:-1].copy()


def wrong_type(_, arrays):
    arrays["value"] = arrays["value"].astype(np.float64)


def no_array(_, arrays):
    del arrays["threshold"]


def huge_offsets(_, arrays):
    arrays["tree_offset"] = arrays["tree_offset"] + np.uint64(2**40)


def no_estimator(head, _):
    del head["estimator"]


@pytest.mark.parametrize(
    "change",
    [
        newer,
        other_profile,
        cyclic,
        far_feature,
        short_array,
        wrong_type,
        no_array,
        huge_offsets,
        no_estimator,
    ],
)
def test_malformed_models_are_refused(model, tmp_path, change):
    path = tmp_path / "m.safetensors"
    rewrite(model, path, change)
    with pytest.raises(ModelFormatError):
        samebits.load_model(path)


def test_the_wrong_class_is_refused(model, tmp_path):
    model.save(tmp_path / "m")
    with pytest.raises(ModelFormatError, match="load_model"):
        GradientBoostingRegressor.load(tmp_path / "m")


def test_unwritable_places_are_refused_and_nothing_is_lost(model, tmp_path):
    for path in (tmp_path / "no" / "such" / "folder" / "m", tmp_path, "/dev/full"):
        with pytest.raises(InvalidInputError, match="cannot write"):
            model.save(path)
    path = tmp_path / "m"
    model.save(path)
    before = path.read_bytes()
    with pytest.raises(InvalidInputError, match="JSON"):
        model.save(path, metadata={"x": object()})
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


def test_a_link_is_written_through(model, tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    model.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert len((tmp_path / "real").read_bytes()) > 100
