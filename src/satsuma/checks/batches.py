"""Batches: a table that is reduced piece by piece, as one larger than memory would be."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from typing import Any, Literal

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError

#: In which order the tallies of batches are added up.
Merge = Literal["left", "right", "pairs", "backwards"]


class Batches:
    """A source in memory: a table in batches, each of them tallied by itself.

    Parameters
    ----------
    table
        The rows.
    size
        Rows in a batch.
    merge
        How the tallies are added up: from the left, from the right, in pairs, or backwards.
    threads
        How many batches are tallied at a time. The merge has the same order all the same.

    Examples
    --------
    >>> days = Table.of([(30, "no"), (20, "yes"), (10, "yes")], ["heat", "play"])
    >>> [len(batch) for batch in Batches(days, size=2).batches]
    [2, 1]
    >>> Batches(days, size=2).reduce(len)
    3
    """

    def __init__(
        self, table: Table, *, size: int = 7, merge: Merge = "left", threads: int = 1
    ) -> None:
        if size < 1:
            raise DomainError(f"A batch must have at least one row. Got {size} instead.")
        self.batches: Sequence[Table] = [
            table[start : start + size] for start in range(0, len(table), size)
        ] or [table]
        self.merge: Merge = merge
        self.threads = threads
        self._domain = table.domain

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        return self._domain

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, added up in the order that was asked for."""
        if self.threads == 1:
            return merge_tallies([tally(batch) for batch in self.batches], self.merge)
        with ThreadPoolExecutor(self.threads) as pool:
            return merge_tallies(list(pool.map(tally, self.batches)), self.merge)


def merge_tallies(parts: list[Any], merge: Merge) -> Any:
    """Parts added up in one of several orders.

    Examples
    --------
    >>> [merge_tallies(["a", "b", "c"], merge) for merge in ("left", "right", "pairs", "backwards")]
    ['abc', 'abc', 'abc', 'cba']
    """
    if merge == "backwards":
        return reduce(add, reversed(parts))
    if merge == "right":
        return reduce(lambda later, earlier: earlier + later, reversed(parts))
    while merge == "pairs" and len(parts) > 1:
        parts = [reduce(add, parts[at : at + 2]) for at in range(0, len(parts), 2)]
    return reduce(add, parts)
