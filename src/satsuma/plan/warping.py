"""Warping: numbers as they are, by their ranks, and by their logarithms, each from 0 to 1."""

import numpy as np

from satsuma.measures.distance import norm
from satsuma.numerics.arrays import Floats

#: Warped numbers that are nowhere farther than this from those as they are tell nothing new.
_ALIKE = 0.02


def warped(columns: list[Floats]) -> list[Floats]:
    """Rows by columns, in up to three ways; those that are much like the first are left out.

    What an attribute does may follow its ratios rather than its differences (a learning rate, a
    size in lines of code): by logarithms, numbers that are spread over powers of ten are as far
    apart as people take them to be; by ranks, however they are spread. Columns with numbers below
    zero have no logarithms, and are left as they are.

    Parameters
    ----------
    columns
        Numbers; NaN where they are missing.

    Examples
    --------
    >>> plain, ranked, logged = warped([np.array([1.0, 10, 100, 10000])])
    >>> plain[:, 0].round(3)
    array([0.   , 0.001, 0.01 , 1.   ])
    >>> ranked[:, 0].round(3), logged[:, 0].round(3)
    (array([0.   , 0.333, 0.667, 1.   ]), array([0.  , 0.25, 0.5 , 1.  ]))
    """
    if not columns:
        return [np.empty((0, 0))]
    made = [
        np.column_stack([_scaled(way(each)) for each in columns]) for way in (_same, _ranks, _logs)
    ]
    return [made[0], *(each for each in made[1:] if not _much_like(each, made[0]))]


def _much_like(one: Floats, other: Floats) -> bool:
    away = np.abs(one - other)
    return not (away > _ALIKE).any()


def _scaled(column: Floats) -> Floats:
    known = column[~np.isnan(column)]
    return norm(column, known.min(), known.max()) if len(known) else column


def _same(column: Floats) -> Floats:
    return column


def _ranks(column: Floats) -> Floats:
    """The place of each number in order; the middle of their places for equal ones."""
    made = np.full(len(column), np.nan)
    known = ~np.isnan(column)
    _, place, counts = np.unique(column[known], return_inverse=True, return_counts=True)
    made[known] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return made


def _logs(column: Floats) -> Floats:
    """Logarithms; where there are zeros, of numbers above the smallest other one."""
    known = column[~np.isnan(column)]
    if not len(known) or known.min() < 0 or known.max() <= 0:
        return column
    least = 0.0 if known.min() > 0 else float(known[known > 0].min())
    return np.log(column + least)
