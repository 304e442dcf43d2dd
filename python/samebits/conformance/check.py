"""Exporting, recomputing and grading bundles."""

import dataclasses
import os

from samebits import _core
from samebits._devices import open_device
from samebits._differences import difference_text, first_difference
from samebits.conformance import files as storage
from samebits.conformance.bundle import Item, array_bytes, as_array, dtype_word, files_of, parse
from samebits.conformance.compute import compute
from samebits.conformance.inputs import make_items
from samebits.exceptions import BundleError, DeviceUnavailableError, InvalidInputError


@dataclasses.dataclass(frozen=True)
class ItemResult:
    """What became of one item.

    Attributes
    ----------
    item : str
    status : {'identical', 'divergent', 'missing', 'refused'}
        missing: a result file is not there; refused: the device lacks the primitive.
    outputs : int
        How many output arrays the item has.
    reason : str
        One line; empty when identical.
    first_difference : dict or None
        ``output`` (name) and, when values differ, what :func:`samebits._differences.first_difference` says.
    """

    item: str
    status: str
    outputs: int
    reason: str = ""
    first_difference: dict = None


@dataclasses.dataclass(frozen=True)
class Report:
    """Outcome of :func:`validate_bundle` or :func:`grade_results`.

    Attributes
    ----------
    what : str
        What was compared with the bundle: a column, or a folder of results.
    items : list of ItemResult
    notes : list of str
    """

    what: str
    items: list
    notes: list

    @property
    def ok(self):
        """True when every item was compared and is identical."""
        return bool(self.items) and all(result.status == "identical" for result in self.items)

    def text(self):
        """For people: one line an item, the notes, the verdict."""
        width = max(len(result.item) for result in self.items)
        lines = [f"{self.what} beside the bundle:"]
        for result in self.items:
            detail = result.reason or f"{result.outputs} output(s)"
            lines.append(f"  {result.item:{width}}  {result.status:9}  {detail}")
        lines += [f"note: {note}" for note in self.notes]
        same = sum(result.status == "identical" for result in self.items)
        lines.append(f"{same} of {len(self.items)} items identical")
        return "\n".join(lines)

    def as_dict(self):
        """Plain data for JSON."""
        return {"ok": self.ok, **dataclasses.asdict(self)}


def export_bundle(path, *, device="reference"):
    """Write a bundle of this version.

    Parameters
    ----------
    path : str or path-like
        A folder that does not exist or is empty, or a name that ends in .zip or .tar.
    device : str, default='reference'
        Where the expected bytes are computed. All devices give the same; the reference backend is the definition.

    Returns
    -------
    str
        SHA-256 of the bundle's manifest, the same wherever the bundle is exported.
    """
    files = bundle_files(device)
    storage.write(path, files)
    return files["manifest.sha256"].decode().split()[0]


def bundle_files(device="reference"):
    """All files of a bundle of this version, by path."""
    opened = open_device(device)
    build = _core.build_info()
    if build["broken_rule"]:
        raise InvalidInputError(
            f"[conformance] this separating build breaks the rule {build['broken_rule']!r}; it exports nothing"
        )
    items = [dataclasses.replace(item, outputs=compute(item, opened)) for item in make_items()]
    library = {key: build[key] for key in ("version", "commit", "dirty")}
    return files_of(items, {"library": library, "column": opened.info()["column"]})


def validate_bundle(path, *, device=None, n_threads=None, items=None):
    """Check a bundle's files against its manifest, recompute its items on a device, compare to the bit.

    Parameters
    ----------
    path : str or path-like
        Folder, .zip or .tar.
    device, n_threads : as everywhere; None is the configuration's
    items : list of str or None
        Only these.

    Returns
    -------
    Report

    Raises
    ------
    BundleError
        A file is missing, too much, changed or malformed, or the format is not known; names it.
    """
    bundle = parse(storage.read(path))
    opened = open_device(device, n_threads)
    results = [_recomputed(item, opened) for item in _selected(bundle, items)]
    info = opened.info()
    return Report(f"{info['column']} ({info['id']})", results, _origin(bundle))


