"""Distinct rows: of rows that are alike, cells and target, the first; and what they weigh."""

from typing import NamedTuple

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats, Hashes, Indices
from satsuma.tallies.by_class import numbers_of, symbols_of
from satsuma.tallies.content_hashes import hashes_of


class DistinctRows(NamedTuple):
    """Rows no two of which are alike, in the order in which they come first.

    Parameters
    ----------
    first
        The number of each.
    weight
        What all that are like it weigh together; None where each row weighs 1.
    hashes
        A number for each that depends on what is in it alone.
    """

    first: Indices
    weight: Floats | None
    hashes: Hashes


def distinct_rows(table: Table) -> DistinctRows:
    """The distinct rows of a table, by attributes of numbers and symbols and by the target.

    Examples
    --------
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], "tp")
    >>> found = distinct_rows(days)
    >>> found.first, found.weight
    (array([0, 1]), array([2., 1.]))
    """
    hashes = _hashes(table)
    in_order = np.sort(hashes)
    if (in_order[1:] != in_order[:-1]).all():
        return DistinctRows(np.arange(len(table)), table.weights, hashes)
    _, first, which = np.unique(hashes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    found = first[order]
    weight = np.bincount(place[which], table.weights, len(first)).astype(np.float64)
    return DistinctRows(found, weight, hashes[found])


def place_of(table: Table, distinct: Hashes) -> Indices:
    """Which of the distinct rows of a table, whose hashes are given, each of its rows is like.

    Examples
    --------
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], "tp")
    >>> place_of(days, distinct_rows(days).hashes)
    array([0, 1, 0])
    """
    order = np.argsort(distinct)
    return order[np.searchsorted(distinct[order], _hashes(table))]


def _hashes(table: Table) -> Hashes:
    target = table.domain.target
    assert target is not None
    return hashes_of(table, [*numbers_of(table.domain), *symbols_of(table.domain), target])
