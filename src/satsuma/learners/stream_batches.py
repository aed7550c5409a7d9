"""Batches of a stream: tables one after the other, in their order."""

from collections.abc import Iterable, Iterator
from typing import Any

from satsuma.data.parts import stacked
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import DomainError


def batches_of(data: Any, learner: str) -> Iterable[Table]:
    """Tables, one after the other: a table is one, a source has `batches`."""
    if isinstance(data, Table):
        return [data]
    found: Any = getattr(data, "batches", None if isinstance(data, Source) else data)
    if found is None:
        raise DomainError(
            f"{learner} goes over batches in their order, and this source has no `batches`. "
            f"Give it an iterable of tables."
        )
    each: Any = found() if callable(found) else found
    return (_table(one, learner) for one in each)


def _table(batch: Any, learner: str) -> Table:
    if not isinstance(batch, Table):
        raise DomainError(
            f"{learner} learns from tables, and one of the batches is a {type(batch).__name__}. "
            f"Make a table of it: satsuma.read(…)."
        )
    return batch


def recut(batches: Iterable[Table], size: int) -> Iterator[Table]:
    """The same rows, of the same columns, so many at a time; the last ones may be fewer.

    Examples
    --------
    >>> table = Table.of([(x,) for x in range(7)], ["x"], target=None)
    >>> [len(each) for each in recut([table[:5], table[5:]], 3)]
    [3, 3, 1]
    """
    waiting, held = list[Table](), 0
    for batch in batches:
        start = 0
        while held + len(batch) - start >= size:
            stop = start + size - held
            yield stacked([*waiting, batch[start:stop]], batch.domain)
            waiting, held, start = [], 0, stop
        if start < len(batch):
            waiting.append(batch[start:])
            held += len(batch) - start
    if waiting:
        yield stacked(waiting, waiting[0].domain)
