"""Does the validator notice? Changed bundles that it must refuse or call divergent, and whole ones that it must not."""

import dataclasses
import os
import tempfile

import numpy as np

from samebits.conformance import bundle as bundles
from samebits.conformance import check
from samebits.conformance import files as storage
from samebits.exceptions import BundleError

_KINDS = (
    "FORMAT.md",
    "ALGORITHMS.md",
    bundles.MANIFEST,
    bundles.SEAL,
    bundles.PROVENANCE,
    "items/",
    "inputs/",
    "expected/",
)


@dataclasses.dataclass(frozen=True)
class Probe:
    """One changed (or unchanged) bundle and what the validator said; ``ok``: it said what it must."""

    name: str
    ok: bool
    found: str


@dataclasses.dataclass(frozen=True)
class SelfTest:
    """Outcome of :func:`self_test`."""

    probes: list

    @property
    def ok(self):
        """True when the validator said what it must to every probe."""
        return bool(self.probes) and all(probe.ok for probe in self.probes)

    def text(self):
        """For people: the probes that were answered wrongly, and the count."""
        lines = [f"  NOT NOTICED: {probe.name}: {probe.found}" for probe in self.probes if not probe.ok]
        good = sum(probe.ok for probe in self.probes)
        verdict = "the validator works" if self.ok else "THE VALIDATOR CANNOT BE TRUSTED"
        return "\n".join([*lines, f"{good} of {len(self.probes)} probes answered as they must: {verdict}"])

    def as_dict(self):
        """Plain data for JSON."""
        return {"ok": self.ok, **dataclasses.asdict(self)}


def self_test(*, device=None, n_threads=None):
    """Export a bundle into a temporary folder, change it in every way that must be noticed, validate each.

    Parameters
    ----------
    device, n_threads : as everywhere; where the items are recomputed

    Returns
    -------
    SelfTest
    """
    with tempfile.TemporaryDirectory(prefix="samebits-self-test-") as folder:
        return SelfTest(list(_Probes(folder, device, n_threads).run()))


