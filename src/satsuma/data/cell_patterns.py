"""Patterns of cells: symbols that look like amounts or dates, which were not read as such."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from satsuma.data.readings import Doubt
from satsuma.data.recognition import doubt_options, recognise

#: Different values that must be there, those that are looked at, and the share that must agree.
_FEWEST, _MOST, _SHARE = 10, 1000, 0.9

_SIGN = r"(?:[$€£¥₹₽₩₺]|R\$|kr\.?|zł|USD|EUR|GBP|JPY|CHF|CAD|AUD|SEK|NOK|DKK|PLN|INR|CNY)"
_AMOUNT = r"[-+]?\(?[-+]?\d[\d.,'\s]*\)?"
_TIME = r"(?:[T ,]+\d{1,2}:\d{2}.*)?"


class Shape(NamedTuple):
    """What symbols look like, and how to have them as what they are.

    Parameters
    ----------
    what
        What they look like, in the plural.
    kind
        The kind of a column of such values.
    doubt
        The options that decide how they are read, if that is open.
    odd
        One that does not look so, if there is any.
    """

    what: str
    kind: str
    doubt: tuple[str, ...] = ()
    odd: str = ""

    def remedy(self, name: str) -> str:
        """What to do about a column, as a sentence."""
        kinds = f"kinds={{{name!r}: {self.kind!r}}}"
        sort = "times" if self.kind == "time" else "numbers"
        if self.odd:
            first = f"Cells such as {self.odd!r} are none: mend them, or read the file with"
            return f"{first} missing=[{self.odd!r}] and {kinds} to have {sort}."
        if self.doubt:
            return f"Read the file with {' or '.join(self.doubt)} to have {sort}."
        return f"Read the file with {kinds} to have {sort}."


#: Patterns of a whole cell, the strictest first, a mark that some cell must have, and its kind.
_SHAPES = (
    (re.compile(rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}{_TIME}"), "", "dates", "time"),
    (re.compile(rf"\d{{1,2}}([-/.])\d{{1,2}}\1\d{{2,4}}{_TIME}"), "", "dates", "time"),
    (
        re.compile(rf"[-+(]?{_SIGN}\s?{_AMOUNT}|{_AMOUNT}\s?{_SIGN}\)?"),
        "",
        "amounts of money",
        "num",
    ),
    (re.compile(rf"{_AMOUNT}\s?%"), "%", "percentages", "num"),
    (re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?"), ".", "numbers", "num"),
    (
        re.compile(r"[-+]?\d{1,3}(?:,\d{3})*(?:\.\d+)?"),
        ",",
        "numbers with a comma between thousands",
        "num",
    ),
    (
        re.compile(r"[-+]?\d{1,3}(?:\.\d{3})*(?:,\d+)?|[-+]?\d+(?:,\d+)?"),
        ",",
        "numbers with a decimal comma",
        "num",
    ),
)


def shape_of(values: Sequence[str]) -> Shape | None:
    """What most of some symbols look like; None where they are but symbols, or few.

    Examples
    --------
    >>> shape_of([f"${n},694.08" for n in range(1, 30)]).what
    'amounts of money'
    >>> shape_of([f"{n}.694,08" for n in range(1, 30)]).remedy("price")
    "Read the file with kinds={'price': 'num'} to have numbers."
    >>> shape_of([f"row {n}" for n in range(30)]), shape_of([f"{n:04}" for n in range(30)])
    (None, None)
    """
    if len(values) < _FEWEST:
        return None
    some = [value.strip() for value in values[:: -(-len(values) // _MOST)]]
    if all(value.isalnum() for value in some):  # plain numbers were kept as symbols on purpose
        return None
    for pattern, mark, what, kind in _SHAPES:
        agree = [value for value in some if pattern.fullmatch(value)]
        if len(agree) >= _SHARE * len(some) and any(mark in value for value in some):
            return _shape(what, kind, some, {*agree})
    return None


def _shape(what: str, kind: str, values: Sequence[str], agree: Collection[str]) -> Shape:
    odd = next((value for value in values if value not in agree), "")
    found = recognise(values)
    if isinstance(found, Doubt) and len(found.formats) > 1:
        option, settings = doubt_options(found)
        return Shape(what, kind, tuple(f"{option}={each!r}" for each in settings), odd)
    return Shape(what, kind, (), odd)
