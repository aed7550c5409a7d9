"""Event: one thing that somebody did, as the log keeps it."""

import json
from dataclasses import dataclass
from typing import Any, cast

from satsuma.errors import SatsumaError

#: What may happen.
WHAT = ("label", "skip", "undo", "unsure", "comment")

#: The columns of the log, in order.
COLUMNS = "id, row, who, what, value, of, at, took, model, why, shown, cells, seq"


class NotSaved(SatsumaError):
    """An answer could not be put on disk; nothing was changed."""


@dataclass(frozen=True)
class Event:
    """One thing that somebody did; the columns are told in the log's table."""

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

    def same(self, other: "Event") -> bool:
        """Whether it is the same deed, sent again."""
        return (self.row, self.who, self.what, self.value, self.of) == (
            other.row, other.who, other.what, other.value, other.of,
        )  # fmt: skip


def spelled(value: Any) -> str:
    """A value as the log keeps it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def cells_of(event: Event) -> tuple[Any, ...]:
    """An event as the cells of a row of the log; its number is the log's."""
    return (
        event.id, event.row, event.who, event.what, spelled(event.value), event.of, event.at,
        event.took, event.model, spelled(event.why), event.shown, event.cells,
    )  # fmt: skip


def event_of(found: tuple[Any, ...]) -> Event:
    """An event from the cells of a row of the log; ValueError if it cannot be one."""
    made = dict(zip(COLUMNS.split(", "), found, strict=True))
    try:
        event = Event(
            **{**made, "value": json.loads(made["value"]), "why": json.loads(made["why"])}
        )
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    _check(event)
    return event


def _check(event: Event) -> None:
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
        or event.what not in WHAT
        or not (of is None or isinstance(of, str))
        or not (event.why is None or isinstance(event.why, dict))
        or (event.what == "label" and not is_label)
        or (event.what == "comment" and not isinstance(value, str))
    ):
        raise ValueError(f"event {event.seq} is none")
