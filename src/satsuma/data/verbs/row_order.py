"""The order of rows: by one column after the other, missing cells last."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.errors import ParameterError
from satsuma.numerics.arrays import Array, Indices

if TYPE_CHECKING:
    from satsuma.data.table import Table


def sorted_rows(table: "Table", by: str | Iterable[str], descending: Any) -> Indices:
    """The numbers of all rows in the order of some columns; equal ones stay as they are.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([(3, "b"), (None, "a"), (3, "a")], ["n", "s"])
    >>> sorted_rows(days, ["n", "s"], [True, False])
    array([2, 0, 1])
    """
    names = [by] if isinstance(by, str) else list(by)
    if not names:
        raise ParameterError("sort needs a column to sort by. Name one or several.")
    keys = [
        _key(table, name, downwards)
        for name, downwards in zip(names, _directions(descending, len(names)), strict=True)
    ]
    return np.lexsort(keys[::-1])  # the last key is the first to go by


def _directions(descending: Any, count: int) -> Sequence[bool]:
    single = isinstance(descending, bool) or not isinstance(descending, Iterable)
    given: list[Any] = [descending] * count if single else list(cast("Any", descending))
    if len(given) != count or not all(isinstance(each, bool) for each in given):
        raise ParameterError(
            f"descending= must be True or False, or one of them for each of the {count} columns "
            f"to sort by. Got {descending!r}."
        )
    return given


def _key(table: "Table", name: str, downwards: bool) -> Array:
    at = table.domain.index(name)
    ranks, missing = ranked(table.columns[at], table.missing(at), table.domain[at].values)
    ranks = -ranks if downwards else ranks
    ranks[missing] = len(ranks)  # above every other, and above every negative
    return ranks


def ranked(column: Array, missing: Array, values: Sequence[str] = ()) -> tuple[Array, Array]:
    """The rank of each cell among the distinct ones, symbols by their spelling; and which miss."""
    if values:
        column = np.argsort(sorted_places(values))[column]
    ranks = np.zeros(len(column), np.int64)
    _, found = np.unique(cast("Any", column[~missing]), return_inverse=True)
    ranks[~missing] = found
    return ranks, missing


def sorted_places(values: Sequence[str]) -> Indices:
    """Where the values stand once they are sorted, the least first."""
    return np.array(sorted(range(len(values)), key=values.__getitem__), np.intp)
