"""Verify documents: what one place computed for every cell, as hashes.

Format samebits-verify/1, canonical JSON. ``cells`` maps "ESTIMATOR/SETTING/FIXTURE" to its parts; a part holds the
SHA-256 of all its stage records in order (this decides), the number of its list of tags in ``tags``, and the first 16
hexadecimal digits of the SHA-256 of every stage record (these name the first stage that differs). ``sha256`` seals the
rest, so that a cut or changed document is noticed. Hashes of model files leave the library version out
(_model_file.without_version).
"""

import hashlib
import json
import os
from importlib import resources

import samebits
from samebits import compare
from samebits._io import canonical_json
from samebits._trace import DOCUMENT_FORMAT as FORMAT
from samebits.exceptions import ModelFormatError
from samebits.verify.parts import PARTS
from samebits.verify.settings import SETTINGS

_SHORT = 16
_KINDS = {
    "format": str,
    "profile": str,
    "library": dict,
    "column": str,
    "device": dict,
    "fixtures": dict,
    "settings": dict,
    "tags": list,
    "cells": dict,
    "sha256": str,
}


def cell_name(estimator, setting, fixture):
    return f"{estimator}/{setting}/{fixture}"


class Writer:
    """Collects cells of one place; ``document()`` is the sealed document."""

    def __init__(self, device):
        build = samebits.build_info()
        self._content = {
            "format": FORMAT,
            "profile": build["profile"],
            "library": {key: build[key] for key in ("version", "commit", "dirty", "broken_rule")},
            "column": device["column"],
            "device": {key: device[key] for key in ("id", "name", "code_object", "driver")},
            "fixtures": {},
            "settings": {},
            "tags": [],
            "cells": {},
        }

    def add_fixture(self, name, inputs):
        self._content["fixtures"][name] = inputs

    def add_cell(self, estimator, setting, fixture, parts):
        self._content["settings"][setting] = SETTINGS[setting].as_dict()
        cell = {name: self._entry(part) for name, part in parts.items()}
        self._content["cells"][cell_name(estimator, setting, fixture)] = cell

    def document(self):
        return sealed(self._content)

    def _entry(self, part):
        if part.refused is not None:
            return {"refused": part.refused}
        if part.pending is not None:
            return {"pending": part.pending}
        tags = [stage["tag"] for stage in part.stages]
        if tags not in self._content["tags"]:
            self._content["tags"].append(tags)
        entry = {"tags": self._content["tags"].index(tags), "stages": " ".join(map(_short, part.stages))}
        return {"sha256": compare.stages_digest(part.stages), **entry}


def _short(stage):
    return hashlib.sha256(canonical_json(stage).encode()).hexdigest()[:_SHORT]


def short_stages(part):
    """Stages of a computed part in the form that documents keep."""
    return [{"tag": stage["tag"], "sha256": _short(stage)} for stage in part.stages]


def entry_stages(document, entry):
    """The same of a part of a document."""
    tags = document["tags"][entry["tags"]]
    return [{"tag": tag, "sha256": short} for tag, short in zip(tags, entry["stages"].split())]


def sealed(content):
    """The document with the hash of everything else in it."""
    content = {key: value for key, value in content.items() if key != "sha256"}
    return {**content, "sha256": hashlib.sha256(canonical_json(content).encode()).hexdigest()}


def to_bytes(document):
    return (canonical_json(document) + "\n").encode("ascii")


def reference():
    """The document that ships with the package.

    Raises
    ------
    ModelFormatError
        It is missing or damaged.
    """
    return parse(
        _read(resources.files("samebits") / "data" / "cards" / "verify.json"), "the shipped verify.json"
    )


def load(path):
    """A verify document of a file; raises ModelFormatError when it is missing, damaged or of another format."""
    return parse(_read(path), os.fspath(path))


def _read(path):
    try:
        if hasattr(path, "read_bytes"):
            return path.read_bytes()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ModelFormatError(
            f"[verify] cannot read the verify document {str(path)!r}: {error.strerror or error}; reinstall samebits if "
            "it is the one that ships with it"
        ) from error


def parse(data, name):
    """The checked document of a file's bytes; ``name`` is for errors."""
    try:
        document = json.loads(data)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ModelFormatError(
            f"[verify] {name} is no JSON document: {error}; it is cut, damaged or no verify document"
        ) from error
    check(document, name)
    return document


def check(document, name):
    """Refuse what is not a whole, unchanged verify document of the format this version knows."""
    found = document.get("format") if isinstance(document, dict) else type(document).__name__
    if found != FORMAT:
        raise ModelFormatError(f"[verify] {name} has the format {found!r}, need {FORMAT!r}")
    wrong = [key for key, kind in _KINDS.items() if not isinstance(document.get(key), kind)]
    if wrong:
        raise ModelFormatError(f"[verify] {name} has malformed or missing {', '.join(wrong)}")
    if sealed(document)["sha256"] != document["sha256"]:
        raise ModelFormatError(
            f"[verify] {name} was changed after it was written: its content does not have the sha256 it states"
        )
    try:
        sound = all(map(_sound_inputs, document["fixtures"].values()))
        sound = sound and all(_sound_cell(document, *item) for item in document["cells"].items())
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise ModelFormatError(f"[verify] {name} has malformed fixtures or cells; it is no verify document")


def _sound_inputs(inputs):
    return bool(inputs) and all({"name", "dtype", "shape", "sha256"} <= set(record) for record in inputs)


def _sound_cell(document, name, cell):
    _, setting, fixture = name.split("/")
    if setting not in document["settings"] or fixture not in document["fixtures"] or set(cell) != set(PARTS):
        return False
    return all(_sound_entry(document, entry) for entry in cell.values())


def _sound_entry(document, entry):
    if "refused" in entry or "pending" in entry:
        return all(isinstance(text, str) for text in entry.values()) and len(entry) == 1
    tags, stages = document["tags"][abs(entry["tags"])], entry["stages"].split()
    return len(tags) == len(stages) > 0 and len(entry["sha256"]) == 64
