"""Recorded columns and reference cards that ship with the package."""

import functools
import json
from importlib import resources


def _data_folder():
    return resources.files("samebits") / "data"


@functools.lru_cache(maxsize=1)
def recorded_columns():
    """Names of the columns with a recorded run, e.g. ``{'cpu-x86_64-v4', 'cuda-sm_90'}``."""
    folder = _data_folder() / "columns"
    if not folder.is_dir():
        return frozenset()
    return frozenset(
        json.loads(entry.read_text())["column"] for entry in folder.iterdir() if entry.name.endswith(".json")
    )


def recorded_card(name):
    """The reference card of that name, or None."""
    entry = _data_folder() / "cards" / f"{name}.json"
    return json.loads(entry.read_text()) if entry.is_file() else None
