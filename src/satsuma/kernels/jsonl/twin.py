"""JSON lines as typed columns, by Python's json module: the definition of the compiled kernel."""

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from satsuma.kernels.jsonl.records import Column, Records

#: Whole numbers below it are held by doubles without a doubt.
WHOLE = 2.0**53

#: Cells there are at most, lines by columns.
MOST = 1 << 26

#: What is taken for a line without content.
_BLANK = b" \t\r\v\f"

_LONE = re.compile("[\ud800-\udfff]")

_SORTS: dict[type, str] = {int: "number", float: "number", str: "word", bool: "boolean"}


class _OddError(ValueError):
    """Something is not plain."""


def read(text: bytes) -> Records | None:
    r"""Lines as typed columns; None where anything is not plain, and is to be read otherwise.

    Plain are objects of numbers, strings, true, false and null that have each key once, in UTF-8;
    and columns of one sort, all of whose numbers are finite, and of less than 2**53 where one is
    written as a whole number. A missing key is null. A line ends with LF; CR is a blank.

    Examples
    --------
    >>> found = read(b'{"a": 1, "b": "x"}\n{"b": null, "a": 2.5}')
    >>> found.columns["a"].cells, found.columns["b"].cells, found.columns["b"].values
    (array([1. , 2.5]), array([ 0, -1], dtype=int32), ['x'])
    """
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    known = [at for at, line in enumerate(lines, 1) if line.strip(_BLANK)]
    blank = sorted({*range(1, len(lines) + 1)} - {*known})
    try:
        records = [_record(lines[at - 1]) for at in known]
        keys = list(dict.fromkeys(key for each in records for key in each))
        if len(keys) * len(lines) > MOST:
            return None
        columns = {key: _column([each.get(key) for each in records]) for key in keys}
    except (ValueError, RecursionError):
        return None
    line = np.array(known, np.int32)
    return Records(line, len(lines), len(blank), blank[0] if blank else 0, columns)


def _record(line: bytes) -> dict[str, Any]:
    found = _DECODER.decode(line.decode())
    if not isinstance(found, dict):
        raise _OddError
    return cast("dict[str, Any]", found)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs) or any(_LONE.search(key) for key in made):
        raise _OddError
    return made


def _refuse(_: str) -> Any:
    raise _OddError


def _column(cells: Sequence[Any]) -> Column:
    sorts = {_SORTS.get(each, "") for each in set(map(type, cells)) - {type(None)}}
    if not sorts:
        return Column("", None, ())
    (sort,) = sorts if len(sorts) == 1 else [""]
    if sort == "number":
        return Column(sort, _numbers(cells), ())
    if not sort:
        raise _OddError
    words = [None if cell is None else str(cell) for cell in cells]
    if any(_LONE.search(word) for word in words if word is not None):
        raise _OddError
    at: dict[str, int] = {}
    codes = [-1 if word is None else at.setdefault(word, len(at)) for word in words]
    return Column(sort, np.array(codes, np.int32), list(at))


def _numbers(cells: Sequence[Any]) -> Any:
    try:
        numbers = np.array([np.nan if cell is None else cell for cell in cells], np.float64)
    except OverflowError:
        raise _OddError from None
    most = float(np.fmax.reduce(np.abs(numbers)))
    if most == np.inf or (most >= WHOLE and any(type(cell) is int for cell in cells)):
        raise _OddError
    return numbers


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)
