"""Comparing identity cards: same, divergent (where), or not comparable (why)."""

import dataclasses
import json
import os

from samebits._differences import difference_text, first_difference
from samebits._trace import CARD_FORMAT
from samebits.exceptions import ModelFormatError

__all__ = ["Comparison", "compare_cards", "load_card"]

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
                lines.append(f"    {difference_text(d['element'])}")
            lines.append(f"  last equal stage: {d['last_equal'] or 'none'}")
        return "\n".join(lines)


def _stage_text(stage):
    return f"{stage['dtype']}{stage['shape']} sha256 {stage['sha256']}"


def _stages_differ(a, b):
    if a["tag"] != b["tag"]:
        return "another stage"
    if a["dtype"] != b["dtype"] or list(a["shape"]) != list(b["shape"]):
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
    last = None
    for index, (x, y) in enumerate(zip(a["stages"], b["stages"])):
        what = _stages_differ(x, y)
        if what:
            difference = {
                "tag": x["tag"],
                "index": index,
                "what": what,
                "a": _stage_text(x),
                "b": _stage_text(y),
                "last_equal": last,
            }
            arrays = getattr(a, "arrays", None), getattr(b, "arrays", None)
            if what == "other bytes" and None not in arrays:
                difference["element"] = first_difference(arrays[0][index], arrays[1][index])
            return Comparison(
                "divergent", f"{a['column']} and {b['column']} part at stage {x['tag']!r}", difference
            )
        last = x["tag"]
    if len(a["stages"]) != len(b["stages"]):
        longer = max(a["stages"], b["stages"], key=len)
        extra = longer[min(len(a["stages"]), len(b["stages"]))]
        difference = {
            "tag": extra["tag"],
            "index": min(len(a["stages"]), len(b["stages"])),
            "what": "only on one side",
            "a": f"{len(a['stages'])} stages",
            "b": f"{len(b['stages'])} stages",
            "last_equal": last,
        }
        return Comparison("divergent", "one card has more stages", difference)
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
    path = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            card = json.load(file)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ModelFormatError(
            f"[compare] cannot read the card {path!r}: {error}; need a JSON file written by samebits"
        ) from error
    check_card(card, path)
    return card
