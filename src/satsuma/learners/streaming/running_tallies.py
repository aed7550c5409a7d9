"""Running tallies: of all rows of a stream, of its last rows, and of rows that fade."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

import numpy as np

from satsuma.learners.streaming.row_batches import OneRow
from satsuma.numerics.arrays import Floats

#: The tally of some rows, and what they weigh beside their own weights, if not 1.
Tallied = Callable[[Sequence[OneRow], Floats | None], Any]

#: A tally with one more row, in a shorter way; None where there is none.
WithRow = Callable[[Any, OneRow], Any]


def _no_short_way(tally: Any, row: OneRow) -> None:
    """There is none."""


#: Rows that wait until they are tallied together, at most.
_WAITING = 256


class RunningTally(Protocol):
    """A tally of rows that come one by one."""

    def add(self, row: OneRow) -> None:
        """Take in a row."""
        ...

    def total(self) -> Any:
        """The tally of the rows; None of none."""
        ...


@dataclass
class AllRows:
    """The tally of all rows: those that wait are tallied together, once it is asked for."""

    tallied: Tallied
    waiting: list[OneRow] = field(default_factory=list[OneRow])
    known: Any = None
    with_row: WithRow = _no_short_way

    def add(self, row: OneRow) -> None:
        """Take in a row."""
        self.waiting.append(row)
        if len(self.waiting) == _WAITING:
            self.total()

    def total(self) -> Any:
        """The tally of all rows."""
        found = self.with_row(self.known, self.waiting[0]) if len(self.waiting) == 1 else None
        if found is not None:
            self.known, self.waiting = found, []
        if self.waiting:
            new = self.tallied(self.waiting, None)
            self.known = new if self.known is None else self.known + new
            self.waiting = []
        return self.known


@dataclass
class FadingRows:
    """The tally of all rows, each of which weighs less with every row that came after it.

    Parameters
    ----------
    tallied
        The tally of some rows.
    half_life
        After how many rows a row weighs half.
    """

    tallied: Tallied
    half_life: float
    waiting: list[OneRow] = field(default_factory=list[OneRow])
    known: Any = None

    def add(self, row: OneRow) -> None:
        """Take in a row."""
        self.waiting.append(row)
        if len(self.waiting) >= min(_WAITING, max(1.0, self.half_life)):
            self.total()

    def total(self) -> Any:
        """The tally of all rows; the last one has its full weight."""
        n = len(self.waiting)
        if n:
            age = np.arange(n - 1, -1, -1.0)
            new = self.tallied(self.waiting, 0.5 ** (age / self.half_life))
            old = self.known
            self.known = new if old is None else old.scaled(0.5 ** (n / self.half_life)) + new
            self.waiting = []
        return self.known


@dataclass
class LastRows:
    """The tally of the last rows, by sums alone: nothing is subtracted, and no digits are lost.

    Rows are in two lots. Of the older lot, sums from each tenth or so of it to its end are kept; of
    the newer one, the sum of all. Once all rows of the older lot are gone, the newer takes its
    place.

    Parameters
    ----------
    tallied
        The tally of some rows.
    rows
        How many rows there are at most.
    """

    tallied: Tallied
    rows: int

    def __post_init__(self) -> None:
        self._block = max(1, int(self.rows**0.5))
        self._older: list[OneRow] = []
        self._gone = 0  # rows of the older lot that have left
        self._sums: list[Any] = []  # of the older lot, from each block on; None at the end
        self._newer = AllRows(self.tallied)
        self._kept: list[OneRow] = []

    def __len__(self) -> int:
        return len(self._older) - self._gone + len(self._kept)

    def add(self, row: OneRow) -> None:
        """Take in a row; the oldest leaves once there are too many."""
        self._newer.add(row)
        self._kept.append(row)
        if len(self) > self.rows:
            self._drop()

    def shorten(self, rows: int) -> None:
        """Let old rows leave, until there are no more than so many."""
        while len(self) > max(rows, 0):
            self._drop()

    def _drop(self) -> None:
        if self._gone == len(self._older):
            self._turn()
        self._gone += 1

    def _turn(self) -> None:
        """The newer lot takes the place of the older one."""
        self._older, self._gone, self._kept = self._kept, 0, []
        self._newer, later = AllRows(self.tallied), None
        self._sums = [None]
        for start in reversed(range(0, len(self._older), self._block)):
            block = self.tallied(self._older[start : start + self._block], None)
            later = block if later is None else block + later
            self._sums.append(later)
        self._sums.reverse()

    def total(self) -> Any:
        """The tally of the rows that are there."""
        at = -(-self._gone // self._block)
        begun = list(islice(self._older, self._gone, at * self._block))
        parts = [
            self.tallied(begun, None) if begun else None,
            self._sums[at] if self._sums else None,
            self._newer.total(),
        ]
        found = None
        for part in parts:
            found = part if found is None else found if part is None else found + part
        return found
