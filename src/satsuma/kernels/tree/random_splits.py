"""Divisions drawn at random: one for each column (Geurts, Ernst and Wehenkel 2006)."""

from typing import Any

import numpy as np

from satsuma.kernels.tree.splits import SUBSET, THRESHOLD, Rules, Split, gains_of_cuts, weights_of
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.numerics.splitmix import splitmix64

_DRAWN = 0x5851F42D4C957F2D


def drawn_threshold(values: Floats, drawn: int) -> float | None:
    """A threshold between the least and the greatest number; None if these are the same.

    Examples
    --------
    >>> drawn_threshold(np.array([1.0, 3.0]), 1 << 63)
    2.0
    """
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if not low < high:
        return None
    part = (drawn >> 11) / 2.0**53
    cut = low * (1 - part) + high * part
    return cut if low <= cut < high else low


def drawn_sets(codes: Array, levels: int, drawn: int) -> Codes | None:
    """Two sets of the values that there are, as branches by value; None if there is but one."""
    there = np.unique(codes).tolist()
    if len(there) < 2:
        return None
    branch = np.full(levels, -1, np.int32)
    branch[there] = [0, *(splitmix64((drawn + value) % 2**64) & 1 for value in there[1:])]
    if not (branch > 0).any():
        branch[there[-1]] = 1
    return branch


def drawn_split(
    coded: Any, rows: Array, each: Floats, column: int, *, form: int, rules: Rules, path: int
) -> tuple[float, Split, float] | None:
    """What is drawn for a column: what it gains, the division, and its threshold.

    Parameters
    ----------
    coded, rows, each
        The rows at the node, and what each adds to cells.
    column, form
        The column, and how it can divide.
    rules
        The measure.
    path
        The way from the root, which is what divisions are drawn by.
    """
    levels = int(coded.levels[column])
    codes = coded.records[rows, column].astype(np.intp)
    known = codes < levels
    drawn, threshold = splitmix64(((path ^ _DRAWN) + column) % 2**64), np.nan
    if form == THRESHOLD:
        values = coded.columns[column][rows] + 0.0
        cut = drawn_threshold(values[known], drawn)
        if cut is None:
            return None
        threshold, branch = cut, np.zeros(levels, np.int32)
        left = known & (values <= cut)
    else:
        found = drawn_sets(codes[known], levels, drawn)
        if found is None:
            return None
        branch = found
        left = known & (np.append(branch, -1)[codes] == 0)
    below, total = each[left].sum(axis=0), each[known].sum(axis=0)
    gain = float(gains_of_cuts(below[None], total, rules)[0])
    sides = np.stack([below, total - below])
    kind = THRESHOLD if form == THRESHOLD else SUBSET
    return gain, Split(column, kind, branch, sides), threshold


def total_weight(each: Floats, rules: Rules) -> float:
    """What all rows at a node weigh."""
    return float(weights_of(each.sum(axis=0), rules.measure))
