"""Profile: what a pass found in some parts, as far as kinds and values depend on it.

Profiles add up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.data.column_plan import BadRow, ColumnPlan, Raw
from satsuma.data.columns import TEXT_LENGTH

#: Strings of a column that are kept to be symbols, in characters. With more it is text.
MOST_CHARACTERS = 1 << 26

#: Rows that are kept aside; of more, it is only known how many there are.
MOST_ASIDE = 1000

#: A part by its number, a line or row in it, and the cell there.
Spot = tuple[int, int, str]


@dataclass
class Words:
    """The distinct strings of a column, in the order of their first appearance.

    Examples
    --------
    >>> one, other = Words(), Words()
    >>> one.add(["b", "a"], 7)
    >>> other.add(["a", "c"], 2)
    >>> one.join(other)
    >>> list(one.values), one.known
    (['b', 'a', 'c'], 9)
    """

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    known: int = 0
    size: int = 0
    too_many: bool = False

    def add(self, values: Iterable[str], known: int) -> None:
        """Add strings; `known` cells held them."""
        self.known += known
        if self.too_many:
            return
        for value in values:
            if value not in self.values:
                self.values[value] = None
                self.size += len(value)
        if self.size > MOST_CHARACTERS:
            self.too_many, self.values = True, {}

    def join(self, later: "Words") -> None:
        """Add those of later rows."""
        self.too_many |= later.too_many
        if self.too_many:
            self.values = {}
        self.add(later.values, later.known)

    @property
    def are_text(self) -> bool:
        """Whether they are to be read rather than compared; see `columns.is_text`."""
        count = len(self.values)
        return self.too_many or (2 * count > self.known and self.size > TEXT_LENGTH * count)


@dataclass
class Profile:
    """What was found in some parts.

    Parameters
    ----------
    rows, lines
        How many there are.
    failed, infinite
        By column the first cell that is no number, and the first that is an infinite one.
    words
        By column the strings in it.
    not_boolean, new
        Columns that are not what the plan says, and those that it does not have.
    blank, first_blank
        Blank lines that were left out, and the first of them.
    aside, left_out
        Rows that could not be read: some of them, and how many there are.
    refused
        A row that stops the reading: where, what is wrong, what to do.
    most_aside
        How many of the rows that could not be read are kept; None for all of them.
    """

    rows: int = 0
    lines: int = 0
    failed: dict[str, Spot] = field(default_factory=dict[str, Spot])
    infinite: dict[str, Spot] = field(default_factory=dict[str, Spot])
    words: dict[str, Words] = field(default_factory=dict[str, Words])
    not_boolean: set[str] = field(default_factory=set[str])
    new: dict[str, None] = field(default_factory=dict[str, None])
    blank: int = 0
    first_blank: tuple[int, int] = (0, 0)
    aside: list[tuple[int, BadRow]] = field(default_factory=list[tuple[int, BadRow]])
    left_out: int = 0
    refused: tuple[int, int, str, str] | None = None
    most_aside: int | None = MOST_ASIDE

    def add(self, raw: Raw, plan: ColumnPlan, part: int) -> None:
        """Add a batch of a part, and the strings in it."""
        self.add_report(raw, plan.domain.names, part)
        if not plan.complete:
            self._add_words(raw, plan)

    def add_report(self, raw: Raw, names: Sequence[str], part: int) -> None:
        """Add what a batch reports of itself; `names` are those of its columns."""
        self.rows, self.lines = self.rows + raw.rows, self.lines + raw.lines
        for mine, its in ((self.failed, raw.failed), (self.infinite, raw.infinite)):
            for j, (line, cell) in its.items():
                mine.setdefault(names[j], (part, line, cell))
        self.not_boolean |= {names[j] for j in raw.not_boolean}
        self.new.update(dict.fromkeys(raw.new))
        if raw.blank and not self.blank:
            self.first_blank = part, raw.first_blank
        self.blank += raw.blank
        self._leave_out([(part, each) for each in raw.aside], len(raw.aside))
        if raw.refused and not self.refused:
            self.refused = part, *raw.refused

    def _add_words(self, raw: Raw, plan: ColumnPlan) -> None:
        for variable, codes, values in zip(plan.domain, raw.columns, raw.values, strict=True):
            if variable.kind != "num" and codes is not None:
                words = self.words.setdefault(variable.name, Words())
                words.add(values, int(np.count_nonzero(codes >= 0)))

    def _leave_out(self, aside: Sequence[tuple[int, BadRow]], count: int) -> None:
        most = None if self.most_aside is None else self.most_aside - len(self.aside)
        self.aside += aside[:most]
        self.left_out += count

    def join(self, later: "Profile") -> None:
        """Add what was found in later parts."""
        self.rows, self.lines = self.rows + later.rows, self.lines + later.lines
        for mine, its in ((self.failed, later.failed), (self.infinite, later.infinite)):
            for name, spot in its.items():
                mine.setdefault(name, spot)
        for name, words in later.words.items():
            self.words.setdefault(name, Words()).join(words)
        self.not_boolean |= later.not_boolean
        self.new.update(later.new)
        if later.blank and not self.blank:
            self.first_blank = later.first_blank
        self.blank += later.blank
        self._leave_out(later.aside, later.left_out)
        self.refused = self.refused or later.refused

    def fits(self, plan: ColumnPlan) -> bool:
        """Whether all was as the plan has it, so far."""
        wrong = self.failed or self.not_boolean or self.new or self.refused
        return not (wrong or self.infinite.keys() & _numeric(plan))


def _numeric(plan: ColumnPlan) -> set[str]:
    return {v.name for v in plan.domain if v.kind == "num"}
