"""Reading a bundle and writing results, by FORMAT.md."""

import hashlib
import json
from pathlib import Path

import numpy as np

DTYPES = {"f32": "<f4", "f64": "<f8", "u8": "u1", "u32": "<u4", "u64": "<u8", "i32": "<i4", "i64": "<i8"}


class Bundle:
    """A bundle folder whose hashes have been checked."""

    def __init__(self, folder):
        self.folder = Path(folder)
        text = (self.folder / "manifest.json").read_bytes()
        seal = (self.folder / "manifest.sha256").read_text()
        assert seal == hashlib.sha256(text).hexdigest() + "  manifest.json\n", "manifest.json was changed"
        self.manifest = json.loads(text)
        assert self.manifest["format"] == "samebits-bundle/1", self.manifest["format"]
        assert self.manifest["profile"] == "identical/1", self.manifest["profile"]
        for path, entry in self.manifest["files"].items():
            data = (self.folder / path).read_bytes()
            assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"]), path

    def items(self):
        for name in self.manifest["items"]:
            yield json.loads((self.folder / "items" / f"{name}.json").read_text())

    def array(self, entry):
        data = (self.folder / entry["file"]).read_bytes()
        array = np.frombuffer(data, DTYPES[entry["dtype"]]).reshape(entry["shape"])
        return array.astype(array.dtype.newbyteorder("="))

    def inputs(self, item):
        return {entry["name"]: self.array(entry) for entry in item["inputs"]}


def canonical(array):
    """Every NaN as the one of the contract."""
    array = np.array(array)
    if array.dtype == np.float32:
        array.view(np.uint32)[np.isnan(array)] = 0x7FC00000
    if array.dtype == np.float64:
        array.view(np.uint64)[np.isnan(array)] = 0x7FF8000000000000
    return array


def write_results(folder, item, outputs):
    """RESULTS/ITEM/NAME.bin for every output that the item wants, in its dtype."""
    for entry in item["outputs"]:
        array = canonical(outputs[entry["name"]])
        wanted = np.dtype(DTYPES[entry["dtype"]])
        assert array.dtype.kind == wanted.kind and array.dtype.itemsize == wanted.itemsize, (
            entry,
            array.dtype,
        )
        assert list(array.shape) == entry["shape"], (entry, array.shape)
        path = Path(folder) / item["item"] / f"{entry['name']}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(array.astype(wanted).tobytes())
