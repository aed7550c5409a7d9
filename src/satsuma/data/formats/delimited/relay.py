"""Relay: blocks of text read by threads, given back in their order."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from satsuma.data.formats.delimited.assembly import Assembly
from satsuma.data.formats.delimited.text_blocks import Block
from satsuma.errors import ParameterError
from satsuma.kernels.csv import Dialect, Piece, most_rows, scan
from satsuma.kernels.threads import helper_threads
from satsuma.numerics.arrays import Array

Scanned = tuple[memoryview, Piece]


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: as many as asked for, or as there are cores, but not over 8."""
    if threads is not None and threads < 1:
        raise ParameterError(f"The 'threads' parameter must be at least 1. Got {threads} instead.")
    return threads or min(8, os.cpu_count() or 1)


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
        What to read; the memory of one is used again after `ahead` more.
    dialect
        How to read it.
    assembly
        Where to; it has taken each piece before the next is asked for.
    total
        How many bytes all blocks together have, where that is known.
    keep_bad
        Whether to go on behind a bad row.
    ahead
        How many blocks may wait, so that memory stays bounded.
    """

    def __init__(
        self,
        blocks: Iterator[Block],
        dialect: Dialect,
        assembly: Assembly,
        *,
        total: int | None,
        keep_bad: bool,
        ahead: int,
    ) -> None:
        self._blocks, self._dialect, self._assembly = blocks, dialect, assembly
        self._total, self._keep_bad, self._ahead = total, keep_bad, ahead
        self._changed = threading.Condition()
        self._dealt = self._taken = self._seen = self._rows = 0
        self._fetched: tuple[memoryview, int] | None = None  # and the most rows it can have
        self._done: dict[int, Scanned | BaseException] = {}
        self._ended = False

    def scanned(self, helpers: int) -> Iterator[Scanned]:
        """Each block with what it holds, read into the place that the assembly has for it."""
        try:
            with helper_threads(self._help, helpers):
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
