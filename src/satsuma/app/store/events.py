"""Events: what somebody did about a row; every field is checked, from a page and from the log."""

import json
import re
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any, cast

from satsuma.app.refusal import Refusal
from satsuma.data.columns import spell

#: What can be done about a row.
ACTIONS = ("label", "skip", "undo", "unsure", "comment")

#: The most characters of a class, of a name and of a comment.
CLASS, NAME, COMMENT = 100, 40, 2000

#: A day in milliseconds: nobody thinks longer.
_LONGEST = 86_400_000

_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_KEY = re.compile(r"k[0-9a-f]{32}|[0-9a-f]{32}((-[0-9]{1,9}){3})?")


@dataclass(frozen=True)
class Event:
    """One action of one person about one row.

    A page sends `id`, `row`, `what`, `value`, `of` and `took`. The session adds what it knows, and
    the log the number. The id makes sending idempotent: there is one event for an id.

    Parameters
    ----------
    id
        Made by the page.
    row
        The key of the row.
    who
        Who did it.
    what
        One of `ACTIONS`.
    value
        A class, numbers by goal, a comment, or None.
    of
        The id of the event that is undone.
    at, took
        Milliseconds: since 1970, and from question to answer.
    model
        The number of the last event that the model had learned from.
    why
        Why the row was asked about.
    shown, cells
        The row in short, and a hash of its cells as they were.
    seq
        The number in the log; 0 while it is not there.
    """

    id: str
    row: str
    who: str
    what: str
    value: Any = None
    of: str | None = None
    at: int = 0
    took: int = 0
    model: int = 0
    why: Any = None
    shown: str = ""
    cells: str = ""
    seq: int = 0

    def same_action(self, other: "Event") -> bool:
        """Whether both are one action, sent again."""
        return (self.row, self.who, self.what, self.value, self.of) == (
            other.row, other.who, other.what, other.value, other.of,
        )  # fmt: skip


#: Kinds of what somebody does from the list of answers, where no question was asked: another
#: answer, and no answer any more.
EDIT, RETRACTION = "edit", "retraction"


#: The kind of a question whose answer is in the file, asked to see how good somebody is.
GOLD = "gold"


def question_kind(event: Event) -> str:
    """The kind of question that an event answers, or `EDIT` or `RETRACTION`."""
    why: Any = event.why or {}
    return str(why.get("kind", "question"))


def is_retraction(event: Event) -> bool:
    """Whether all answers of a person about a row are taken back."""
    return event.what == "undo" and question_kind(event) == RETRACTION


def undone_ids(events: Iterable[Event]) -> set[str]:
    """The ids of events, in their order, that others have undone or taken back.

    Examples
    --------
    >>> first, second = (Event(i, "f00", "Ada", "label", "yes") for i in ("a1", "a2"))
    >>> undo = Event("a3", "f00", "Ada", "undo", of="a2")
    >>> undone_ids([first, second, undo])
    {'a2'}
    >>> sorted(undone_ids([first, second, replace(undo, why={"kind": RETRACTION})]))
    ['a1', 'a2']
    """
    undone, answers = set[str](), defaultdict[tuple[str, str], set[str]](set)
    for event in events:
        about = event.who, event.row
        if event.what in ("label", "unsure"):
            answers[about].add(event.id)
        elif is_retraction(event):
            undone |= answers.pop(about, set())
        elif event.what == "undo" and event.of is not None:
            undone.add(event.of)
    return undone


def spelled_value(value: Any) -> str:
    """The value of an event as people read it; empty where there is none.

    Examples
    --------
    >>> spelled_value({"Mpg": 31.0, "Lbs": 2100.0}), spelled_value("yes"), spelled_value(None)
    ('Mpg 31, Lbs 2100', 'yes', '')
    """
    if isinstance(value, dict):
        goals = cast("dict[str, float]", value)
        return ", ".join(f"{name} {spell(each)}" for name, each in goals.items())
    return "" if value is None else str(value)


