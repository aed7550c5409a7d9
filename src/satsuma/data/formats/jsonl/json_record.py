"""A JSON record: one line, one object, its cells by their keys."""

import json
import math
import re
from typing import Any, cast

from satsuma.errors import ReadError

_LONE = re.compile("[\ud800-\udfff]")

#: What fits into a cell, unless it is infinite or an escape makes it something else.
_FIT = frozenset((int, float, bool, str, type(None)))


def record_of(line: bytes, file: str, at: int) -> dict[str, Any]:
    """The cells of a line by their keys; `at` is its number, for messages."""

    def fail(what: str, remedy: str) -> ReadError:
        return ReadError(what, file=file, line=at, remedy=remedy)

    try:
        text = line.decode()
        found = _DECODER.decode(text)
    except UnicodeDecodeError:
        raise fail("bytes that are not UTF-8", "JSON lines are UTF-8; convert the file.") from None
    except json.JSONDecodeError as error:
        remedy = "Every line must be one JSON object."
        raise fail(f"not JSON: {error.msg} at column {error.colno}", remedy) from None
    except (ValueError, RecursionError) as error:
        raise fail(str(error), "Name each key once, and write plain numbers.") from None
    if not isinstance(found, dict):
        remedy = "Every line must be one JSON object. A list of objects goes through json.load."
        raise fail("a line that is no object", remedy)
    record = cast("dict[str, Any]", found)
    cells = record.values()
    plain = math.inf not in cells and -math.inf not in cells and _FIT.issuperset(map(type, cells))
    if not plain or "\\u" in text:
        for key, cell in record.items():
            if why := _unfit(key, cell):
                raise fail(f"the value of {key!r} is {why[0]}", why[1])
    return record


def named(record: dict[str, Any], nameless: str) -> dict[str, Any]:
    """A record with a name for an empty key.

    Examples
    --------
    >>> named({"a": 1, "": 2}, "column_2")
    {'a': 1, 'column_2': 2}
    """
    if "" not in record:
        return record
    return {key or nameless: cell for key, cell in record.items()}


def _unfit(key: str, cell: object) -> tuple[str, str] | None:
    if isinstance(cell, dict | list):
        return "nested", "Flatten it, or leave the key out."
    if isinstance(cell, float) and math.isinf(cell):
        return "infinite", "Numbers must be finite: replace it, or make it null."
    if any(isinstance(each, str) and _LONE.search(each) for each in (key, cell)):
        return "not valid Unicode text", "Replace the lone surrogate in it."
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(k for k in keys if keys.count(k) > 1)!r} appears twice")
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_once)
