"""Column plan: what columns are read as, and what a part of the rows was found to hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Kind, Variable
from satsuma.errors import ReadError
from satsuma.numerics.arrays import Array, Codes


@dataclass(frozen=True)
class BadRow:
    """A row of a file that could not be read: its line, its text, and what is wrong with it."""

    line: int
    text: str
    why: str


#: A line, from 1 at the start of the part, or a row from 0; and the cell found there.
Place = tuple[int, str]


@dataclass(frozen=True)
class ColumnPlan:
    """What each column is read as.

    Parameters
    ----------
    domain
        The columns, with the values of symbols as far as they are known.
    complete
        Whether the whole source was looked at, so that no other kind and no other value is left.
    strict
        Names of the columns whose kind was said and is not to be doubted.
    fixed
        Names of the columns of which it is not to be judged by their content whether they are
        symbols or text.
    booleans
        Names of the columns that hold nothing but true and false.
    soft
        Names of the columns that are goals by their names alone, and no longer if they hold no
        numbers.
    by_name
        Names of the columns that are numeric by the marks in their names alone.
    listed
        By name, how many values a header lists; they are the first of the variable's.
    spelled
        Whether cells are spelled in delimited text, so that an option may make numbers of them.
    """

    domain: Domain
    complete: bool = False
    strict: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    booleans: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()
    by_name: frozenset[str] = frozenset()
    listed: Mapping[str, int] = field(default_factory=dict[str, int])
    spelled: bool = False

    def with_variables(self, changes: Mapping[str, tuple[Kind, tuple[str, ...]]]) -> "ColumnPlan":
        """The same plan with another kind, or other values, for some columns."""
        if not changes:
            return self
        made = (
            self._changed(variable, *changes[variable.name])
            if variable.name in changes
            else variable
            for variable in self.domain
        )
        return replace(self, domain=Domain(made))

    def _changed(self, old: Variable, kind: Kind, values: tuple[str, ...]) -> Variable:
        role, goal = old.role, old.goal
        if kind != "num" and role == "goal" and old.name in self.soft:
            role, goal = "x", None
        return Variable(old.name, kind, values, role, goal)

    def table(self, raw: "Raw", place: str) -> Table:
        """Rows as they were found, under the columns of the plan.

        Values that it does not know come behind those that it knows.
        """
        variables, columns = list(self.domain), list[Array]()
        for j, (variable, found) in enumerate(zip(self.domain, raw.columns, strict=True)):
            assert found is not None, "what does not fit is not made a table of"
            if variable.kind == "sym":
                variables[j], column = self._symbols(variable, found, raw.values[j], place)
            elif variable.kind == "text":
                column = np.array([*raw.values[j], None], object)[found]
            else:
                column = found
            columns.append(column)
        same = all(a is b for a, b in zip(variables, self.domain, strict=True))
        return Table(self.domain if same else Domain(variables), columns, check=False)

    def _symbols(
        self, variable: Variable, codes: Codes, values: Sequence[str], place: str
    ) -> tuple[Variable, Codes]:
        if values is variable.values:
            return variable, codes
        new = [value for value in values if value not in variable.codes]
        if new and self.complete:
            raise changed(place, f"column {variable.name!r} holds {new[0]!r}, which was not there")
        if new:
            variable = replace(variable, values=(*variable.values, *new))
        where = [variable.codes[value] for value in values]
        if where == list(range(len(where))):
            return variable, codes
        return variable, np.array([*where, -1], np.int32)[codes]


def changed(place: str, what: str) -> ReadError:
    """The error for a file that is not what it was when it was first read."""
    return ReadError(
        f"{what} when it was first read", file=place, remedy="Leave it alone, and scan it again."
    )


@dataclass
class Raw:
    """A batch of rows as found, by the columns of a plan.

    Parameters
    ----------
    rows
        How many there are.
    columns
        Floats, or for symbols and text codes into `values`; None where a number was asked for
        and `failed` says what is there instead.
    values
        The strings that codes stand for; `Variable.values` itself where they are the same.
    failed, infinite
        By column the first cell that is no number, and the first that is an infinite one.
    not_boolean
        Columns of which the plan says that they hold booleans, where that is wrong.
    new
        Names of columns that the plan does not have.
    lines, blank, first_blank
        Of text: lines passed, and blank ones among them.
    aside, refused
        Rows that could not be read and are kept aside; the line, the fault and the remedy of one
        that is not.
    """

    rows: int
    columns: list[Array | None]
    values: list[Sequence[str]]
    failed: dict[int, Place] = field(default_factory=dict[int, Place])
    infinite: dict[int, Place] = field(default_factory=dict[int, Place])
    not_boolean: set[int] = field(default_factory=set[int])
    new: list[str] = field(default_factory=list[str])
    lines: int = 0
    blank: int = 0
    first_blank: int = 0
    aside: list[BadRow] = field(default_factory=list[BadRow])
    refused: tuple[int, str, str] | None = None

    @property
    def fits(self) -> bool:
        """Whether it is as the plan has it."""
        return not (self.failed or self.infinite or self.not_boolean or self.new)


class Reading(Protocol):
    """The batches of a part, in order; its edges are known when all were taken."""

    #: Where its first record starts and its last one ends, in a file that is cut by guessing.
    edges: tuple[int, int] | None

    def __iter__(self) -> Iterator[Raw]: ...


@dataclass
class Rows:
    """The batches of a part whose edges are no question."""

    found: Iterator[Raw]
    edges: tuple[int, int] | None = None

    def __iter__(self) -> Iterator[Raw]:
        return self.found


class Part(Protocol):
    """A description of where rows are: it can be pickled, and read anywhere, as often as needed."""

    #: Whether rows are lines of a text, which are counted through all parts of a file.
    lined: ClassVar[bool]
    #: Whether it takes others to read it: the first rows are not looked at beforehand.
    elsewhere: ClassVar[bool]

    @property
    def file(self) -> str:
        """What to call the file."""
        ...

    @property
    def place(self) -> str:
        """What to call the part in a message."""
        ...

    @property
    def header_lines(self) -> int:
        """Lines of the file that its header takes."""
        ...

    def read(self, plan: ColumnPlan) -> Reading:
        """The rows, some at a time."""
        ...

    def between(self, start: int, stop: int | None = None) -> "Part":
        """The same part with edges that are known and not guessed."""
        ...


@dataclass
class Opened:
    """Where the rows are, what is guessed of them, and what is to be said."""

    parts: list[Part]
    plan: ColumnPlan
    notes: list[str] = field(default_factory=list[str])
    name: str = ""


def check_names(path: str, names: Sequence[str], first: str, known: Sequence[str]) -> None:
    """Raise unless a file has the columns of the first one."""
    here, there = set(names), set(known)
    for name in (*known, *names):
        if name not in here or name not in there:
            lacks, has = (path, first) if name not in here else (first, path)
            raise ReadError(
                f"there is no column {name!r}, which {has} has",
                file=lacks,
                remedy="Files that are scanned together must have the same columns.",
            )