def now() -> int:
    """The time as events have it: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


#: The columns of the log, in order; the number is the last, and given by the log.
COLUMNS = tuple(each.name for each in fields(Event))


# In the log


def to_json(value: Any) -> str:
    """A value as the log keeps it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def log_row(event: Event) -> tuple[Any, ...]:
    """An event as a row of the log, by `COLUMNS`."""
    return (
        event.id, event.row, event.who, event.what, to_json(event.value), event.of, event.at,
        event.took, event.model, to_json(event.why), event.shown, event.cells, event.seq,
    )  # fmt: skip


def logged_event(cells: tuple[Any, ...]) -> Event:
    """An event from a row of the log; ValueError if it cannot be one."""
    found = dict(zip(COLUMNS, cells, strict=True))
    try:
        parsed = {name: json.loads(found[name]) for name in ("value", "why")}
        event = Event(**{**found, **parsed})
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    _check_types(event)
    return event


def _check_types(event: Event) -> None:
    """Refuse what no page could have sent; SQLite itself takes any cell for any type."""
    texts: Any = (event.id, event.row, event.who, event.cells)
    numbers: Any = (event.at, event.took, event.model, event.seq)
    value: Any = event.value
    of: Any = event.of
    shown: Any = event.shown
    is_label = isinstance(value, str) or (
        isinstance(value, dict)
        and all(isinstance(each, int | float) for each in cast("dict[str, Any]", value).values())
    )
    if (
        not all(isinstance(each, str) and "\0" not in each for each in texts)
        or not all(isinstance(each, int) for each in numbers)
        or not isinstance(shown, str)
        or event.what not in ACTIONS
        or not (of is None or isinstance(of, str))
        or not (event.why is None or isinstance(event.why, dict))
        or (event.what == "label" and not is_label)
        or (event.what == "comment" and not isinstance(value, str))
    ):
        raise ValueError(f"event {event.seq} is none")


# From a page


def request_fields(body: bytes, known: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a JSON object, all of which must be known."""
    try:
        made: Any = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Refusal(400, "The request is not JSON.") from None
    if not isinstance(made, dict):
        raise Refusal(400, "The request must be a JSON object.")
    found = cast("dict[str, Any]", made)
    if unknown := [name for name in found if name not in known]:
        raise Refusal(422, f"There is no field {unknown[0][:40]!r}.")
    return found


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def sent_event(who: str, sent: dict[str, Any]) -> Event:
    """An event from the fields of a request.

    Examples
    --------
    >>> sent_event("Ada", {"id": "abcdefgh", "row": "0" * 32, "what": "skip"}).what
    'skip'
    >>> sent_event("Ada", {"id": "abcdefgh", "row": "first", "what": "skip"})
    Traceback (most recent call last):
        ...
    satsuma.app.refusal.Refusal: The field 'row' is not as it should be.
    """
    what = sent.get("what")
    if not isinstance(what, str) or what not in ACTIONS:
        raise _wrong("what")
    value, of = sent.get("value"), sent.get("of")
    if what == "undo":
        of = _matching(of, _ID, "of")
    elif of is not None:
        raise _wrong("of")
    if what == "comment":
        value = plain_text(value, COMMENT, "value", lines=True)
    elif what == "label":
        value = _numbers(value) if isinstance(value, dict) else plain_text(value, CLASS, "value")
    elif value is not None:
        raise _wrong("value")
    took = sent.get("took", 0)
    if isinstance(took, bool) or not isinstance(took, int) or not 0 <= took <= _LONGEST:
        raise _wrong("took")
    made = _matching(sent.get("id"), _ID, "id"), _matching(sent.get("row"), _KEY, "row")
    event = Event(*made, who, what, value, of, took=took)
    if "kind" not in sent:
        return event
    if sent["kind"] != {"label": EDIT, "unsure": EDIT, "undo": RETRACTION}.get(what):
        raise _wrong("kind")
    return replace(event, why={"kind": sent["kind"]})


def plain_text(value: Any, most: int, name: str, *, lines: bool = False) -> str:
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
