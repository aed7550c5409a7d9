"""Partitions: columns that the names of folders tell, as in ``year=2024/part-0.parquet`` (Hive)."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self
from urllib.parse import unquote

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.domain import Domain, free_name
from satsuma.data.notes import column_list, note
from satsuma.data.parts import Opened, Part
from satsuma.data.profile import Raw
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.numerics.arrays import Array

#: What Hive calls the folder of rows without a value.
MISSING = "__HIVE_DEFAULT_PARTITION__"

#: The keys of a file and the value of each, as the names of its folders have them.
Keys = Mapping[str, str]
Names = tuple[str, ...]


def partition_keys(folders: Sequence[str]) -> dict[str, str]:
    """The keys and values in the names of folders.

    Examples
    --------
    >>> partition_keys(["year=2024", "city=S%C3%A3o Paulo", "old"])
    {'year': '2024', 'city': 'São Paulo'}
    """
    found = (folder.partition("=") for folder in folders)
    return {unquote(name): unquote(value) for name, mark, value in found if mark and name}


def check_keys(keys: Mapping[str, Keys]) -> None:
    """Raise unless all files, by what they are called, have the same keys."""
    first, known = next(iter(keys.items()))
    for file, its in keys.items():
        if list(its) != list(known):
            raise ReadError(
                f"its folders tell {_listed(its)}, and those of {first} tell {_listed(known)}",
                file=file,
                remedy="Files that are read together have the same keys in their folders.",
            )


def _listed(keys: Keys) -> str:
    return ", ".join(map(repr, keys)) or "nothing"


def with_partitions(
    opened: Opened, keys: Mapping[str, Keys], kinds: Mapping[str, str], options: Mapping[str, Any]
) -> Opened:
    """A source with the keys of its files as columns, behind those of the files.

    Parameters
    ----------
    opened
        The source.
    keys
        By file, what its folders tell.
    kinds, options
        As in `satsuma.read`; those that concern how cells are written count.
    """
    table, notes = _key_table(keys, kinds, options)
    names, plan = table.domain.names, opened.plan
    own = plan.domain.names
    cells = {file: _cells(table, at) for at, file in enumerate(keys)}
    parts = [_partition(part, own, names, cells[part.file]) for part in opened.parts]
    variables = [each for each in plan.domain if each.name not in names]
    plan = replace(
        plan,
        domain=Domain([*variables, *table.domain]),
        strict=plan.strict.union(names),
        fixed=plan.fixed.union(names),
    )
    told = [*opened.notes, note("partitions", columns=column_list(names, "is")), *notes]
    if twice := [name for name in own if name in names]:
        told.append(note("partitions in files", columns=column_list(twice, "is")))
    return replace(opened, parts=parts, plan=plan, notes=told)


def _partition(part: Part, own: Names, keys: Names, cells: tuple[Array, ...]) -> Part:
    return (LinedPartition if part.lined else Partition)(part, own, keys, cells)


def _key_table(
    keys: Mapping[str, Keys], kinds: Mapping[str, str], options: Mapping[str, Any]
) -> tuple[Table, list[str]]:
    """A row of keys for each file, read as delimited text is; and what is to be said of it."""
    from satsuma.data.formats.delimited.reader import open_delimited

    names = list(next(iter(keys.values())))
    counter = free_name("file", names)  # so that no line is blank
    spelled = {
        name: value
        for name, value in options.items()
        if name in ("missing", "decimal", "thousands", "dates")
    }
    opened = open_delimited(
        [_key_text(keys)],
        "csv",
        whole=True,
        kinds={name: kind for name, kind in kinds.items() if name in names},
        delimiter=",",
        header=[*names, counter],
        skip=0,
        footer=0,
        comment=False,
        marks=False,
        **spelled,
    )
    table = opened.table()
    notes = [each for each in table.notes[len(opened.notes) :] if "blank line" not in each]
    return table.drop(counter), notes


def _key_text(keys: Mapping[str, Keys]) -> bytes:
    """The keys of each file and its number, as delimited text."""
    text = io.StringIO()
    writer = csv.writer(text)
    for at, each in enumerate(keys.values()):
        writer.writerow(["" if value == MISSING else value for value in each.values()] + [f"f{at}"])
    return text.getvalue().encode()


def _cells(table: Table, row: int) -> tuple[Array, ...]:
    return tuple(column[row : row + 1] for column in table.columns)


@dataclass(frozen=True)
class Partition:
    """A part of a file with the keys of its folders as columns.

    Parameters
    ----------
    part
        The part, without keys.
    own
        The columns of the file. One that is called as a key is read, and left out.
    keys, cells
        The names of the keys, and of each an array of its one cell.
    """

    part: Part
    own: Names
    keys: Names
    cells: tuple[Array, ...]
    lined: ClassVar[bool] = False
    elsewhere: ClassVar[bool] = False

    @property
    def file(self) -> str:
        """What to call the file."""
        return self.part.file

    @property
    def place(self) -> str:
        """What to call the part."""
        return self.part.place

    @property
    def header_lines(self) -> int:
        """Lines of the file that its header takes."""
        return self.part.header_lines

    def between(self, start: int, stop: int | None = None) -> Self:
        """The same part with edges that are known."""
        return replace(self, part=self.part.between(start, stop))

    def read(self, plan: ColumnPlan) -> "_Reading":
        """The rows, some at a time."""
        return _Reading(self, plan)

    def inner(self, plan: ColumnPlan) -> ColumnPlan:
        """The plan for the columns of the file alone."""
        known = plan.domain
        own = [Variable(name, "sym") if name in self.keys else known[name] for name in self.own]
        late = [each for each in known if each.name not in {*self.own, *self.keys}]
        return replace(plan, domain=Domain([*own, *late]))


class LinedPartition(Partition):
    """The same for a part of a text."""

    lined: ClassVar[bool] = True


class _Reading:
    """A part that is being read; the keys are added to its batches."""

    def __init__(self, part: Partition, plan: ColumnPlan) -> None:
        self._part, self._plan = part, plan
        self._inner = part.inner(plan)
        self.edges: tuple[int, int] | None = None

    def __iter__(self) -> Iterator[Raw]:
        reading = self._part.part.read(self._inner)
        yield from map(self._with_keys, reading)
        self.edges = reading.edges

    def _with_keys(self, raw: Raw) -> Raw:
        part, domain = self._part, self._plan.domain
        at = {name: j for j, name in enumerate(self._inner.domain.names)}
        cells = dict(zip(part.keys, part.cells, strict=True))
        names = domain.names
        to = {at[name]: j for j, name in enumerate(names) if name not in cells}
        return replace(
            raw,
            columns=[
                np.repeat(cells[name], raw.rows) if name in cells else raw.columns[at[name]]
                for name in names
            ],
            values=[
                domain[name].values if name in cells else raw.values[at[name]] for name in names
            ],
            failed={to[j]: each for j, each in raw.failed.items() if j in to},
            infinite={to[j]: each for j, each in raw.infinite.items() if j in to},
            sorts={to[j]: each for j, each in raw.sorts.items() if j in to},
            met={to[j]: each for j, each in raw.met.items() if j in to},
            new=[name for name in raw.new if name not in cells],
        )
