"""Comparing identity cards and verify documents: same, divergent (where), or not comparable (why)."""

import dataclasses
import hashlib
import json
import os

from samebits import _differences
from samebits._io import canonical_json
from samebits._trace import CARD_FORMAT, DOCUMENT_FORMAT
from samebits.exceptions import ModelFormatError

__all__ = ["Comparison", "DocumentComparison", "compare_cards", "compare_documents", "load_any", "load_card"]

_ELEMENTS = 8  # that differ and are listed with their bits
_REQUIRED = ("format", "profile", "library", "estimator", "params", "inputs", "column", "stages")


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Outcome of :func:`compare_cards`.

    Attributes
    ----------
    status : {'same', 'divergent', 'not comparable'}
    reason : str
    first_difference : dict or None
        tag, index, what differs, both sides, and the last stage that was equal; ``element`` (of
        ``samebits.trace(keep_bytes=True)`` on both sides) has the first element, both values, bit patterns and ulps.
    """

    status: str
    reason: str
    first_difference: dict = None

    def text(self):
        """For people: the outcome and its context, one fact a line."""
        lines = [f"{self.status}: {self.reason}"]
        if self.first_difference:
            d = self.first_difference
            lines.append(f"  first difference: stage {d['index']} {d['tag']!r} ({d['what']})")
            lines.append(f"    A: {d['a']}")
            lines.append(f"    B: {d['b']}")
            if d.get("element"):
                lines.append(f"    {_differences.difference_text(d['element'])}")
            lines.append(f"  last equal stage: {d['last_equal'] or 'none'}")
        return "\n".join(lines)


def _stage_text(stage):
    kind = f"{stage['dtype']}{stage['shape']} " if "dtype" in stage else ""
    return f"{kind}sha256 {stage['sha256']}"


def _stages_differ(a, b):
    if a["tag"] != b["tag"]:
        return "another stage"
    if any(key in a and key in b and a[key] != b[key] for key in ("dtype", "shape")):
        return "another dtype or shape"
    return "other bytes" if a["sha256"] != b["sha256"] else None


def _why_not_comparable(a, b):
    for side, card in (("A", a), ("B", b)):
        if card["library"].get("broken_rule"):
            return f"{side} was made by a separating build that breaks the rule {card['library']['broken_rule']!r}"
    for key in ("profile", "estimator"):
        if a[key] != b[key]:
            return f"the {key} differs: {a[key]!r} and {b[key]!r}"
    if a["params"] != b["params"]:
        names = sorted(set(a["params"]) | set(b["params"]))
        different = [n for n in names if a["params"].get(n) != b["params"].get(n)]
        return f"parameters differ: {', '.join(different)}"
    if len(a["inputs"]) != len(b["inputs"]):
        return f"{len(a['inputs'])} and {len(b['inputs'])} inputs"
    for x, y in zip(a["inputs"], b["inputs"]):
        if x != y:
            return f"the input {x['name']!r} differs"
    return None


def compare_stages(a, b, arrays=(None, None)):
    """The first stage in which two runs differ.

    Parameters
    ----------
    a, b : lists of dict
        Stages with tag and sha256 and, where they are known on both sides, dtype and shape.
    arrays : pair of lists of ndarray, or of None
        The values of the stages; with both, the first element that differs is named.

    Returns
    -------
    dict or None
        None: the same. Otherwise as ``Comparison.first_difference``.
    """
    last = None
    for index, (x, y) in enumerate(zip(a, b)):
        what = _stages_differ(x, y)
        if what:
            difference = {"tag": x["tag"], "index": index, "what": what}
            difference |= {"a": _stage_text(x), "b": _stage_text(y), "last_equal": last}
            if what == "other bytes" and None not in arrays:
                difference["element"] = _differences.first_difference(
                    arrays[0][index], arrays[1][index], limit=_ELEMENTS
                )
            return difference
        last = x["tag"]
    if len(a) == len(b):
        return None
    common = min(len(a), len(b))
    return {
        "tag": max(a, b, key=len)[common]["tag"],
        "index": common,
        "what": "only on one side",
        "a": f"{len(a)} stages",
        "b": f"{len(b)} stages",
        "last_equal": last,
    }


def stages_digest(stages):
    """One hash of all stages, in order."""
    return hashlib.sha256(canonical_json(stages).encode()).hexdigest()


def compare_cards(a, b):
    """Compare two cards stage by stage.

    Parameters
    ----------
    a, b : dict
        Cards, as from ``TraceLog.card()`` or :func:`load_card`. When both come from
        ``samebits.trace(keep_bytes=True)``, the first element that differs is named as well.

    Returns
    -------
    Comparison
    """
    check_card(a, "A")
    check_card(b, "B")
    why = _why_not_comparable(a, b)
    if why:
        return Comparison("not comparable", why)
    arrays = getattr(a, "arrays", None), getattr(b, "arrays", None)
    difference = compare_stages(a["stages"], b["stages"], arrays)
    if difference is not None and difference["what"] == "only on one side":
        return Comparison("divergent", "one card has more stages", difference)
    if difference is not None:
        reason = f"{a['column']} and {b['column']} part at stage {difference['tag']!r}"
        return Comparison("divergent", reason, difference)
    return Comparison(
        "same", f"all {len(a['stages'])} stages of {a['column']} and {b['column']} have the same bytes"
    )


def check_card(card, name):
    """Refuse what is not a well-formed card of a format this version knows."""
    if not isinstance(card, dict) or card.get("format") != CARD_FORMAT:
        found = card.get("format") if isinstance(card, dict) else type(card).__name__
        raise ModelFormatError(f"[compare] {name} has the format {found!r}, need {CARD_FORMAT!r}")
    missing = [key for key in _REQUIRED if key not in card]
    if missing:
        raise ModelFormatError(f"[compare] {name} has no {', '.join(missing)}; it is truncated or not a card")
    kinds = {"library": dict, "params": dict, "inputs": list, "stages": list}
    wrong = [key for key, kind in kinds.items() if not isinstance(card[key], kind)]
    if wrong or not all(isinstance(i, dict) and "name" in i for i in card["inputs"]):
        raise ModelFormatError(
            f"[compare] {name} has malformed {', '.join(wrong) or 'inputs'}; it is not a card"
        )
    for stage in card["stages"]:
        if not isinstance(stage, dict) or not {"tag", "dtype", "shape", "count", "sha256"} <= set(stage):
            raise ModelFormatError(f"[compare] {name} has a malformed stage: {str(stage)[:80]}")


def load_card(path):
    """Read a card file.

    Raises
    ------
    ModelFormatError
        The file cannot be read, is not JSON or not a card.
    """
    card = _load_json(path)
    check_card(card, os.fspath(path))
    return card


def load_any(path):
    """Read a card or a verify document; refused like by :func:`load_card`."""
    found = _load_json(path)
    if isinstance(found, dict) and found.get("format") == DOCUMENT_FORMAT:
        from samebits.verify import document

        document.check(found, os.fspath(path))
    else:
        check_card(found, os.fspath(path))
    return found


def _load_json(path):
    path = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ModelFormatError(
            f"[compare] cannot read the card {path!r}: {error}; need a JSON file written by samebits"
        ) from error


@dataclasses.dataclass(frozen=True)
class DocumentComparison:
    """Outcome of :func:`compare_documents`.

    Attributes
    ----------
    status : {'same', 'divergent', 'not comparable'}
    reason : str
    cells : list of dict
        cell, part, status ('same', 'divergent', 'not comparable', 'pending'), reason, first_difference.
    """

    status: str
    reason: str
    cells: list = dataclasses.field(default_factory=list)

    def text(self):
        """For people: the outcome, then the first parts that differ or cannot be compared."""
        lines = [f"{self.status}: {self.reason}"]
        notable = [cell for cell in self.cells if cell["status"] in ("divergent", "not comparable")]
        for cell in notable[:_ELEMENTS]:
            lines.append(f"  {cell['status']}: {cell['cell']} {cell['part']}: {cell['reason']}")
            if cell["first_difference"]:
                d = cell["first_difference"]
                lines.append(f"    first difference: stage {d['index']} {d['tag']!r} ({d['what']})")
                lines.append(f"    last equal stage: {d['last_equal'] or 'none'}")
        if len(notable) > _ELEMENTS:
            lines.append(f"  ... and {len(notable) - _ELEMENTS} more (--json lists all)")
        if self.status == "divergent":
            lines.append(
                "  how many ulp: not known, verify documents hold hashes only; `samebits verify --against FILE`"
            )
            lines.append("  computes the cell again on this machine and shows the bits")
        return "\n".join(lines)


def compare_documents(a, b):
    """Compare two verify documents cell by cell.

    Parameters
    ----------
    a, b : dict
        As ``samebits verify --out`` writes them and :func:`load_any` reads them.

    Returns
    -------
    DocumentComparison
        'same' only when at least one part was compared, all that were are equal, and none was refused or made from
        other inputs or parameters.
    """
    from samebits.verify import document

    document.check(a, "A")
    document.check(b, "B")
    for side, each in (("A", a), ("B", b)):
        if each["library"].get("broken_rule"):
            rule = each["library"]["broken_rule"]
            return DocumentComparison("not comparable", f"{side} is of a build that breaks the rule {rule!r}")
    if a["profile"] != b["profile"]:
        reason = f"the profile differs: {a['profile']!r} and {b['profile']!r}"
        return DocumentComparison("not comparable", reason)
    cells = [entry for cell in a["cells"] if cell in b["cells"] for entry in _compare_cell(a, b, cell)]
    return _summed(a, b, cells)


def _summed(a, b, cells):
    count = {
        s: sum(c["status"] == s for c in cells) for s in ("same", "divergent", "not comparable", "pending")
    }
    alone = len(set(a["cells"]) ^ set(b["cells"]))
    sides = f"{a['column']} and {b['column']}"
    rest = [f"{count['pending']} parts are pending"] * bool(count["pending"])
    rest += [f"{alone} cells are in one document only"] * bool(alone)
    more = f"; {', '.join(rest)}" if rest else ""
    if count["divergent"]:
        reason = f"{count['divergent']} parts of {sides} differ, {count['same']} are the same{more}"
        return DocumentComparison("divergent", reason, cells)
    if count["not comparable"] or not count["same"]:
        reason = f"{count['not comparable']} parts cannot be compared, {count['same']} are the same{more}"
        return DocumentComparison(
            "not comparable", reason if cells else "the documents have no cell in common", cells
        )
    return DocumentComparison("same", f"{count['same']} parts of {sides} have the same bytes{more}", cells)


def _compare_cell(a, b, cell):
    _, setting, fixture = cell.split("/")
    why = None
    if a["settings"][setting] != b["settings"][setting]:
        why = f"the parameters of the setting {setting!r} differ"
    elif a["fixtures"][fixture] != b["fixtures"][fixture]:
        why = f"the inputs of the fixture {fixture!r} differ"
    for part, x in a["cells"][cell].items():
        status, reason, difference = (
            ("not comparable", why, None) if why else _compare_part(a, b, x, b["cells"][cell][part])
        )
        yield {"cell": cell, "part": part, "status": status, "reason": reason, "first_difference": difference}


def _compare_part(a, b, x, y):
    from samebits.verify import document

    for word, status in (("refused", "not comparable"), ("pending", "pending")):
        for side, entry in (("A", x), ("B", y)):
            if word in entry:
                return status, f"{word} in {side}: {entry[word]}", None
    if x["sha256"] == y["sha256"]:
        return "same", "", None
    difference = compare_stages(document.entry_stages(a, x), document.entry_stages(b, y)) or UNNAMED
    return "divergent", f"the first stage that differs is {difference['tag']!r}", dict(difference)


# The hash of all stages differs and that of no stage does: two hashes cut to 64 bits collide, or someone forged one.
UNNAMED = {
    "tag": "all stages",
    "index": 0,
    "what": "the hash of all stages differs, the short hash of none does",
    "a": "",
    "b": "",
    "last_equal": None,
}
