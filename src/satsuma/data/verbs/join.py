"""Join: columns of another table for the rows whose keys are equal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.columns import readable, remap, spell
from satsuma.data.domain import Domain
from satsuma.data.notes import Note, note
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.numerics.arrays import MISSING, Array, Indices, Integers

if TYPE_CHECKING:
    from satsuma.data.table import Table


def join(left: "Table", right: "Table", on: Sequence[str], *, inner: bool, many: bool) -> "Table":
    """The rows of one table beside those of another that have the same keys; see `Table.join`."""
    _check_keys(left, right, on)
    brought = [v.name for v in right.domain if v.name not in on]
    _refuse_clashes(left, right, brought)
    mine, theirs = _key_codes(left, right, on)
    order = np.argsort(theirs, kind="stable")
    found = theirs[order]
    first = np.searchsorted(found, mine, "left")
    count = np.searchsorted(found, mine, "right") - first
    count[mine < 0] = 0  # what is missing equals nothing
    if not many and (count > 1).any():
        at = int((count > 1).argmax())
        raise _repeated(right, _key(left, on, at), order[first[at] :][: count[at]].tolist())
    rows, partners = _pairs(order, first, count, inner=inner)
    columns = [*(column[rows] for column in left.columns)]
    columns += [_taken(right, name, partners) for name in brought]
    domain = Domain([*left.domain, *(right.domain[name] for name in brought)])
    unused = np.ones(len(right), np.bool_)
    unused[partners[partners >= 0]] = False
    notes = _notes(left, right, on, np.flatnonzero(count == 0), int(unused.sum()), inner=inner)
    others = (each for each in right.notes if each not in left.notes)
    return type(left)(
        domain,
        columns,
        name=left.name,
        notes=(*left.notes, *others, *notes),
        aside=left.aside,
        check=False,
    )


def _check_keys(left: "Table", right: "Table", on: Sequence[str]) -> None:
    for name in on:
        left.domain.index(name)
        if name not in right.domain:
            remedy = "The table that is joined has to have it too: rename the column that is meant."
            raise NoSuchColumn(name, right.domain.names, remedy)


def _pairs(
    order: Indices, first: Indices, count: Indices, *, inner: bool
) -> tuple[Indices, Indices]:
    """Rows on the left, each as often as it has partners, and the partner of each; -1 for none."""
    times = count if inner else np.maximum(count, 1)
    rows = np.repeat(np.arange(len(count)), times)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    matched = count[rows] > 0
    partners = np.full(len(rows), -1)
    partners[matched] = order[(first[rows] + within)[matched]]
    return rows, partners


def _taken(table: "Table", name: str, rows: Indices) -> Array:
    column = table.column(name)
    absent = rows < 0
    made = column[rows] if len(column) else np.empty(len(rows), column.dtype)
    made[absent] = MISSING[table.domain[name].kind]
    return made


def _key_codes(left: "Table", right: "Table", on: Sequence[str]) -> tuple[Integers, Integers]:
    """A number for each distinct key, the same in both tables; -1 where a cell of it is missing."""
    codes = np.zeros(len(left) + len(right), np.int64)
    absent = np.zeros(len(codes), np.bool_)
    for name in on:
        types = {readable(t.domain[name], t.column(name)[:0]).dtype for t in (left, right)}
        if len(types) > 1:
            kinds = [t.domain[name].kind for t in (left, right)]
            raise DomainError(
                f"Column {name!r} is of kind {kinds[0]!r} in one table and {kinds[1]!r} in the "
                f"other. Make them alike: other.with_kinds({{{name!r}: {kinds[0]!r}}})."
            )
        absent |= np.concatenate([t.missing(name) for t in (left, right)])
        seen: dict[str, int] = {}
        cells = [_comparable(t.domain[name], t.column(name), seen) for t in (left, right)]
        codes = _combined(codes, np.concatenate(cells))
    codes[absent] = -1
    return codes[: len(left)], codes[len(left) :]


def _comparable(variable: Variable, column: Array, seen: dict[str, int]) -> Array:
    """Cells that NumPy can compare; strings as numbers that `seen` gives them."""
    if variable.kind == "sym":
        return remap(column, variable.values, lambda value: seen.setdefault(value, len(seen)))
    if column.dtype != np.object_:
        return column
    strings: list[str | None] = column.tolist()
    each = (-1 if cell is None else seen.setdefault(cell, len(seen)) for cell in strings)
    return np.fromiter(each, np.int32, len(strings))


def _combined(codes: Integers, cells: Array) -> Integers:
    _, each = np.unique(cells, return_inverse=True)
    _, both = np.unique(codes * (int(each.max(initial=0)) + 1) + each, return_inverse=True)
    return both.astype(np.int64)


def _refuse_clashes(left: "Table", right: "Table", brought: Sequence[str]) -> None:
    for name in brought:
        if name in left.domain:
            raise DomainError(
                f"Both tables have a column {name!r}. Join on it too, drop it, or rename it: "
                f"other.rename({{{name!r}: …}})."
            )
        role = right.domain[name].role
        if role in ("target", "weight") and (here := left.domain.of_role(role)):
            raise DomainError(
                f"Both tables have a column with the role {role!r}: {here[0].name!r} and "
                f"{name!r}. Give one another role: other.with_roles({{{name!r}: 'meta'}})."
            )


def _key(table: "Table", on: Sequence[str], row: int) -> str:
    cells = ((name, table.cell(row, name)) for name in on)
    return ", ".join(f"{name} {'?' if cell is None else spell(cell)}" for name, cell in cells)


def _repeated(right: "Table", key: str, rows: Sequence[int]) -> DomainError:
    where = ", ".join(map(str, rows[:3])) + (", …" if len(rows) > 3 else "")
    return DomainError(
        f"{_called(right)} has {key} in {len(rows)} rows ({where}), so that rows would be "
        f"repeated. Make its keys distinct, or pass many=True to have a row for every pair."
    )


def _called(table: "Table") -> str:
    return repr(table.name) if table.name else "The other table"


def _notes(
    left: "Table", right: "Table", on: Sequence[str], alone: Indices, unused: int, *, inner: bool
) -> Iterator[Note]:
    other = repr(right.name) if right.name else "the other table"
    if len(alone):
        yield note(
            "unmatched rows left out" if inner else "unmatched rows",
            other=other,
            alone=f"{len(alone):,}",
            rows=f"{len(left):,}",
            row=alone[0],
            key=_key(left, on, int(alone[0])),
        )
    if unused:
        yield note("unused rows", other=other, unused=f"{unused:,}", rows=f"{len(right):,}")
