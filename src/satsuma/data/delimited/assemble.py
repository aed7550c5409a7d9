"""Assembly: the pieces that blocks of text were read into, put together as columns."""

import re
from collections.abc import Sequence
from concurrent.futures import Executor, Future

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, are_long, is_text
from satsuma.data.delimited.header import Head
from satsuma.data.variable import Kind, Role, Variable
from satsuma.kernels.csv import SKIP, SYM, Piece

_NO_LIMIT = 1 << 62
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)


class Assembly:
    """Columns that grow by a piece at a time.

    Symbols are unified by value, in the order of their first appearance, so that the result does
    not depend on where the text was cut.
    """

    def __init__(self, heads: Sequence[Head], kinds: npt.NDArray[np.int8]) -> None:
        self.heads = heads
        self.rows = 0
        self._codes = [{value: code for code, value in enumerate(h.values)} for h in heads]
        self._columns = [_Column(int(kind)) for kind in kinds]
        self._placing: list[Future[None]] = []

    def add(self, piece: Piece, expected: int, pool: Executor | None) -> None:
        """Take the columns of a piece; what was skipped or failed stays out.

        Parameters
        ----------
        piece
            What comes next in the text.
        expected
            How many rows all pieces together may have, to make room for them at once.
        pool
            Who does the copying; None to do it here.
        """
        start, self.rows = self.rows, self.rows + piece.rows
        if any(column.room < self.rows for column in self._columns):
            self.settle()
            for column in self._columns:
                column.make_room(start, max(self.rows, expected))
        tables = [
            np.array([*(codes.setdefault(v, len(codes)) for v in values), -1], np.int32)
            for codes, values in zip(self._codes, piece.values, strict=True)
        ]
        if pool is None:
            self._place(piece, tables, start)
        else:
            self._placing.append(pool.submit(self._place, piece, tables, start))

    def _place(self, piece: Piece, tables: list[npt.NDArray[np.int32]], start: int) -> None:
        for column, part, table in zip(self._columns, piece.columns, tables, strict=True):
            if part is None or column.kind == SKIP:
                continue
            place = column.array[start : start + piece.rows]
            if column.kind == SYM:
                np.take(table, part, out=place, mode="wrap")  # a code of -1 finds the end
            else:
                place[:] = part
        piece.columns = []

    def settle(self) -> None:
        """Wait until all that was taken stands in its place."""
        while self._placing:
            self._placing.pop().result()

    def column(self, j: int) -> tuple[Variable, Array, list[str]]:
        """The variable and the column that have come together, and what is to be said of them."""
        head, array = self.heads[j], self._columns[j].trimmed(self.rows)
        if self._columns[j].kind != SYM:
            return Variable(head.name, "num", (), head.role, head.goal), array, []
        values = list(self._codes[j])
        notes = self._notes(head, values)
        role: Role = "x" if head.role == "goal" else head.role
        kind: Kind = "text" if _reads_as_text(head, values, array) else "sym"
        if kind == "text":
            array = np.array([*values, None], object)[array]
        return Variable(head.name, kind, tuple(values) if kind == "sym" else (), role), array, notes

    @staticmethod
    def _notes(head: Head, values: list[str]) -> list[str]:
        notes: list[str] = []
        new = values[len(head.values) :]
        if head.values and new:
            notes.append(
                f"Column {head.name!r} holds {', '.join(map(repr, new[:3]))}"
                f"{' and others' if len(new) > 3 else ''}, which its header does not list; added."
            )
        if head.role == "goal":
            notes.append(
                f"Column {head.name!r} is a goal by its name but holds no numbers; read as no goal."
            )
        sample = values[:1000]
        if not head.values and sample and all(map(_GROUPED.fullmatch, sample)):
            notes.append(
                f"Column {head.name!r} looks like numbers with separators of thousands and was "
                f"kept as symbols. Pass thousands=',' to read numbers."
            )
        return notes


class _Column:
    """An array with room behind its end; the room costs nothing until it is written to."""

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.dtype = np.int32 if kind == SYM else np.float64
        self.room = 0 if kind != SKIP else _NO_LIMIT
        self.array: Array = np.empty(0, self.dtype)

    def make_room(self, filled: int, rows: int) -> None:
        if self.room < rows:
            old, self.room = self.array, max(rows, 2 * self.room)
            self.array = np.empty(self.room, self.dtype)
            self.array[:filled] = old[:filled]

    def trimmed(self, rows: int) -> Array:
        array, self.array = self.array, np.empty(0, self.dtype)
        if rows < self.room:
            array.resize(rows, refcheck=False)  # gives the room back, without a copy
        return array


def _reads_as_text(head: Head, values: list[str], codes: Array) -> bool:
    if head.kind == "text":
        return True
    # A header that says "symbol" for certain is believed.
    if not head.doubtful or not are_long(values):  # before all codes are looked at
        return False
    return is_text(values, int(np.count_nonzero(codes >= 0)))
