"""What a bundle is: its files, the manifest over them, the items with their arrays. FORMAT.md is the text of it."""

import dataclasses
import hashlib
import json
from importlib import resources

import numpy as np

from samebits import _core
from samebits._trace import NUMPY_DTYPES
from samebits.conformance.files import check_path
from samebits.exceptions import BundleError

FORMAT = "samebits-bundle/1"
MANIFEST, SEAL, PROVENANCE = "manifest.json", "manifest.sha256", "provenance.json"
TEXTS = ("FORMAT.md", "ALGORITHMS.md")
_UNLISTED = (MANIFEST, SEAL, PROVENANCE)


@dataclasses.dataclass(frozen=True)
class Item:
    """One thing to compute: an algorithm of ALGORITHMS.md, its parameters, input arrays and expected output arrays."""

    name: str
    algorithm: str
    parameters: dict
    inputs: dict
    outputs: dict


@dataclasses.dataclass(frozen=True)
class Bundle:
    """A bundle that was read and found whole: manifest, items in order, provenance, files."""

    manifest: dict
    items: list
    provenance: dict
    files: dict


def json_bytes(value):
    """JSON as bundles hold it: sorted keys, one space of indentation, ASCII, a line end."""
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def dtype_word(array):
    """The word of FORMAT.md for an array's dtype."""
    return {code.lstrip("<"): word for word, code in NUMPY_DTYPES.items()}[
        f"{array.dtype.kind}{array.dtype.itemsize}"
    ]


def array_bytes(array):
    return np.ascontiguousarray(array).astype(NUMPY_DTYPES[dtype_word(array)], copy=False).tobytes()


# ------------------------------------------------------------------------------------------------------------- writing


def files_of(items, provenance):
    """All files of a bundle of these items, in the order of their names."""
    files = {name: text_of(name) for name in TEXTS}
    for item in items:
        head = {"item": item.name, "algorithm": item.algorithm, "parameters": item.parameters}
        for folder, key in (("inputs", "inputs"), ("expected", "outputs")):
            head[key] = []
            for name, array in getattr(item, key).items():
                path = f"{folder}/{item.name}/{name}.bin"
                files[path] = array_bytes(array)
                entry = {"name": name, "file": path, "dtype": dtype_word(array), "shape": list(array.shape)}
                head[key].append(entry)
        files[f"items/{item.name}.json"] = json_bytes(head)
    manifest = {
        "format": FORMAT,
        "profile": _core.build_info()["profile"],
        "items": [item.name for item in items],
    }
    return seal(files, manifest, provenance)


def seal(files, manifest, provenance):
    """The files with a manifest of their hashes, the manifest's own hash, and the provenance that names it."""
    files = {name: files[name] for name in sorted(files) if name not in _UNLISTED}
    listed = {name: {"bytes": len(data), "sha256": sha256(data)} for name, data in files.items()}
    manifest = json_bytes({**manifest, "files": listed, "not_graded": [PROVENANCE]})
    body = {**provenance, "manifest_sha256": sha256(manifest)}
    body.pop("self_sha256", None)
    files[MANIFEST] = manifest
    files[SEAL] = f"{sha256(manifest)}  {MANIFEST}\n".encode()
    files[PROVENANCE] = json_bytes({**body, "self_sha256": sha256(json_bytes(body))})
    return files


def text_of(name):
    """FORMAT.md or ALGORITHMS.md as shipped with the package."""
    return (resources.files("samebits") / "conformance" / name).read_bytes()


# ------------------------------------------------------------------------------------------------------------- reading


def parse(files):
    """A Bundle from files by path; nothing is computed.

    Raises
    ------
    BundleError
        Names the file that is missing, too much, changed or malformed, or the format that is not known here.
    """
    manifest = _checked_manifest(files)
    _check_listing(files, manifest["files"])
    provenance = _checked_provenance(files)
    used = set(TEXTS)
    items = [_item(name, files, used) for name in manifest["items"]]
    unused = sorted(set(manifest["files"]) - used)
    if unused:
        raise BundleError(f"[conformance] {unused[0]!r} belongs to no item of the bundle")
    return Bundle(manifest, items, provenance, files)


def _json(name, files):
    if name not in files:
        raise BundleError(f"[conformance] {name!r} is missing; this is no bundle, or it is incomplete")
    try:
        value = json.loads(files[name].decode("ascii"))
    except ValueError as error:
        raise BundleError(f"[conformance] {name!r} is truncated or damaged: {error}") from error
    except RecursionError as error:
        raise BundleError(f"[conformance] {name!r} is nested too deeply") from error
    if not isinstance(value, dict):
        raise BundleError(f"[conformance] {name!r} holds a {type(value).__name__}, need an object")
    return value


