"""Assembly: the pieces that blocks of text were read into, put together as columns."""

import re
from collections import deque
from collections.abc import Collection, Sequence
from itertools import islice
from typing import cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, are_long, is_text
from satsuma.data.formats.delimited.header import Head
from satsuma.data.variable import Kind, Role, Variable
from satsuma.kernels.csv import DIALLED, DIGITS, SKIP, SYM, Piece

#: How many symbols of a column a block is told of beforehand.
KNOWN = 1024

#: Bytes of a huge page.
_HUGE = 1 << 21

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d+(,\d+)?", re.ASCII)
_ALMOST = "looks like numbers with {} and was kept as symbols. Pass {}=',' to read numbers."
_SIGNED = re.compile(r"[ \t]*[+-]?\d+(\.\d*)?[ \t]*", re.ASCII)


class Assembly:
    """Columns that blocks of text are read into, each behind the one before.

    Symbols are unified by value, in the order of their first appearance, so that the result does
    not depend on where the text was cut.

    Parameters
    ----------
    heads
        What the header says about each column.
    kinds
        What each column is read as.
    seen
        Symbols of each column in the order of their first appearance, as far as the first rows
        tell. Blocks in which no others appear are taken as they are.
    """

    def __init__(
        self,
        heads: Sequence[Head],
        kinds: npt.NDArray[np.int8],
        seen: Sequence[Sequence[str]],
    ) -> None:
        self.heads, self.kinds = heads, kinds
        self.rows = 0
        self._reserved = self._room = 0
        self._starts: deque[int] = deque()
        self._arrays = [None if kind == SKIP else _empty(kind, 0) for kind in kinds]
        self._codes = [
            {value: code for code, value in enumerate(dict.fromkeys((*head.values, *values)))}
            for head, values in zip(heads, seen, strict=True)
        ]
        self.known = [list(codes)[:KNOWN] for codes in self._codes]

    def has_room(self, rows: int) -> bool:
        """Whether as many rows more can be reserved."""
        return self._reserved + rows <= self._room

    def make_room(self, rows: int, expected: int) -> None:
        """Make room for more rows, or for as many as are expected; nobody may be writing."""
        self._reserved = self.rows
        self._room = max(self._reserved + rows, expected)
        for j, old in enumerate(self._arrays):
            if old is not None:
                new = self._arrays[j] = _empty(self.kinds[j], self._room)
                new[: self.rows] = old[: self.rows]

    def reserve(self, rows: int) -> list[Array | None]:
        """Where the rows of the next block go: as many as it may have."""
        start, self._reserved = self._reserved, self._reserved + rows
        self._starts.append(start)
        return [array if array is None else array[start : start + rows] for array in self._arrays]

    def add(self, piece: Piece) -> None:
        """Take what was read into the rows that were reserved next."""
        start, stop = self._starts.popleft(), self.rows + piece.rows
        for j, part in enumerate(piece.columns):
            array = self._arrays[j]
            if part is None or array is None:
                continue
            if piece.values[j]:
                self._unify(j, part, piece.values[j])
            if start > self.rows:  # blocks before it had fewer rows than lines
                array[self.rows : stop] = part
        self.rows = stop
        piece.columns = []

    def _unify(self, j: int, part: Array, new: Sequence[str]) -> None:
        """Give symbols that were not known the codes that they have in the whole column."""
        codes, known = self._codes[j], len(self.known[j])
        table = np.arange(known + len(new) + 1, dtype=np.int32)
        table[-1] = -1  # where a code of -1 finds itself
        table[known:-1] = [codes.setdefault(value, len(codes)) for value in new]
        part[:] = table[part]

    def column(self, j: int) -> tuple[Variable, Array, list[str]]:
        """The variable and the column that have come together, and what is to be said of them."""
        head, array = self.heads[j], self._arrays[j]
        assert array is not None
        array = self._arrays[j] = _trimmed(array, self.rows)
        if self.kinds[j] != SYM:
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
        return notes if head.values or not head.doubtful else notes + spelling_notes(head, values)


def spelling_notes(head: Head | Variable, values: Collection[str]) -> list[str]:
    """What is to be said of symbols that are almost numbers, by how they are spelled."""
    sample = list(islice(values, 1000))
    told = ""
    if not sample:
        pass
    elif all(map(_GROUPED.fullmatch, sample)):
        told = _ALMOST.format("separators of thousands", "thousands")
    elif all(map(_DECIMAL.fullmatch, sample)) and any("," in value for value in sample):
        told = _ALMOST.format("decimal commas", "decimal")
    elif all(map(_SIGNED.fullmatch, sample)) and any(
        "+" in v and DIALLED.fullmatch(v.strip()) for v in values
    ):
        told = (
            f"holds numbers with a plus and {DIGITS} or more digits and was kept as symbols, so "
            f"that no plus is lost. Pass kinds={{{head.name!r}: 'num'}} to read numbers."
        )
    return [f"Column {head.name!r} {told}"] if told else []


def _empty(kind: int, rows: int) -> Array:
    """An array that starts at a huge page: taken in small ones, it costs more than reading text.

    What is left before it and behind its last row is not touched and takes no memory.
    """
    dtype = np.dtype(np.int32 if kind == SYM else np.float64)
    size = rows * dtype.itemsize
    if size < _HUGE:
        return np.empty(rows, dtype)
    memory = np.empty(size + _HUGE, np.uint8)
    start = -memory.ctypes.data % _HUGE
    return memory[start : start + size].view(dtype)


def _trimmed(array: Array, rows: int) -> Array:
    """The first rows of an array of ours; the room behind them is given back, without a copy."""
    if array.base is None:
        array.resize(rows, refcheck=False)
        return array
    memory, dtype = cast("npt.NDArray[np.uint8]", array.base), array.dtype
    start = array.ctypes.data - memory.ctypes.data
    memory.resize(start + rows * dtype.itemsize, refcheck=False)
    return memory[start:].view(dtype)


def _reads_as_text(head: Head, values: list[str], codes: Array) -> bool:
    if head.kind == "text":
        return True
    # A header that says "symbol" for certain is believed.
    if not head.doubtful or not are_long(values):  # before all codes are looked at
        return False
    return is_text(values, int(np.count_nonzero(codes >= 0)))
