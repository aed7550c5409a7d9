"""Profile: what was found in some rows, as far as kinds and values depend on it.

Each batch of rows reports of itself; the profile of a part, and of a whole source, adds up what
its batches report.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from satsuma.data.columns import TEXT_LENGTH
from satsuma.data.domain import Domain
from satsuma.data.flags import OTHER, bits_of
from satsuma.numerics.arrays import Array

#: Strings of a column that are kept to be symbols, in characters. With more it is text.
MOST_CHARACTERS = 1 << 26

#: Rows that are kept aside; of more, it is only known how many there are.
MOST_ASIDE = 1000


@dataclass(frozen=True)
class BadRow:
    """A row of a file that could not be read: its line, its text, and what is wrong with it."""

    line: int
    text: str
    why: str


#: A line, from 1 at the start of the part, or a row from 0; and the cell found there.
Place = tuple[int, str]


@dataclass
class Raw:
    """A batch of rows as found, by the columns of a plan.

    Parameters
    ----------
    rows
        How many there are.
    columns
        Floats, or for symbols and text codes into `values`, or the texts themselves; None where a
        number was asked for and `failed` says what is there instead.
    values
        The strings that codes stand for; `Variable.values` itself where they are the same.
    failed, infinite
        By column the first cell that is no number, and the first that is an infinite one.
    sorts
        By column the sorts of its cells, where cells have types of their own: ``boolean``,
        ``number``, ``word``.
    new
        Names of columns that the plan does not have.
    met
        Of text: by column the marks of missing numbers and times that are in it.
    lines, blank, first_blank
        Of text: lines passed, and blank ones among them.
    aside, refused
        Rows that could not be read and are kept aside; the line, the fault and the remedy of one
        that is not.
    mended
        Lines that were mended, and what was done.
    """

    rows: int
    columns: list[Array | None]
    values: list[Collection[str]]
    failed: dict[int, Place] = field(default_factory=dict[int, Place])
    infinite: dict[int, Place] = field(default_factory=dict[int, Place])
    sorts: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    new: list[str] = field(default_factory=list[str])
    met: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    lines: int = 0
    blank: int = 0
    first_blank: int = 0
    aside: list[BadRow] = field(default_factory=list[BadRow])
    refused: tuple[int, str, str] | None = None
    mended: list[Place] = field(default_factory=list[Place])

    def join(self, later: "Raw") -> None:
        """Add what the next rows report, though not the rows."""
        self.rows, self.lines = self.rows + later.rows, self.lines + later.lines
        for mine, its in ((self.failed, later.failed), (self.infinite, later.infinite)):
            for j, place in its.items():
                mine.setdefault(j, place)
        for j, marks in later.met.items():
            self.met.setdefault(j, set()).update(marks)
        self.first_blank = self.first_blank if self.blank else later.first_blank
        self.blank += later.blank
        self.aside += later.aside
        self.mended += later.mended
        self.refused = self.refused or later.refused

    @property
    def fits(self) -> bool:
        """Whether it is as the plan has it."""
        return not (self.failed or self.infinite or self.new)


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
    bounded: bool = True

    def add(self, values: Iterable[str], known: int) -> None:
        """Add strings; `known` cells held them."""
        self.known += known
        if self.too_many:
            return
        if not self.values and isinstance(values, dict):  # nothing is gained by a copy
            self.values = cast("dict[str, Any]", values)
            self.size = sum(map(len, self.values))
        else:
            for value in values:
                if value not in self.values:
                    self.values[value] = None
                    self.size += len(value)
        if self.bounded and self.size > MOST_CHARACTERS:
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
    sorts, new
        By column the sorts of its cells; columns that the plan does not have.
    bits, met
        By column of numbers what it holds of `ZERO`, `ONE` and `OTHER`, and its missing marks.
    blank, first_blank
        Blank lines that were left out, and the first of them.
    aside, left_out
        Rows that could not be read: some of them, and how many there are.
    refused
        A row that stops the reading: where, what is wrong, what to do.
    mended
        Rows that were mended: where, and what was done.
    bounded
        Whether only so many strings, and rows that could not be read, are kept.
    """

    rows: int = 0
    lines: int = 0
    failed: dict[str, Spot] = field(default_factory=dict[str, Spot])
    infinite: dict[str, Spot] = field(default_factory=dict[str, Spot])
    words: dict[str, Words] = field(default_factory=dict[str, Words])
    sorts: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    new: dict[str, None] = field(default_factory=dict[str, None])
    bits: dict[str, int] = field(default_factory=dict[str, int])
    met: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    blank: int = 0
    first_blank: tuple[int, int] = (0, 0)
    aside: list[tuple[int, BadRow]] = field(default_factory=list[tuple[int, BadRow]])
    left_out: int = 0
    refused: tuple[int, int, str, str] | None = None
    mended: list[Spot] = field(default_factory=list[Spot])
    bounded: bool = True

    def add(self, raw: Raw, domain: Domain, part: int, *, words: bool = True) -> None:
        """Add what a batch of a part reports, and the strings in it if they are asked for."""
        names = domain.names
        self.rows, self.lines = self.rows + raw.rows, self.lines + raw.lines
        for mine, its in ((self.failed, raw.failed), (self.infinite, raw.infinite)):
            for j, (line, cell) in its.items():
                mine.setdefault(names[j], (part, line, cell))
        for j, found in raw.sorts.items():
            self.sorts.setdefault(names[j], set()).update(found)
        for j, marks in raw.met.items():
            self.met.setdefault(names[j], set()).update(marks)
        self.new.update(dict.fromkeys(raw.new))
        if raw.blank and not self.blank:
            self.first_blank = part, raw.first_blank
        self.blank += raw.blank
        self._leave_out([(part, each) for each in raw.aside], len(raw.aside))
        self.mended += [(part, *each) for each in raw.mended]
        if raw.refused and not self.refused:
            self.refused = part, *raw.refused
        if words:
            self._add_words(raw, domain)

    def _add_words(self, raw: Raw, domain: Domain) -> None:
        for variable, found, values in zip(domain, raw.columns, raw.values, strict=True):
            if found is None or variable.kind == "time":
                continue
            if found.dtype == np.float64:
                seen = self.bits.get(variable.name, 0)
                self.bits[variable.name] = seen if seen & OTHER else seen | bits_of(found)
            else:
                words = self.words.setdefault(variable.name, Words(bounded=self.bounded))
                words.add(values, int(np.count_nonzero(found >= 0)))

    def _leave_out(self, aside: Sequence[tuple[int, BadRow]], count: int) -> None:
        most = MOST_ASIDE - len(self.aside) if self.bounded else None
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
        for name, sorts in later.sorts.items():
            self.sorts.setdefault(name, set()).update(sorts)
        for name, marks in later.met.items():
            self.met.setdefault(name, set()).update(marks)
        for name, bits in later.bits.items():
            self.bits[name] = self.bits.get(name, 0) | bits
        self.new.update(later.new)
        if later.blank and not self.blank:
            self.first_blank = later.first_blank
        self.blank += later.blank
        self._leave_out(later.aside, later.left_out)
        self.mended += later.mended
        self.refused = self.refused or later.refused

    def fits(self, domain: Domain) -> bool:
        """Whether all was as columns of these kinds can have it, so far."""
        numeric = {variable.name for variable in domain if variable.kind == "num"}
        wrong = self.failed or self.new or self.refused
        return not (wrong or self.infinite.keys() & numeric)
