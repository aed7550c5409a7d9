"""Keys: rows known by what is in them, wherever they stand in the file."""

from hashlib import blake2b
from math import isfinite
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array
from satsuma.data.table import Table
from satsuma.data.variable import Variable

Hashes = npt.NDArray[np.uint64]


class Keys:
    """A key for each row, made of its cells: the order of rows and of columns does not matter.

    Rows that are the same in every cell are told apart by counting: the first, the second of them.
    A missing cell adds nothing, so that a column which is empty may come and go. A symbol that
    spells a number is that number, whatever kind the column was taken for.

    Parameters
    ----------
    table
        The rows.
    without
        Columns that do not count: those that are to be filled in.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b"), (1, "a")], ["x", "y"])
    >>> keys = Keys(table)
    >>> keys.find(keys[1]), keys.find(keys[2]), keys[2] == keys[0] + "-1"
    (1, 2, True)
    >>> Keys(table.select(["y", "x"]))[1] == keys[1], keys.find("0" * 32)
    (True, None)
    """

    def __init__(self, table: Table, without: tuple[str, ...] = ()) -> None:
        self._hashes = np.zeros((2, len(table)), np.uint64)
        for variable, column in zip(table.domain, table.columns, strict=True):
            if variable.name in without:
                continue
            name = _of_string(variable.name)
            for lane, cells in enumerate(_of_column(variable, column)):
                # Sums of well mixed numbers: no column comes first.
                some = _mixed(cells ^ name[lane])
                self._hashes[lane] += np.where(table.missing(variable.name), np.uint64(0), some)
        self._order = np.argsort(self._hashes[0], kind="stable")
        self._sorted = self._hashes[0][self._order]
        # Which of its equals each row is; nearly always the first and only one.
        first = cast("Any", np.searchsorted)(self._sorted, self._sorted)
        self._count = np.zeros(len(table), np.int64)
        self._count[self._order] = np.arange(len(table)) - first

    def __len__(self) -> int:
        return len(self._count)

    def __getitem__(self, row: int) -> str:
        """The key of a row."""
        a, b = (int(each) for each in self._hashes[:, row])
        count = int(self._count[row])
        return f"{a:016x}{b:016x}" + (f"-{count}" if count else "")

    def find(self, key: str) -> int | None:
        """The row of a key; None if there is no such row (any more)."""
        wanted, _, count = key.partition("-")
        try:
            first = np.searchsorted(self._sorted, np.uint64(int(wanted[:16], 16)))
            at = int(first) + int(count or 0)
        except (ValueError, OverflowError):
            return None
        if not 0 <= at < len(self._order):
            return None
        row = int(self._order[at])
        return row if self[row] == key else None


def _of_column(variable: Variable, column: Array) -> Hashes:
    """(2, rows): two numbers for each cell."""
    if variable.kind == "num":
        return _of_numbers(column)
    if variable.kind == "text":
        made = [(0, 0) if cell is None else _of_string(cell) for cell in column.tolist()]
        return np.array(made, np.uint64).reshape(-1, 2).T
    values = [*map(_of_string, variable.values), (0, 0)]
    return np.array(values, np.uint64)[column].T


def _of_numbers(numbers: Any) -> Hashes:
    # Adding 0 makes one of the two zeros.
    bits = np.ascontiguousarray(numbers + 0.0, np.float64).view(np.uint64)
    return np.stack([bits, _mixed(bits)])


def _of_string(text: str) -> tuple[int, int]:
    try:
        number = float(text)
    except ValueError:
        number = float("inf")
    if isfinite(number):
        a, b = _of_numbers(np.array([number]))[:, 0].tolist()
        return a, b
    made = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(made[:8], "little"), int.from_bytes(made[8:], "little")


def _mixed(x: Hashes) -> Hashes:
    """Every bit moves about half of the others (splitmix64: Steele, Lea and Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
