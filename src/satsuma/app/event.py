"""Event: one thing that somebody did, as the log keeps it."""

import json
from dataclasses import dataclass
from typing import Any

from satsuma.errors import SatsumaError

#: What may happen.
WHAT = ("label", "skip", "undo", "unsure", "comment")

#: The columns of the log, in order.
COLUMNS = "id, row, who, what, value, of, at, took, model, why, shown, seq"


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
    seq: int = 0

    def same(self, other: "Event") -> bool:
        """Whether it is the same deed, sent again."""
        return (self.row, self.who, self.what, self.value, self.of) == (
            other.row, other.who, other.what, other.value, other.of,
        )  # fmt: skip


def spelled(value: Any) -> str:
    """A value as the log keeps it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def event_of(found: tuple[Any, ...]) -> Event:
    """An event from the cells of a row of the log."""
    made = dict(zip(COLUMNS.split(", "), found, strict=True))
    return Event(**{**made, "value": json.loads(made["value"]), "why": json.loads(made["why"])})
