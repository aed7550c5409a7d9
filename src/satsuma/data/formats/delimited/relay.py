"""Relay: blocks of text read by threads, each into its place in the columns of the whole."""

import os
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from satsuma.data.formats.delimited.text_blocks import Blocks
from satsuma.errors import ParameterError
from satsuma.kernels.csv import SKIP, SYM, TIME, Dialect, Piece, most_rows, scan
from satsuma.kernels.threads import helper_threads
from satsuma.numerics.arrays import Array

#: How many symbols of a column a block is told of beforehand.
KNOWN = 1024

#: How many threads read unless somebody says otherwise.
_CORES = min(8, os.cpu_count() or 1)

#: Bytes of a huge page.
_HUGE = 1 << 21


Scanned = tuple[memoryview, Piece]


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: as many as asked for, or as there are cores, but not over 8."""
    if threads is not None and threads < 1:
        raise ParameterError(f"The 'threads' parameter must be at least 1. Got {threads} instead.")
    return threads or _CORES


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

    def scan(self, block: memoryview, lines: int, dialect: Dialect, keep_bad: bool) -> Piece:
        """Read the one block of a text into its place, which is still to be taken."""
        rows = most_rows(lines, len(block) + 1, dialect.width)  # it may lack its line end
        self.make_room(rows, rows)
        return scan(block, dialect, self.kinds, keep_bad, known=self.known, out=self.reserve(rows))

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

    def column(self, j: int) -> Array:
        """The column that has come together: numbers, or codes."""
        array = self._arrays[j]
        assert array is not None
        array = self._arrays[j] = _trimmed(array, self.rows)
        return array

    def values(self, j: int) -> Mapping[str, int]:
        """What the codes of a column stand for, in order."""
        return self._codes[j]


def _empty(kind: int, rows: int) -> Array:
    """An array that starts at a huge page: taken in small ones, it costs more than reading text.

    What is left before it and behind its last row is not touched and takes no memory.
    """
    dtype = np.dtype(np.int32 if kind == SYM else np.int64 if kind == TIME else np.float64)
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


@dataclass
class _Task:
    """A block, its number, and where its rows go."""

    number: int
    block: memoryview
    out: list[Array | None]


class Relay:
    """Blocks that are dealt to whoever is free, and given back as pieces in their order.

    The thread that fetched a block scans it: it is still in that core's cache then.

    Parameters
    ----------
    blocks
        What to read.
    dialect
        How to read it.
    assembly
        Where to; it has taken each piece before the next is asked for.
    keep_bad
        Whether to go on behind a bad row.
    threads
        How many; for each, two blocks may wait, so that memory stays bounded.
    """

    def __init__(
        self,
        blocks: Blocks,
        dialect: Dialect,
        assembly: Assembly,
        *,
        keep_bad: bool,
        threads: int,
    ) -> None:
        self._dialect, self._assembly, self._keep_bad = dialect, assembly, keep_bad
        self._total, self._ahead = blocks.total, 2 * threads
        self._blocks = blocks.rest(dialect.delimiter, dialect.quote, self._ahead)
        small = self._total is not None and self._total <= 2 * blocks.size
        self._helpers = 0 if small else threads - 1
        self._changed = threading.Condition()
        self._dealt = self._taken = self._seen = self._rows = 0
        self._fetched: tuple[memoryview, int] | None = None  # and the most rows it can have
        self._done: dict[int, Scanned | BaseException] = {}
        self._ended = False

    def scanned(self) -> Iterator[Scanned]:
        """Each block with what it holds, read into the place that the assembly has for it."""
        try:
            with helper_threads(self._help, self._helpers):
                try:
                    yield from self._in_order()
                finally:  # before the helpers are waited for
                    self._stop()
        finally:  # an interrupt may have come before all of them had begun
            self._stop()

    def _in_order(self) -> Iterator[Scanned]:
        while not self._ended or self._taken < self._dealt:
            yield from self._ready()
            if task := self._deal():
                self._work(task)
            else:
                self._wait_or_make_room()

    def _stop(self) -> None:
        with self._changed:
            self._end()

    def _ready(self) -> Iterator[Scanned]:
        while (found := self._done.pop(self._taken, None)) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found
            with self._changed:
                self._taken += 1
                self._changed.notify_all()

    def _wait_or_make_room(self) -> None:
        """Wait for the next piece; when all are taken, what is missing is room."""
        with self._changed:
            if self._taken < self._dealt:
                self._changed.wait_for(lambda: self._taken in self._done)
            elif self._fetched is not None:
                rows, seen = self._fetched[1], self._seen
                expected = 1.02 * self._rows * (self._total or 2 * seen) / seen
                self._assembly.make_room(rows, int(expected))
                self._changed.notify_all()

    def _help(self) -> None:
        while not self._ended:
            if task := self._deal():
                self._work(task)
                continue
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._may_deal())

    def _may_deal(self) -> bool:
        if self._dealt - self._taken > self._ahead:
            return False
        return self._fetched is None or self._assembly.has_room(self._fetched[1])

    def _deal(self) -> _Task | None:
        """The next block and its place; None where there is none now."""
        with self._changed:
            if self._ended or not self._may_deal():
                return None
            try:
                self._fetched = self._fetched or self._fetch()
            except BaseException as error:  # noqa: BLE001 - raised when it is its turn
                self._done[self._dealt] = error
                self._dealt += 1
                self._end()
                return None
            if self._fetched is None:
                self._end()
                return None
            block, rows = self._fetched
            if not self._assembly.has_room(rows):
                return None
            self._fetched = None
            self._dealt += 1
            return _Task(self._dealt - 1, block, self._assembly.reserve(rows))

    def _end(self) -> None:
        self._ended = True
        self._changed.notify_all()

    def _fetch(self) -> tuple[memoryview, int] | None:
        """The next block, and how many rows it can have."""
        found = next(self._blocks, None)
        if found is None:
            return None
        block, lines = found
        rows = most_rows(lines, len(block) + 1, self._dialect.width)  # it may lack its line end
        self._seen, self._rows = self._seen + len(block), self._rows + rows
        return block, rows

    def _work(self, task: _Task) -> None:
        found: Scanned | BaseException
        try:
            assembly = self._assembly
            piece = scan(
                task.block,
                self._dialect,
                assembly.kinds,
                self._keep_bad,
                known=assembly.known,
                out=task.out,
            )
            found = task.block, piece
        except BaseException as error:  # noqa: BLE001 - raised when it is its turn
            found = error
        with self._changed:
            self._done[task.number] = found
            self._changed.notify_all()
