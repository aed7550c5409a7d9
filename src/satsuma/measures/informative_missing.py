"""Informative missing values: columns whose missing cells tell something of the target."""

from collections.abc import Sequence

import numpy as np

from satsuma.measures.multiple_testing import holm
from satsuma.numerics.arrays import Floats
from satsuma.tallies.moments import Moments
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: What a learner can be told of missing values: to test what they tell, that they tell nothing, or
#: that they tell something wherever there are some.
MISSING = ("auto", "ignore", "informative")

#: How probable it may be that any column is taken for informative where none is.
LEVEL = 0.01

#: Rows that are expected in a cell of a test, at least.
_EXPECTED = 5.0


def informative_columns(tally: TargetWhereMissing, missing: str = "auto") -> tuple[str, ...]:
    """The columns whose missing cells tell something of the target beyond chance.

    Classes are tested by Pearson's chi-square, where those of which fewer than five cells are
    expected are taken as one, and left out if these are too few as well; if that leaves nothing to
    compare, the largest class and all others, by Fisher's exact test. Means of numbers are
    tested by Student's t and by Welch's, of which the less certain one counts: one of them is
    misled where few rows are missing, and numbers lie far out. Both are corrected for the number
    of columns by Holm (1979).

    Parameters
    ----------
    tally
        The target of the rows in which each column is missing.
    missing
        ``auto`` tests; ``ignore`` finds none; ``informative`` finds all columns that are missing
        in some rows and known in others.

    Examples
    --------
    >>> from satsuma import Table
    >>> rows = [(None if k % 3 else 1, k % 2, "a" if k % 3 else "b") for k in range(60)]
    >>> table = Table.of(rows, ["height", "width", "class"])
    >>> informative_columns(TargetWhereMissing.of(table))
    ('height',)
    """
    return () if missing == "ignore" else _chosen(missing_p_values(tally), missing)


def informative_by_class(
    names: Sequence[str], lost: Floats, total: Floats, missing: str = "auto"
) -> tuple[str, ...]:
    """`informative_columns` where the target is a class.

    Parameters
    ----------
    names
        The columns.
    lost
        (classes, columns): what the rows weigh in which each is missing.
    total
        What all rows of each class weigh.
    missing
        As in `informative_columns`.

    Examples
    --------
    >>> informative_by_class(["x"], np.array([[20.0], [0.0]]), np.array([30.0, 30.0]))
    ('x',)
    """
    return () if missing == "ignore" else _chosen(_by_class(names, lost, total), missing)


def _chosen(found: dict[str, float], missing: str) -> tuple[str, ...]:
    if missing == "informative" or not found:
        return tuple(found)
    corrected = holm(np.array([*found.values()]), len(found))
    return tuple(name for name, p in zip(found, corrected, strict=True) if p < LEVEL)


def missing_p_values(tally: TargetWhereMissing) -> dict[str, float]:
    """How probable so great a difference is by chance, for each column with missing cells.

    Columns that are always known or never are left out.

    Examples
    --------
    >>> from satsuma import Table
    >>> rows = [(None if k % 3 else 1, k % 2, "a" if k % 3 else "b") for k in range(60)]
    >>> table = Table.of(rows, ["height", "width", "class"])
    >>> {name: f"{p:.0e}" for name, p in missing_p_values(TargetWhereMissing.of(table)).items()}
    {'height': '9e-15'}
    """
    held, target = tally.held, tally.domain.target
    if target is not None and target.kind == "sym":
        return _by_class(held.names, held.weight[:, : len(held.names)], held.class_weight)
    names = held.names[:-1]
    there = _in_some(held.weight[:, : len(names)], held.class_weight)
    return {names[at]: _numbers_p(held, at) for at in there}


def _by_class(names: Sequence[str], lost: Floats, total: Floats) -> dict[str, float]:
    return {names[at]: _classes_p(lost[:, at], total) for at in _in_some(lost, total)}


def _in_some(lost: Floats, total: Floats) -> list[int]:
    """The columns that are missing in some rows, and known in others."""
    known = (total[:, None] - lost > 0).any(axis=0)
    return np.flatnonzero((lost.sum(axis=0) > 0) & known).tolist()


def _classes_p(missing: Floats, total: Floats) -> float:
    """How probable so uneven a share of missing cells is, where classes do not differ in it."""
    from scipy.special import chdtrc

    table = np.stack([missing, np.maximum(total - missing, 0.0)])
    rare = _expected(table).min(axis=0) < _EXPECTED
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    if _expected(table)[:, -1].min() < _EXPECTED:
        table = table[:, :-1]
    if table.shape[1] < 2 or _expected(table).min() < _EXPECTED:
        largest = int(total.argmax())
        return _exact_p(float(missing[largest]), float(missing.sum()), float(total[largest]), total)
    expected = _expected(table)
    return float(chdtrc(table.shape[1] - 1, ((table - expected) ** 2 / expected).sum()))


def _exact_p(both: float, missing: float, of_class: float, total: Floats) -> float:
    """Fisher's exact test: twice the lesser tail of the hypergeometric distribution.

    Weights need not be whole, so that a tail goes in steps of 1 from what was found.
    """
    from scipy.special import betaln

    n = float(total.sum())
    up = np.arange(both, min(missing, of_class) + 0.5)
    down = np.arange(both, max(0.0, missing + of_class - n) - 0.5, -1.0)
    tails: list[float] = []
    for k in (up, down):
        parts = ((of_class, k), (n - of_class, missing - k), (n, np.array([missing])))
        inside = [-betaln(some - each + 1, each + 1) - np.log(some + 1) for some, each in parts]
        tails.append(float(np.exp(inside[0] + inside[1] - inside[2]).sum()))
    return min(2 * min(tails), 1.0)


def _expected(table: Floats) -> Floats:
    return np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()


def _numbers_p(held: Moments, at: int) -> float:
    """How probable so great a difference of two means is, where they do not truly differ."""
    from scipy.special import fdtrc

    n, m, squares = float(held.weight[0, -1]), float(held.weight[0, at]), float(held.m2[0, -1])
    k = n - m
    if min(m, k) < _EXPECTED or not 0 < squares < np.inf:
        return 1.0
    apart = float((held.mean[0, at] - held.mean[0, -1]) + (held.rest[0, at] - held.rest[0, -1]))
    # Of the missing and the known, rather than of the missing and all; squares are shares of all.
    between = (apart * n / k / np.sqrt(squares)) ** 2
    inside = float(held.m2[0, at]) / squares
    outside = max(1 - inside - between * m * k / n, 0.0)
    welch = np.array([inside / (m * (m - 1)), outside / (k * (k - 1))])
    if not inside + outside > 0:
        return 0.0
    freedom = welch.sum() ** 2 / (welch**2 / [m - 1, k - 1]).sum()
    student = fdtrc(1.0, n - 2, between / ((inside + outside) / (n - 2) * n / (m * k)))
    return float(max(student, fdtrc(1.0, freedom, between / welch.sum())))