def _checked_manifest(files):
    manifest = _json(MANIFEST, files)
    if SEAL in files and files[SEAL] != f"{sha256(files[MANIFEST])}  {MANIFEST}\n".encode():
        raise BundleError(
            f"[conformance] {MANIFEST!r} does not have the hash that {SEAL!r} names; one of them was changed"
        )
    if manifest.get("format") != FORMAT:
        raise BundleError(
            f"[conformance] {MANIFEST!r} has the format {manifest.get('format')!r}, this version reads {FORMAT!r}; "
            "update samebits if it is newer"
        )
    if SEAL not in files:
        raise BundleError(f"[conformance] {SEAL!r} is missing; the bundle is incomplete")
    profile = _core.build_info()["profile"]
    if manifest.get("profile") != profile:
        raise BundleError(
            f"[conformance] {MANIFEST!r} is of profile {manifest.get('profile')!r}, this library computes {profile!r}"
        )
    listed, items = manifest.get("files"), manifest.get("items")
    good = isinstance(listed, dict) and isinstance(items, list) and all(isinstance(i, str) for i in items)
    if not good or len(set(items)) != len(items):
        raise BundleError(f"[conformance] {MANIFEST!r} has no good list of files and items")
    for path, entry in listed.items():
        check_path(path, repr(MANIFEST))
        if not isinstance(entry, dict) or set(entry) != {"bytes", "sha256"}:
            raise BundleError(f"[conformance] {MANIFEST!r} has no size and hash of {path!r}")
    return manifest


def _check_listing(files, listed):
    for path in sorted(set(listed) | {PROVENANCE}):
        if path not in files:
            raise BundleError(f"[conformance] {path!r} is missing; the bundle is incomplete")
    for path in sorted(files):
        if path not in listed and path not in _UNLISTED:
            raise BundleError(f"[conformance] {path!r} is not in the manifest; a bundle has no other files")
    for path in sorted(listed):
        data, entry = files[path], listed[path]
        if len(data) != entry["bytes"] or sha256(data) != entry["sha256"]:
            raise BundleError(
                f"[conformance] {path!r} was changed: it has {len(data)} bytes with sha256 {sha256(data)}, "
                f"the manifest says {entry['bytes']} and {entry['sha256']}"
            )


def _checked_provenance(files):
    provenance = _json(PROVENANCE, files)
    body = {key: value for key, value in provenance.items() if key != "self_sha256"}
    if files[PROVENANCE] != json_bytes({**body, "self_sha256": sha256(json_bytes(body))}):
        raise BundleError(
            f"[conformance] {PROVENANCE!r} does not have the hash that it names; it was changed"
        )
    if body.get("manifest_sha256") != sha256(files[MANIFEST]):
        raise BundleError(f"[conformance] {PROVENANCE!r} belongs to another {MANIFEST!r}")
    return provenance


def _item(name, files, used):
    path = f"items/{name}.json"
    check_path(path, repr(MANIFEST))
    head = _json(path, files)
    used.add(path)
    kinds = {"item": str, "algorithm": str, "parameters": dict, "inputs": list, "outputs": list}
    wrong = [key for key, kind in kinds.items() if not isinstance(head.get(key), kind)]
    if wrong or head["item"] != name:
        raise BundleError(f"[conformance] {path!r} has no good {', '.join(wrong) or 'item'}")
    arrays = {key: _arrays(path, head[key], files, used) for key in ("inputs", "outputs")}
    return Item(name, head["algorithm"], head["parameters"], arrays["inputs"], arrays["outputs"])


def _arrays(path, entries, files, used):
    found = {}
    for entry in entries:
        if not isinstance(entry, dict) or not {"name", "file", "dtype", "shape"} <= set(entry):
            raise BundleError(f"[conformance] {path!r} has an array without name, file, dtype and shape")
        if not isinstance(entry["name"], str) or entry["name"] in found:
            raise BundleError(
                f"[conformance] {path!r} has the array {entry['name']!r} twice or without a name"
            )
        found[entry["name"]] = _array(path, entry, files, used)
    return found


def _array(path, entry, files, used):
    file, shape = entry["file"], entry["shape"]
    check_path(file, repr(path))
    if file not in files or file in _UNLISTED:
        raise BundleError(f"[conformance] {path!r} names {file!r}, which is not in the manifest")
    used.add(file)
    dtype = NUMPY_DTYPES.get(entry["dtype"]) if isinstance(entry["dtype"], str) else None
    if dtype is None or not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise BundleError(
            f"[conformance] {path!r} gives {file!r} the dtype {entry['dtype']!r} and the shape {shape!r}; "
            f"need one of {', '.join(NUMPY_DTYPES)} and whole numbers"
        )
    return as_array(files[file], entry["dtype"], shape, file)


def as_array(data, word, shape, name):
    """Raw bytes as an array, or a refusal that names the file and both sizes."""
    dtype, count = np.dtype(NUMPY_DTYPES[word]), 1
    for extent in shape:
        count *= extent
    if len(data) != count * dtype.itemsize:
        raise BundleError(
            f"[conformance] {name!r} has {len(data)} bytes, need {count * dtype.itemsize} for {word}{list(shape)}"
        )
    return np.frombuffer(data, dtype).reshape(shape)