def grade_results(path, results, *, items=None):
    """Compare the output files that another implementation wrote with a bundle's expected ones.

    Parameters
    ----------
    path : str or path-like
        The bundle.
    results : str or path-like
        Folder (or .zip or .tar) laid out like the bundle's ``expected``: ``ITEM/OUTPUT.bin``.
    items : list of str or None
        Only these; None: all, and what is not there is reported as missing.

    Returns
    -------
    Report
    """
    bundle = parse(storage.read(path))
    found = storage.read(results)
    chosen = _selected(bundle, items)
    wanted = {f"{item.name}/{name}.bin" for item in bundle.items for name in item.outputs}
    notes = [
        f"{name!r} is no output of the bundle and was not looked at" for name in sorted(set(found) - wanted)
    ]
    return Report(os.fspath(results), [_graded(item, found) for item in chosen], notes[:20])


def _selected(bundle, names):
    if names is None:
        return bundle.items
    known = [item.name for item in bundle.items]
    for name in names:
        if name not in known:
            raise InvalidInputError(
                f"[conformance] no item {name!r} in the bundle, need one of {', '.join(known)}"
            )
    return [item for item in bundle.items if item.name in names]


def _origin(bundle):
    """Is this a bundle of this version? Another one is no error, but whoever reads the verdict should know."""
    own = {
        (item.name, item.algorithm, name): array_bytes(a)
        for item in make_items()
        for name, a in item.inputs.items()
    }
    theirs = {
        (item.name, item.algorithm, name): array_bytes(a)
        for item in bundle.items
        for name, a in item.inputs.items()
    }
    if own == theirs:
        return []
    return [
        "the inputs are not those that this version exports; the verdict is about the inputs in the bundle"
    ]


def _inputs_of(items):
    return [
        (
            item.name,
            item.algorithm,
            item.parameters,
            {name: array_bytes(a) for name, a in item.inputs.items()},
        )
        for item in items
    ]


def _recomputed(item, device):
    try:
        found = compute(item, device)
    except DeviceUnavailableError as error:
        return ItemResult(item.name, "refused", len(item.outputs), str(error))
    for name in item.outputs:
        if name not in found:
            raise BundleError(f"[conformance] item {item.name!r}: {item.algorithm!r} has no output {name!r}")
    for name in found:
        if name not in item.outputs:
            return ItemResult(item.name, "divergent", len(item.outputs), f"the bundle has no output {name!r}")
    return compare_outputs(item, found)


def _graded(item, files):
    found = {}
    for name, expected in item.outputs.items():
        path = f"{item.name}/{name}.bin"
        if path not in files:
            return ItemResult(item.name, "missing", len(item.outputs), f"{path!r} is not there")
        try:
            found[name] = as_array(files[path], dtype_word(expected), expected.shape, path)
        except BundleError as error:
            where = {"output": name}
            return ItemResult(item.name, "divergent", len(item.outputs), str(error), where)
    return compare_outputs(item, found)


def compare_outputs(item: Item, found):
    """The result of an item: its expected outputs and the found ones, in the order of the item."""
    for name, expected in item.outputs.items():
        array = found[name]
        kinds = [f"{dtype_word(a)}{list(a.shape)}" for a in (expected, array)]
        if kinds[0] != kinds[1]:
            reason = f"{name}: expected {kinds[0]}, found {kinds[1]}"
            return ItemResult(item.name, "divergent", len(item.outputs), reason, {"output": name})
        difference = first_difference(expected, array.astype(expected.dtype, copy=False))
        if difference is not None:
            reason = f"{name}: expected, then found: {difference_text(difference)}"
            return ItemResult(
                item.name, "divergent", len(item.outputs), reason, {"output": name, **difference}
            )
    return ItemResult(item.name, "identical", len(item.outputs))
