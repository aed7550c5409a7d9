"""A thread pool for the parts of a source: results come in the order of the parts."""

import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from satsuma.data.parts import Part
from satsuma.engines.merge_tree import total
from satsuma.kernels.threads import thread_limit

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


def map_ordered(
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
    >>> list(map_ordered(lambda item, stop: item * item, [3, 1, 2], threads=2))
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


@dataclass(frozen=True)
class Item:
    """A part to be worked on, and what is known of it. It can be sent anywhere: it holds no rows.

    Parameters
    ----------
    at
        Its number.
    part
        Where the rows are.
    first, end
        The numbers of its first row, and of the row behind its last one.
    lines
        Lines of the file that are before it.
    """

    at: int
    part: Part
    first: int = 0
    end: int = 0
    lines: int = 0


#: What is done with a part. It must be the same whenever and wherever it is done.
Work = Callable[[Item, Stop], Any]


class WorkerPool(Protocol):
    """Whoever works on parts: threads here, or workers elsewhere."""

    def total(self, work: Work, items: Sequence[Item], progress: Progress | None) -> Any:
        """What comes of the items, added up as `MergeTree` has it; None where nothing comes."""
        ...


@dataclass(frozen=True)
class ThreadPool:
    """ThreadPool of this process."""

    threads: int

    def total(self, work: Work, items: Sequence[Item], progress: Progress | None) -> Any:
        """What comes of the items, added up."""
        with closing(map_ordered(single_threaded(work), items, self.threads, progress)) as results:
            return total(results)


def single_threaded(work: Work) -> Work:
    """The same work by one thread: others are at work on other parts."""

    def limiting(item: Item, stop: Stop) -> Any:
        with thread_limit(1):
            return work(item, stop)

    return limiting
