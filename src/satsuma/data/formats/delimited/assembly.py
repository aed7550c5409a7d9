"""Assembly: the pieces that blocks of text were read into, put together as columns."""

from collections import deque
from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import TEXT_LENGTH
from satsuma.data.profile import Words
from satsuma.data.variable import Kind
from satsuma.kernels.csv import SKIP, SYM, Piece
from satsuma.numerics.arrays import Array

#: How many symbols of a column a block is told of beforehand.
KNOWN = 1024

#: Bytes of a huge page.
_HUGE = 1 << 21


class Assembly:
    """Columns that blocks of text are read into, each behind the one before.

    Symbols are unified by value, in the order of their first appearance, so that the result does
    not depend on where the text was cut.

    Parameters
    ----------
    kinds
        What each column is read as.
    seen
        Symbols of each column in the order of their first appearance, as far as the first rows
        tell. Blocks in which no others appear are taken as they are.
    """

    def __init__(self, kinds: npt.NDArray[np.int8], seen: Sequence[Sequence[str]]) -> None:
        self.kinds = kinds
        self.rows = 0
        self._reserved = self._room = 0
        self._starts: deque[int] = deque()
        self._arrays = [None if kind == SKIP else _empty(kind, 0) for kind in kinds]
        self._codes = [{value: code for code, value in enumerate(values)} for values in seen]
        self.known = [list(values[:KNOWN]) for values in seen]

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

    def column(self, j: int, kind: Kind) -> Array:
        """The column that has come together, as one of a kind."""
        array = self._arrays[j]
        assert array is not None
        array = self._arrays[j] = _trimmed(array, self.rows)
        if kind != "text":
            return array
        return np.array([*self._codes[j], None], object)[array]

    def words(self, j: int) -> Words:
        """The strings of a column. Where they are short, it is not counted how many cells know."""
        values, codes = self._codes[j], self._arrays[j]
        assert codes is not None
        size = sum(map(len, values))
        long = size > TEXT_LENGTH * len(values)
        known = int(np.count_nonzero(codes[: self.rows] >= 0)) if long else 0
        return Words(values, known, size)


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
