"""Row keys: rows known by what is in them, or by a key column, wherever they stand in the file."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from satsuma.app.store.events import Event, to_json, undone_ids
from satsuma.app.store.row_hashes import row_hashes
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.numerics.arrays import Hashes, Indices

#: What a key begins with that is of the key column alone.
_BY_COLUMN = "k"


class RowKeys:
    """A key for each row, made of its cells: the order of rows and of columns does not matter.

    Rows that are the same in every cell are numbered, those first that are still to be filled in.
    Their keys end in their number, how many such rows there are, and how many are to be filled in:
    if these counts change, nobody can say any more which row was meant. If a key column is named,
    rows are known by it alone, and their other cells may change.

    Parameters
    ----------
    table
        The rows.
    filled
        Columns that do not count: those that are to be filled in.
    column
        The key column, if there is one: no cell of it may be missing or be there twice.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b"), (1, "a")], ["x", "y"])
    >>> keys = RowKeys(table)
    >>> keys.find(keys[1]), keys.find(keys[2]), keys[2].endswith("-1-2-2")
    (1, 2, True)
    >>> RowKeys(table.select(["y", "x"]))[1] == keys[1], keys.find("0" * 32)
    (True, None)
    >>> [rows.tolist() for rows in keys.equal_rows]
    [[0, 2]]
    """

    def __init__(
        self, table: Table, filled: tuple[str, ...] = (), column: str | None = None
    ) -> None:
        self.column = column
        content = table.select([name for name in table.domain.names if name not in filled])
        open_rows = np.zeros(len(table), np.bool_)
        for name in filled:
            open_rows |= table.missing(name)
        self._content = _Index(content, open_rows if filled else ~open_rows)
        self._named = None if column is None else _named_index(table, column, filled)

    def __getitem__(self, row: int) -> str:
        """The key of a row."""
        if self._named is not None:
            return _BY_COLUMN + self._named.spelled(row)
        equal = self._content.rows_of(self.content(row))
        return self._content_key(row, equal, int(np.flatnonzero(equal == row)[0]))

    def content(self, row: int) -> str:
        """The hash of all that is in a row."""
        return self._content.spelled(row)

    def find(self, key: str) -> int | None:
        """The row of a key; None if there is no such row (any more), or nobody can say which."""
        if key.startswith(_BY_COLUMN):
            if self._named is None:
                return None
            named = self._named.rows_of(key[1:])
            return int(named[0]) if len(named) else None
        rows, at = self._content.rows_of(key[:32]), _Position.of(key).at
        if at >= len(rows):
            return None
        row = int(rows[at])
        return row if key == self._content_key(row, rows, at) else None

    def _content_key(self, row: int, equal: Indices, at: int) -> str:
        if len(equal) == 1:
            return self.content(row)
        unfilled = int(self._content.open_rows[equal].sum())
        return f"{self.content(row)}-{at}-{len(equal)}-{unfilled}"

    def rows_like(self, key: str) -> tuple[Indices, int]:
        """The rows with the content of a key, in order, and how many are to be filled in."""
        rows = self._content.rows_of("" if key.startswith(_BY_COLUMN) else key[:32])
        return rows, int(self._content.open_rows[rows].sum())

    @cached_property
    def equal_rows(self) -> list[Indices]:
        """Groups of rows that are the same in every column, if no key column tells them apart."""
        return [] if self._named is not None else list(self._content.groups())


class _Position(NamedTuple):
    """Which of the rows of the same content a key means, and how many there were."""

    at: int
    rows: int
    unfilled: int

    @classmethod
    def of(cls, key: str) -> "_Position":
        """The position in a key; a row without its like is the only one."""
        found = [int(each) for each in key.split("-")[1:] if each.isdecimal()]
        return cls(*found) if len(found) == len(cls._fields) else cls(0, 1, 1)


class RowMatches:
    """Which row of the file each event belongs to, as the file is now.

    Rows are found by their keys or, where equal rows have become fewer, as far as is certain.

    Of rows that are the same in every column, nobody can say which one was taken out. If all their
    labels agree, as many stay as must be among the rows that are left; otherwise, and if there
    are more such rows than before, they are set aside.

    Parameters
    ----------
    keys
        Of the file as it is now.
    events
        All of the log.
    """

    def __init__(self, keys: RowKeys, events: Iterable[Event] = ()) -> None:
        self._keys = keys
        self._moved: dict[str, int] = {}
        groups: defaultdict[str, list[Event]] = defaultdict(list)
        for event in events:
            if self.ambiguous(event.row):
                groups[event.row[:32]].append(event)
        for group in groups.values():
            self._moved.update(self._kept(group))

    def ambiguous(self, key: str) -> bool:
        """Whether a key means one of some equal rows, whose number is not what it was."""
        return self._keys.find(key) is None and len(self._keys.rows_like(key)[0]) > 0

    def find(self, key: str) -> int | None:
        """The row of a key; None if it is not there, or nobody can say which one it is."""
        row = self._keys.find(key)
        return self._moved.get(key) if row is None else row

    def _kept(self, group: list[Event]) -> dict[str, int]:
        """The rows for keys of one content, which were not as many as they are now."""
        rows, unfilled = self._keys.rows_like(group[0].row)
        before = [_Position.of(event.row) for event in group]
        if len({position[1:] for position in before}) > 1:
            return {}  # the rows have become more or fewer more than once
        _, count, open_before = before[0]
        if len(rows) > count or unfilled > open_before or not _agree(group):
            return {}
        labelled = dict.fromkeys(event.row for event in _in_force(group) if event.what == "label")
        certain = len(labelled) - (open_before - unfilled)
        return dict(zip(list(labelled)[: max(certain, 0)], rows[:unfilled].tolist(), strict=False))


def _in_force(events: list[Event]) -> list[Event]:
    """Answers that were not undone; the latest of each person about each row."""
    undone = undone_ids(events)
    answers = (e for e in events if e.what in ("label", "unsure") and e.id not in undone)
    return list({(event.who, event.row): event for event in answers}.values())


def _agree(events: list[Event]) -> bool:
    return len({to_json(e.value) for e in _in_force(events) if e.what == "label"}) <= 1


def _named_index(table: Table, column: str, filled: tuple[str, ...]) -> "_Index":
    variable = table.domain[column]
    if column in filled:
        raise DomainError(f"Column {column!r} is to be filled in, so it cannot be the key.")
    missing = np.flatnonzero(table.missing(column))
    if len(missing):
        raise DomainError(
            f"Column {column!r} cannot be the key: it is empty in {row_list(missing)}. Fill it in, "
            f"or name another column with key=."
        )
    index = _Index(table.select([variable.name]), np.ones(len(table), np.bool_))
    for rows in index.groups():
        cell = table.cell(int(rows[0]), column)
        raise DomainError(
            f"Column {column!r} cannot be the key: it is {cell!r} in {row_list(rows)}. Make its "
            f"values unique, or name another column with key=."
        )
    return index


def row_list(rows: Indices, most: int = 8) -> str:
    """Rows in words, counted from 1.

    Examples
    --------
    >>> row_list(np.array([2, 16, 17])), row_list(np.array([4]))
    ('rows 3, 17 and 18', 'row 5')
    """
    names = [f"{row + 1:,}" for row in np.sort(rows)[:most].tolist()]
    if len(rows) > most:
        names.append(f"{len(rows) - most:,} more")
    if len(names) == 1:
        return f"row {names[0]}"
    return f"rows {', '.join(names[:-1])} and {names[-1]}"


class _Index:
    """Rows by their hash; rows of equal hashes are compared, and must be equal.

    Parameters
    ----------
    table
        The columns that count.
    open_rows
        Rows that come first among equals.
    """

    def __init__(self, table: Table, open_rows: npt.NDArray[np.bool_]) -> None:
        self.open_rows = open_rows
        self._hashes: Hashes = row_hashes(table)
        self._order = _sorted_rows(self._hashes, open_rows)
        self._sorted = self._hashes[:, self._order]
        self._same = (self._sorted[:, 1:] == self._sorted[:, :-1]).all(axis=0)
        at = np.flatnonzero(self._same)
        _check_equal(table, self._order[at], self._order[at + 1])

    def spelled(self, row: int) -> str:
        """The hash of a row."""
        a, b = self._hashes[:, row].tolist()
        return f"{a:016x}{b:016x}"

    def rows_of(self, spelled: str) -> Indices:
        """The rows of a hash, in order."""
        try:
            wanted = np.uint64(int(spelled[:16], 16)), np.uint64(int(spelled[16:], 16))
        except (ValueError, OverflowError):
            return np.zeros(0, np.intp)
        start, stop = 0, len(self._order)
        for lane, each in zip(self._sorted, wanted, strict=True):
            ends = [cast("Any", np.searchsorted)(lane[start:stop], each, side)
                    for side in ("left", "right")]  # fmt: skip
            start, stop = start + int(ends[0]), start + int(ends[1])
        return self._order[start:stop]

    def groups(self) -> Iterator[Indices]:
        """Rows that are equal to others, group by group, by where the first of them stands."""
        edges = np.flatnonzero(np.diff(np.concatenate([[False], self._same, [False]]).astype(int)))
        found = [self._order[a : b + 1] for a, b in edges.reshape(-1, 2).tolist()]
        yield from sorted((np.sort(rows) for rows in found), key=lambda rows: int(rows[0]))


def _sorted_rows(hashes: Hashes, open_rows: npt.NDArray[np.bool_]) -> Indices:
    """Rows by both lanes, then open ones first; nearly always the first lane decides."""
    first, second = hashes
    order = np.argsort(first, kind="stable")
    same = np.concatenate([[False], first[order[1:]] == first[order[:-1]], [False]])
    at = np.flatnonzero(same[1:] | same[:-1])
    tied = order[at]
    order[at] = tied[np.lexsort((~open_rows[tied], second[tied], first[tied]))]
    return order


def _check_equal(table: Table, ones: Indices, others: Indices) -> None:
    """Rows of the same hash that differ are a collision, which is never passed over."""
    for variable, column in zip(table.domain, table.columns, strict=True):
        a, b = column[ones], column[others]
        differ = np.asarray(a != b)
        if variable.kind in ("num", "time"):
            differ &= ~((a != a) & (b != b))  # noqa: PLR0124 - what is missing differs from itself
        if differ.any():
            at = int(np.flatnonzero(differ)[0])
            raise DomainError(
                f"Rows {ones[at] + 1:,} and {others[at] + 1:,} differ, and yet have the same hash, "
                f"so they cannot be told apart by what is in them. Name a key column with key=."
            )