class _Probes:
    def __init__(self, folder, device, n_threads):
        self._folder, self._place, self._count = folder, {"device": device, "n_threads": n_threads}, 0
        self._whole = os.path.join(folder, "whole")
        check.export_bundle(self._whole)
        self._files = storage.read(self._whole)
        self._bundle = bundles.parse(self._files)

    def run(self):
        yield self._untouched("the untouched folder", self._whole)
        for kind in (".zip", ".tar"):
            yield self._untouched(f"the untouched files as {kind}", self._archive(self._files, kind))
        yield from self._changed_files()
        yield from self._changed_manifests()
        for item in self._bundle.items:
            if _place_of(item) is None:
                yield Probe(f"one ulp in {item.name}", False, "the item has no output with a number to move")
                continue
            yield self._moved_output(item)
            yield self._moved_result(item)
        first = next((path for path in self._files if path.startswith("expected/")), "none").removeprefix(
            "expected/"
        )
        yield self._results("the expected bytes as results", {}, "identical")
        yield self._results("results without one file", {first: None}, "missing")
        yield self._results("results with a short file", {first: b"\0"}, "divergent")

    # Writing a bundle and asking

    def _archive(self, files, kind=".zip"):
        """Where the files now are; one archive instead of hundreds of files, because there are many probes."""
        self._count += 1
        path = os.path.join(self._folder, f"{self._count}{kind}")
        with open(path, "wb") as file:
            file.write(storage.archive_bytes(files, kind))
        return path

    def _validate(self, path, **options):
        return check.validate_bundle(path, **self._place, **options)

    def _untouched(self, name, path):
        try:
            report = self._validate(path)
        except BundleError as error:
            return Probe(name, False, str(error))
        return Probe(name, report.ok and len(report.items) == len(self._bundle.items), report.text())

    def _refused(self, name, changes, word):
        """Files with changes (None removes one): must be refused by an error that says `word`."""
        files = {path: data for path, data in {**self._files, **changes}.items() if data is not None}
        return self._refused_files(name, files, word)

    def _refused_files(self, name, files, word):
        try:
            report = self._validate(self._archive(files))
        except BundleError as error:
            return Probe(name, word in str(error), str(error))
        return Probe(name, False, report.text())

    # Probes

    def _changed_files(self):
        for kind in _KINDS:
            path = next((path for path in self._files if path.startswith(kind)), None)
            if path is None:
                yield Probe(f"a file {kind}", False, "the bundle has none")
                continue
            yield self._refused(f"one bit of {path}", {path: _flipped(self._files[path])}, path)
            yield self._refused(f"{path} cut short", {path: self._files[path][:-1]}, path)
            yield self._refused(f"{path} missing", {path: None}, path)
        yield self._refused("a file more", {"expected/extra.bin": b"\0"}, "expected/extra.bin")

    def _changed_manifests(self):
        manifest = self._bundle.manifest
        for name, change, word in (
            ("another format", {"format": "samebits-bundle/99"}, "samebits-bundle/99"),
            ("another profile", {"profile": "identical/99"}, "identical/99"),
            ("an item twice", {"items": [*manifest["items"], manifest["items"][0]]}, bundles.MANIFEST),
            ("an item left out", {"items": manifest["items"][1:]}, manifest["items"][0]),
        ):
            files = bundles.seal(self._files, {**manifest, **change}, self._bundle.provenance)
            yield self._refused_files(f"a manifest with {name}, sealed again", files, word)
        path = "../outside.bin"
        listed = {
            **manifest,
            "files": {**manifest["files"], path: {"bytes": 0, "sha256": bundles.sha256(b"")}},
        }
        data = bundles.json_bytes(listed)
        seal = f"{bundles.sha256(data)}  {bundles.MANIFEST}\n".encode()
        yield self._refused(
            "a path out of the bundle",
            {bundles.MANIFEST: data, bundles.SEAL: seal},
            f"names the path {path!r}",
        )

    def _moved_output(self, item):
        """The expected bytes one ulp off and sealed again: nothing but recomputation can notice."""
        name, index = _place_of(item)
        path = f"expected/{item.name}/{name}.bin"
        moved = {**self._files, path: _moved(item.outputs[name], index)}
        files = bundles.seal(moved, self._bundle.manifest, self._bundle.provenance)
        what = f"one ulp in {path}, sealed again"
        try:
            report = self._validate(self._archive(files), items=[item.name])
        except BundleError as error:
            return Probe(what, False, str(error))
        return Probe(what, _names(report, item, name, index), report.text())

    def _moved_result(self, item):
        name, index = _place_of(item)
        path = f"{item.name}/{name}.bin"
        report = self._grade({path: _moved(item.outputs[name], index)})
        only = [result for result in report.items if result.status != "identical"]
        good = len(only) == 1 and _names(dataclasses.replace(report, items=only), item, name, index)
        return Probe(f"one ulp in the result {path}", good, report.text())

    def _results(self, name, changes, status):
        report = self._grade(changes)
        bad = [result for result in report.items if result.status != "identical"]
        good = report.ok if status == "identical" else [result.status for result in bad] == [status]
        return Probe(name, bool(good) and report.ok == (status == "identical"), report.text())

    def _grade(self, changes):
        prefix = "expected/"
        files = {p.removeprefix(prefix): data for p, data in self._files.items() if p.startswith(prefix)}
        files = {p: data for p, data in {**files, **changes}.items() if data is not None}
        return check.grade_results(self._whole, self._archive(files))


def _names(report, item, output, index):
    """Does the report say: this item is divergent, at this output and element, one ulp off?"""
    if report.ok or len(report.items) != 1:
        return False
    result = report.items[0]
    found = result.first_difference or {}
    place = [int(i) for i in np.unravel_index(index, item.outputs[output].shape)]
    return (
        (result.item, result.status) == (item.name, "divergent")
        and (found.get("output"), found.get("element"), found.get("ulp")) == (output, place, 1)
        and found.get("different") == 1
    )


def _place_of(item):
    """The last output with numbers, and the place in it of a number that has a neighbour one step further; or None."""
    for name in reversed(item.outputs):
        array = item.outputs[name].reshape(-1)
        if array.dtype.kind == "f":
            good = np.flatnonzero(np.isfinite(array) & (array != 0))
        else:
            good = np.flatnonzero(array < np.iinfo(array.dtype).max)
        if good.size:
            return name, int(good[good.size // 2])
    return None


def _moved(array, index):
    """The bytes of the array with one element a step (one ulp, or 1) away."""
    moved = array.reshape(-1).copy()
    if array.dtype.kind == "f":
        moved.view(f"<u{array.dtype.itemsize}")[index] ^= 1
    else:
        moved[index] += 1
    return moved.tobytes()


def _flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
