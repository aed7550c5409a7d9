"""RReliefF: ReliefF for a numeric target (Robnik-Šikonja and Kononenko 1997)."""

from collections.abc import Mapping

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import check_number
from satsuma.measures.distance import Distance, nearest_weighing, norm
from satsuma.measures.relieff import Expected, Given, rows_asked
from satsuma.measures.variance import target_and_weights
from satsuma.numerics.arrays import Floats, Integers


def rrelief(table: Table, k: int = 10, rows: int = 1000, seed: int = 0) -> Mapping[str, float]:
    """How much more a column differs where the target of near rows does than where it does not.

    Each of some rows is set beside its k nearest neighbours, which are those of `Distance`. With
    dT the difference of their targets and dA that of a column, both from 0 to 1, a column scores
    E[dA dT] / E[dT] - E[dA (1 - dT)] / E[1 - dT]. From -1 to 1; about 0 says nothing.

    Where a cell is missing, the difference is the one to be expected.

    Parameters
    ----------
    table
        With a target of numbers.
    k
        Neighbours of each row, by weight where rows have weights.
    rows, seed
        As in `relief`.

    Examples
    --------
    >>> from satsuma import load
    >>> from satsuma.measures import rrelief
    >>> found = rrelief(load("housing"))
    >>> max(found, key=found.get)
    'RM'
    """
    check_number(Given(k), "k", low=1, whole=True)
    known, target, weight = target_and_weights(table)
    names = [v.name for v in table.domain.attributes if v.kind in ("num", "sym")]
    if not len(known) or not names:
        return dict.fromkeys(names, 0.0)
    chosen = rows_asked(len(known), rows, seed)
    row, other, count = _pairs(known, weight, chosen, k)
    scaled = norm(target, float(target.min()), float(target.max()))
    apart = np.abs(scaled[row] - scaled[other])
    differ, alike = float(count @ apart), float(count @ (1 - apart))
    found: dict[str, float] = {}
    for name in names:
        gaps = _differences(known, name, weight)
        gap = np.zeros(len(row)) if gaps is None else gaps.difference(row, other)
        with_target, without = float(count @ (gap * apart)), float(count @ (gap * (1 - apart)))
        found[name] = (with_target / differ if differ else 0.0) - (without / alike if alike else 0)
    return found


def _pairs(
    table: Table, weight: Floats, chosen: Integers, k: int
) -> tuple[Integers, Integers, Floats]:
    """Rows, their neighbours, and what each pair counts."""
    distance = Distance.of(table)
    search, cells = distance.among(table), distance.cells(table[chosen])
    _, at, count = nearest_weighing(search, cells, k, weight, chosen)
    whole = count.sum(axis=1, keepdims=True)
    count = np.divide(count, whole, out=np.zeros_like(count), where=whole > 0)
    count *= weight[chosen][:, None]
    kept = count > 0
    row = np.broadcast_to(chosen[:, None], at.shape)
    return row[kept], at[kept], count[kept]


def _differences(table: Table, name: str, weight: Floats) -> Expected | None:
    """Differences in a column; None where all of it is missing."""
    column, variable = table.column(name), table.domain[name]
    if table.missing(name).all():
        return None
    if variable.kind == "num":
        known = column[~np.isnan(column)]
        column = norm(column, float(known.min()), float(known.max()))
    all_alike = np.zeros(len(column), np.int64)
    return Expected(column, len(variable.values), all_alike, 1, weight)
