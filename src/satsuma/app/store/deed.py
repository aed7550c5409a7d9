"""Deed: what somebody did, as a page sends it; checked to the last field."""

import json
import re
from dataclasses import dataclass
from math import isfinite
from typing import Any, cast

from satsuma.app.refusal import Refusal
from satsuma.app.store.events import WHAT

#: The most characters of a class, of a name and of a comment.
CLASS, NAME, COMMENT = 100, 40, 2000

_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_KEY = re.compile(r"k[0-9a-f]{32}|[0-9a-f]{32}((-[0-9]{1,9}){3})?")

#: A day: nobody thinks longer.
_LONGEST = 86_400_000


@dataclass(frozen=True)
class Deed:
    """What somebody did.

    Parameters
    ----------
    id
        Made by the page.
    row
        The key of the row.
    what
        ``label``, ``skip``, ``undo``, ``unsure`` or ``comment``.
    value
        A class, numbers by goal, or a comment.
    of
        The id of what is undone.
    took
        Milliseconds from question to answer.
    """

    id: str
    row: str
    what: str
    value: Any = None
    of: str | None = None
    took: int = 0


def fields(body: bytes, known: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a JSON object, all of which must be known."""
    try:
        made: Any = json.loads(body, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise Refusal(400, "The request is not JSON.") from None
    if not isinstance(made, dict):
        raise Refusal(400, "The request must be a JSON object.")
    found = cast("dict[str, Any]", made)
    if unknown := [name for name in found if name not in known]:
        raise Refusal(422, f"There is no field {unknown[0][:40]!r}.")
    return found


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def deed_of(found: dict[str, Any]) -> Deed:
    """A deed from the fields of a request.

    Examples
    --------
    >>> deed_of({"id": "abcdefgh", "row": "0" * 32, "what": "skip"}).what
    'skip'
    >>> deed_of({"id": "abcdefgh", "row": "first", "what": "skip"})
    Traceback (most recent call last):
        ...
    satsuma.app.refusal.Refusal: The field 'row' is not as it should be.
    """
    what = found.get("what")
    if not isinstance(what, str) or what not in WHAT:
        raise _wrong("what")
    value, of = found.get("value"), found.get("of")
    if what == "undo":
        of = _matching(of, _ID, "of")
    elif of is not None:
        raise _wrong("of")
    if what == "comment":
        value = text(value, COMMENT, "value", lines=True)
    elif what == "label":
        value = _numbers(value) if isinstance(value, dict) else text(value, CLASS, "value")
    elif value is not None:
        raise _wrong("value")
    took = found.get("took", 0)
    if isinstance(took, bool) or not isinstance(took, int) or not 0 <= took <= _LONGEST:
        raise _wrong("took")
    made = _matching(found.get("id"), _ID, "id"), _matching(found.get("row"), _KEY, "row")
    return Deed(*made, what, value, of, took)


def text(value: Any, most: int, name: str, *, lines: bool = False) -> str:
    """A text that can be shown, not too long, without blanks around it."""
    if not isinstance(value, str) or len(value) > most:
        raise _wrong(name)
    made = value.strip()
    allowed = "\n\t" if lines else ""
    try:
        made.encode()
    except UnicodeEncodeError:
        raise _wrong(name) from None
    if not made or not all(c.isprintable() or c in allowed for c in made):
        raise _wrong(name)
    return made


def _numbers(value: Any) -> dict[str, float]:
    made: dict[str, float] = {}
    for name, number in cast("dict[str, Any]", value).items():
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise _wrong("value")
        try:
            made[name] = float(number)
        except OverflowError:
            raise _wrong("value") from None
        if not isfinite(made[name]):
            raise _wrong("value")
    return made


def _matching(value: Any, pattern: re.Pattern[str], name: str) -> str:
    if not isinstance(value, str) or pattern.fullmatch(value) is None:
        raise _wrong(name)
    return value


def _wrong(name: str) -> Refusal:
    return Refusal(422, f"The field {name!r} is not as it should be.")
