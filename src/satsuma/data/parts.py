"""Parts: where the rows of a source are, and a table of all of them.

Every format opens its files as parts with a plan. A scan passes over the parts and keeps no rows;
to read is to pass over the one part of a file and to keep them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, Self

import numpy as np

from satsuma.data.cells import Found, as_kinds
from satsuma.data.column_plan import ColumnPlan, resolve
from satsuma.data.domain import Domain
from satsuma.data.flags import FLAGS, NUMERIC_ROLES, flag_names
from satsuma.data.profile import Profile, Raw
from satsuma.data.source_notes import source_notes
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels.threads import map_tasks
from satsuma.numerics.arrays import DTYPES


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


class UncutPart:
    """What parts share that are not stretches of a text."""

    lined: ClassVar[bool] = False
    elsewhere: ClassVar[bool] = False

    @property
    def file(self) -> str:
        """What to call the file."""
        raise NotImplementedError

    @property
    def place(self) -> str:
        """What to call the part."""
        return self.file

    @property
    def header_lines(self) -> int:
        """None: there is no header."""
        return 0

    def between(self, start: int, stop: int | None = None) -> Self:
        """Itself: its edges are known."""
        del start, stop
        return self


@dataclass(frozen=True)
class HeldColumns(UncutPart):
    """All rows of a file that cannot be cut, or of an object: columns that are in memory."""

    label: str
    found: tuple[Found, ...]

    @property
    def file(self) -> str:
        """What to call the file."""
        return self.label

    def read(self, plan: ColumnPlan) -> Rows:
        """The rows, all at once; the plan was made for them."""
        del plan
        columns = [each.column for each in self.found]
        rows = len(columns[0]) if columns else 0
        values = [each.variable.values for each in self.found]
        return Rows(iter([Raw(rows, [*columns], [*values], lines=rows)]))


class _WholePass:
    """A pass over all parts of a source that keeps their rows."""

    def __init__(self, parts: Sequence[Part], plan: ColumnPlan) -> None:
        self.parts, self.profile = parts, Profile(bounded=False)
        self.raws: list[tuple[Part, Raw]] = []
        for at, (part, raws) in enumerate(zip(parts, _all_rows(parts, plan), strict=True)):
            for raw in raws:
                self._add(at, part, raw, plan)

    def _add(self, at: int, part: Part, raw: Raw, plan: ColumnPlan) -> None:
        self.profile.add(raw, plan.domain, at, words=not plan.settled)
        self.raws.append((part, raw))
        if raw.refused:
            line, what, remedy = raw.refused
            raise ReadError(what, file=part.file, line=part.header_lines + line, remedy=remedy)

    def where(self, part: int, line: int) -> tuple[str, int | None]:
        """The file and the line to name in a message."""
        its = self.parts[part]
        if its.lined:
            return its.file, its.header_lines + line
        return f"{its.place}, row {line}", None


def _all_rows(parts: Sequence[Part], plan: ColumnPlan) -> Iterable[Iterable[Raw]]:
    """The rows of each part; of several parts, read by threads."""
    if len(parts) == 1:
        return (part.read(plan) for part in parts)
    return map_tasks(lambda part: list(part.read(plan)), parts)


@dataclass
class Opened:
    """Where the rows are, what is guessed of them, and what is to be said.

    It is `bare` if nothing in it says what columns are for, so that those which name rows are not
    learned from.
    """

    parts: list[Part]
    plan: ColumnPlan
    notes: list[str] = field(default_factory=list[str])
    name: str = ""
    bare: bool = False

    @classmethod
    def holding(
        cls, found: Sequence[Found], notes: Sequence[str], *, file: str, name: str = ""
    ) -> "Opened":
        """A source of one part: all columns are known, and in memory."""
        variables = [each.variable for each in found]
        sure = [each.variable.name for each in found if each.sure]
        flags = flag_names(variables, [each.column for each in found], sure)
        plan = ColumnPlan(Domain(variables), settled=True, flags=frozenset(flags))
        plan = plan.with_variables(dict.fromkeys(flags, ("sym", FLAGS)))
        told = [*notes, *(note for each in found for note in each.notes)]
        return cls([HeldColumns(file, tuple(found))], plan, told, name)

    def with_held_kinds(self, kinds: Mapping[str, str]) -> "Opened":
        """The same with columns that are in memory turned into these kinds."""
        (part,) = self.parts
        assert isinstance(part, HeldColumns), "other columns are read as the plan has them"
        turned = Opened.holding(as_kinds(part.found, kinds), (), file=part.label)
        return replace(self, parts=turned.parts, plan=turned.plan)

    def with_numbers(self, roles: Mapping[str, str] | None) -> "Opened":
        """The same with numbers in the columns whose roles, a goal or the weight, ask for them."""
        names = [name for name, role in (roles or {}).items() if role in NUMERIC_ROLES]
        return replace(self, plan=self.plan.with_numbers(names)) if names else self

    def table(self) -> Table:
        """All rows: a pass, and another one where the guess was wrong."""
        parts = self.parts
        found = resolve(self.plan, lambda plan: _WholePass(parts, plan))
        plan = found.plan
        tables = [plan.table(raw, part.place) for part, raw in found.last.raws]
        first_lines = [part.header_lines for part in parts]
        aside = (
            replace(row, line=first_lines[at] + row.line) for at, row in found.last.profile.aside
        )
        return Table(
            plan.domain,
            stacked(tables, plan.domain).columns,
            name=self.name,
            notes=[*self.notes, *source_notes(self.plan, found, self._line)],
            aside=aside,
            check=False,
        )

    def _line(self, at: int, line: int) -> str:
        """How to call a line of a part in a note."""
        part = self.parts[at]
        told = f"line {part.header_lines + line}"
        return told if len(self.parts) == 1 else f"{part.file}, {told}"


def stacked(tables: Sequence[Table], domain: Domain) -> Table:
    """Rows of several tables of the same columns as one."""
    if len(tables) == 1:
        return tables[0]
    columns = [
        np.concatenate([np.zeros(0, DTYPES[v.kind]), *(each.columns[j] for each in tables)])
        for j, v in enumerate(domain)
    ]
    return Table(domain, columns, check=False)


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
