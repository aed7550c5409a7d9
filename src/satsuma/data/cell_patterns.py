"""Patterns of cells: symbols that look like amounts or dates, which were not read as such."""

import re
from collections.abc import Sequence
from typing import NamedTuple

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
    remedy
        What to do, as a sentence.
    """

    what: str
    remedy: str


_AMOUNTS = "Take the {} out of the cells, and it is read as numbers."
_READ = "Read the file with {} to have numbers."
_DATES = (
    "A date that was never seen says nothing by itself: make columns of what returns, such as the "
    "year, the month and the day of the week."
)

#: Patterns of a whole cell, the strictest first, and a mark that some cell must have.
_SHAPES = (
    (re.compile(rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}{_TIME}"), "", Shape("dates", _DATES)),
    (re.compile(rf"\d{{1,2}}([-/.])\d{{1,2}}\1\d{{2,4}}{_TIME}"), "", Shape("dates", _DATES)),
    (
        re.compile(rf"[-+(]?{_SIGN}\s?{_AMOUNT}|{_AMOUNT}\s?{_SIGN}\)?"),
        "",
        Shape("amounts of money", _AMOUNTS.format("currency signs")),
    ),
    (re.compile(rf"{_AMOUNT}\s?%"), "%", Shape("percentages", _AMOUNTS.format("percent signs"))),
    (
        re.compile(r"[-+]?\d{1,3}(?:,\d{3})*(?:\.\d+)?"),
        ",",
        Shape("numbers with a comma between thousands", _READ.format("thousands=','")),
    ),
    (
        re.compile(r"[-+]?\d+(?:,\d+)?"),
        ",",
        Shape("numbers with a decimal comma", _READ.format("decimal=','")),
    ),
    (
        re.compile(r"[-+]?\d{1,3}(?:\.\d{3})*(?:,\d+)?|[-+]?\d+,\d+"),
        ",",
        Shape("numbers with a decimal comma", _READ.format("thousands='.' and decimal=','")),
    ),
)


def shape_of(values: Sequence[str]) -> Shape | None:
    """What most of some symbols look like; None where they are but symbols, or few.

    Examples
    --------
    >>> shape_of([f"${n},694.08" for n in range(1, 30)]).what
    'amounts of money'
    >>> shape_of([f"{n}.694,08" for n in range(1, 30)]).remedy
    "Read the file with thousands='.' and decimal=',' to have numbers."
    >>> shape_of([f"row {n}" for n in range(30)]), shape_of([f"{n:04}" for n in range(30)])
    (None, None)
    """
    if len(values) < _FEWEST:
        return None
    some = [value.strip() for value in values[:: -(-len(values) // _MOST)]]
    if all(value.isalnum() for value in some):  # plain numbers were kept as symbols on purpose
        return None
    for pattern, mark, shape in _SHAPES:
        agree = sum(map(bool, map(pattern.fullmatch, some)))
        if agree >= _SHARE * len(some) and any(mark in value for value in some):
            return shape
    return None
