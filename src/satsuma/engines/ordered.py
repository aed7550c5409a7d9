"""Ordered: work done by threads, its results taken in the order in which it was given out."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: Told how many parts are done, and how many there are.
Progress = Callable[[int, int], object]


def unheard(done: int, parts: int) -> None:
    """The progress that nobody wants to hear of."""
    del done, parts


class Stop(threading.Event):
    """Whether work is to be given up."""

    def check(self) -> None:
        """Raise if it is; to be called every now and then."""
        if self.is_set():
            raise Stopped


class Stopped(Exception):
    """Work was given up because its result is not wanted any more."""


def ordered(
    work: Callable[[T, Stop], R],
    items: Sequence[T],
    threads: int,
    progress: Progress | None = None,
) -> Generator[R]:
    """What `work` makes of each item, in their order; a few are worked on ahead.

    When the results are not wanted any more, be it for an error, an interrupt or because enough
    were taken, work that has begun is told to stop, and is waited for.

    Examples
    --------
    >>> list(ordered(lambda item, stop: item * item, [3, 1, 2], threads=2))
    [9, 1, 4]
    """
    stop, done = Stop(), 0
    if progress is not None:
        progress(0, len(items))
    with _working(work, items, threads, stop) as results:
        for result in results:
            yield result
            done += 1
            if progress is not None:
                progress(done, len(items))


@contextmanager
def _working(
    work: Callable[[T, Stop], R], items: Sequence[T], threads: int, stop: Stop
) -> Generator[Generator[R]]:
    if threads == 1 or len(items) == 1:
        yield (work(item, stop) for item in items)
        return
    pool = ThreadPoolExecutor(threads, "satsuma-scan")
    try:
        yield _taken(pool, work, items, threads, stop)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _taken(
    pool: ThreadPoolExecutor,
    work: Callable[[T, Stop], R],
    items: Sequence[T],
    threads: int,
    stop: Stop,
) -> Generator[R]:
    waiting: deque[Future[R]] = deque()
    for item in items:
        waiting.append(pool.submit(work, item, stop))
        if len(waiting) > 2 * threads:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
