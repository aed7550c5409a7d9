"""Reducing: the tallies of all batches of a source, added up in a fixed order."""

from collections.abc import Callable
from inspect import getattr_static
from typing import Any, Protocol, TypeGuard, TypeVar, runtime_checkable

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, described

T = TypeVar("T")


@runtime_checkable
class Source(Protocol):
    """Anything that can be reduced in batches: rows in files, on a cluster, in a stream."""

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        ...

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, added up in a fixed order."""
        ...


def is_source(thing: object) -> TypeGuard[Source]:
    """Whether something is a source. Its columns are not asked for: they may have to be found.

    Examples
    --------
    >>> is_source([1, 2])
    False
    """
    nothing = object()
    return all(getattr_static(thing, each, nothing) is not nothing for each in ("domain", "reduce"))


def check_rows(what: str, given: Any, *, sources: bool = True) -> None:
    """Raise unless something is a table or a source of rows; say how to make a table of it.

    Examples
    --------
    >>> check_rows("compare takes", [[1, 2]])
    Traceback (most recent call last):
        ...
    satsuma.errors.DomainError: compare takes a table or a source of rows, not a list. Make a table
    of it: satsuma.read(…, target=…).
    """
    if isinstance(given, Table) or (sources and is_source(given)):
        return
    known = "a table or a source of rows" if sources else "a table"
    raise DomainError(
        f"{what} {known}, not {described(given)}. Make a table of it: satsuma.read(…, target=…)."
    )


def reduce(source: Table | Source, tally: Callable[[Table], T]) -> T:
    """The tally of all rows of a source.

    A table in memory is one batch: the kernels under a tally cut it into tiles, give these to
    threads, and merge in order.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import reduce
    >>> table = Table.of([(1, "a"), (2, "b")], ["n", "s"])
    >>> reduce(table, len)
    2
    """
    return tally(source) if isinstance(source, Table) else source.reduce(tally)
