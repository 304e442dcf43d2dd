"""`--param name=value`: typed values for the parameters of an estimator."""

import difflib

from samebits.exceptions import InvalidInputError

_WORDS = {"none": None, "null": None, "true": True, "false": False}


def parse(pairs, estimator_class, taken):
    """{name: value} of texts like "max_depth=6"; ``taken`` maps parameters that have an option of their own to it.

    Raises
    ------
    InvalidInputError
        A text without "=", an unknown or repeated name; names what exists.
    """
    known = sorted(estimator_class().get_params())
    params = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InvalidInputError(f"[fit] --param got {pair!r}, need name=value")
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise InvalidInputError(
                f"[fit] --param: {estimator_class.__name__} has no parameter {name!r}{hint} It has: {', '.join(known)}"
            )
        if name in params:
            raise InvalidInputError(f"[fit] --param {name} is given twice")
        if name in taken:
            raise InvalidInputError(f"[fit] --param {name}: use the option {taken[name]} instead")
        params[name] = value(text.strip())
    return params


def value(text):
    """An int, float, None, True, False or the text itself; "0x10", "1_000", "nan" and "inf" stay texts and are refused
    by the estimator."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if "_" in text:
        return text
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if number - number == 0 else text
    return text
