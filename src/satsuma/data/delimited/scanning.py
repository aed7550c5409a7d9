"""Scanning: blocks of text read by threads, given back in their order."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future

import numpy as np
import numpy.typing as npt

from satsuma.kernels.csv import Dialect, Piece, scan

Scanned = tuple[memoryview, Piece]


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: as many as asked for, or as there are cores, but not over 8."""
    return threads or min(8, os.cpu_count() or 1)


def scanned(
    blocks: Iterable[memoryview],
    dialect: Dialect,
    kinds: npt.NDArray[np.int8],
    *,
    keep_bad: bool,
    pool: Executor | None,
    ahead: int,
) -> Iterator[Scanned]:
    """Each block with what it holds; at most `ahead` blocks wait, so memory stays bounded."""
    if pool is None:
        for block in blocks:
            yield block, scan(block, dialect, kinds, keep_bad)
        return
    waiting: deque[tuple[memoryview, Future[Piece]]] = deque()
    for block in blocks:
        waiting.append((block, pool.submit(scan, block, dialect, kinds, keep_bad)))
        if len(waiting) > ahead:
            yield _next(waiting)
    while waiting:
        yield _next(waiting)


def _next(waiting: "deque[tuple[memoryview, Future[Piece]]]") -> Scanned:
    block, piece = waiting.popleft()
    return block, piece.result()
