"""Threads over tiles of rows: the same tiles, and results in the same order, for any number."""

import os
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

S = TypeVar("S")
T = TypeVar("T")

#: Rows of a tile, unless a kernel wants another number.
TILE = 65_536

#: Fewer cells than this are done sooner than a thread is woken.
FEW_CELLS = 100_000

_limit: ContextVar[int | None] = ContextVar("threads", default=None)
_lock = threading.Lock()
_pools: "list[ThreadPoolExecutor]" = []

#: The limit on linear algebra while there is one, and a place for each block that wants it.
_limits: list[Any] = []
_blocks: list[None] = []


def available() -> int:
    """How many threads to use: as many as `thread_limit` says, else one for each processor.

    Examples
    --------
    >>> with thread_limit(1):
    ...     available()
    1
    """
    limit = _limit.get()
    if limit is not None:
        return limit
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def thread_limit(threads: int) -> Generator[None]:
    """Use no more than so many threads inside a ``with`` block.

    Examples
    --------
    >>> with thread_limit(2):
    ...     map_tiles(lambda lo, hi: hi - lo, 5, tile=2)
    [2, 2, 1]
    """
    token = _limit.set(max(1, threads))
    try:
        yield
    finally:
        _limit.reset(token)


def map_tiles(
    function: Callable[[int, int], T], n: int, tile: int = TILE, threads: int | None = None
) -> list[T]:
    """What `function` makes of each tile of rows, in the order of the rows.

    Tiles do not depend on the number of threads, so that an ordered merge of the results gives
    the same bits for any number. No rows make one empty tile.

    Parameters
    ----------
    function
        Takes the first row of a tile and the row behind its last.
    n
        The number of rows.
    tile
        Rows of a tile.
    threads
        How many threads; as many as are `available` unless said.

    Examples
    --------
    >>> map_tiles(lambda lo, hi: (lo, hi), 5, tile=2)
    [(0, 2), (2, 4), (4, 5)]
    """
    edges = [(lo, min(lo + tile, n)) for lo in range(0, n, tile)] or [(0, 0)]
    threads = min(available() if threads is None else threads, len(edges))
    if threads <= 1:
        return [function(lo, hi) for lo, hi in edges]
    return _Run(function, edges).with_help(threads - 1)


def map_tasks(function: Callable[[S], T], given: Iterable[S]) -> list[T]:
    """What `function` makes of each thing that is given, in order; each may go to another thread.

    What is done inside a task has the threads that are idle; under a `thread_limit`, tasks share
    those that they may have.

    Examples
    --------
    >>> map_tasks(str.upper, ["a", "b"])
    ['A', 'B']
    """
    tasks, limit = list(given), _limit.get()
    if not tasks:
        return []
    share = None if limit is None else max(1, limit // len(tasks))

    def run(at: int, _: int) -> T:
        token = _limit.set(share)  # a thread of the pool has not heard of the limit of its caller
        try:
            return function(tasks[at])
        finally:
            _limit.reset(token)

    return map_tiles(run, len(tasks), tile=1)


class _Run(Generic[T]):
    """Tiles that are dealt, one by one, to whoever asks for the next."""

    def __init__(self, function: Callable[[int, int], T], edges: list[tuple[int, int]]) -> None:
        self._function, self._edges = function, edges
        self._next = iter(range(len(edges)))
        self._deal = threading.Lock()
        self._results: dict[int, T] = {}
        self._errors: dict[int, BaseException] = {}

    def with_help(self, helpers: int) -> list[T]:
        """All results. The caller works too, so that no run ever waits for a busy pool."""
        with helper_threads(self._work, helpers):
            self._work()
        if self._errors:
            raise self._errors[min(self._errors)]
        return [self._results[at] for at in range(len(self._edges))]

    def _work(self) -> None:
        while True:
            with self._deal:
                at = next(self._next, None)
            if at is None or self._errors:
                return
            try:
                self._results[at] = self._function(*self._edges[at])
            except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
                self._errors[at] = error


@contextmanager
def single_blas_thread() -> Generator[None]:
    """Keep linear algebra to the thread that asks for it inside a ``with`` block.

    Where there are threads already, those that it would start by itself only wait for each other.

    Examples
    --------
    >>> with single_blas_thread():
    ...     available() >= 1
    True
    """
    with _lock:
        # The first to come sets the limit, for all of the process; the last to go lifts it.
        if not _blocks:
            _limits.append(_controller(len(sys.modules)).limit(limits=1, user_api="blas"))
        _blocks.append(None)
    try:
        yield
    finally:
        with _lock:
            _blocks.pop()
            if not _blocks:
                _limits.pop().restore_original_limits()


@lru_cache(maxsize=1)
def _controller(modules: int) -> Any:  # noqa: ARG001 - what is imported may bring a library
    """What sets the threads of linear algebra. To look for its libraries takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def helper_threads(work: Callable[[], None], helpers: int) -> Generator[None]:
    """Have threads do the same work beside a ``with`` block, as far as there are some to spare.

    The block is left when all have ended; one that has not begun by then never will.

    Examples
    --------
    >>> numbers, found = iter(range(4)), []
    >>> def work():
    ...     found.extend(numbers)
    >>> with helper_threads(work, 1):
    ...     work()
    >>> sorted(found)
    [0, 1, 2, 3]
    """
    helping = _submit(work, helpers) if helpers else []
    try:
        yield
    finally:
        for each in helping:
            if not each.cancel():
                each.result()


def _submit(work: Callable[[], None], helpers: int) -> "list[Future[None]]":
    from concurrent.futures import ThreadPoolExecutor  # once there is work for more than one

    with _lock:
        if not _pools:
            _pools.append(ThreadPoolExecutor(max(1, available()), "satsuma"))
        try:
            return [_pools[0].submit(work) for _ in range(helpers)]
        except BaseException:
            # An interrupt while a thread is started leaves one that the pool does not know of,
            # and that the interpreter would wait for when it ends: it ends with its pool.
            _pools.pop().shutdown(wait=False, cancel_futures=True)
            raise


# A forked process has none of the threads of its parent.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)
