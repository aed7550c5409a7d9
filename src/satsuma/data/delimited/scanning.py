"""Scanning: blocks of text read by threads, given back in their order."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from functools import partial

from satsuma.data.delimited.assemble import Assembly
from satsuma.kernels.csv import Dialect, Piece, count_lines, scan

Scanned = tuple[memoryview, Piece]


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: as many as asked for, or as there are cores, but not over 8."""
    return threads or min(8, os.cpu_count() or 1)


def scanned(
    blocks: Iterable[memoryview],
    dialect: Dialect,
    assembly: Assembly,
    *,
    total: int | None,
    keep_bad: bool,
    pool: Executor | None,
    ahead: int,
) -> Iterator[Scanned]:
    """Each block with what it holds, read into the place that the assembly has for it.

    Parameters
    ----------
    blocks
        What to read.
    dialect
        How to read it.
    assembly
        Where to; it has taken each piece before the next is asked for.
    total
        How many bytes all blocks together have, where that is known.
    keep_bad
        Whether to go on behind a bad row.
    pool
        Who reads; None to read here.
    ahead
        How many blocks may wait, so that memory stays bounded.
    """
    waiting: deque[tuple[memoryview, Future[Piece]]] = deque()
    seen, lines = 0, 0
    for block in blocks:
        rows = count_lines(block)
        seen, lines = seen + len(block), lines + rows
        if not assembly.has_room(rows):
            while waiting:
                yield _next(waiting)
            assembly.make_room(rows, int(1.02 * lines * (total or 2 * seen) / seen))
        work = partial(
            scan,
            block,
            dialect,
            assembly.kinds,
            keep_bad,
            known=assembly.known,
            out=assembly.reserve(rows),
        )
        if pool is None:
            yield block, work()
            continue
        waiting.append((block, pool.submit(work)))
        if len(waiting) > ahead:
            yield _next(waiting)
    while waiting:
        yield _next(waiting)


def _next(waiting: "deque[tuple[memoryview, Future[Piece]]]") -> Scanned:
    block, piece = waiting.popleft()
    return block, piece.result()
