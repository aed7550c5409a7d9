"""Conjunctions: values and ranges of two or three columns at once, in which two groups differ."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.data.breaks import cut_text
from satsuma.data.table import Table
from satsuma.numerics.arrays import Bools, Floats

#: Where numbers are cut: at these shares of their rows, whatever the group.
_QUARTILES = (0.25, 0.5, 0.75)

#: The least rows that must have all of a conjunction.
_SUPPORT = 5


class Condition(NamedTuple):
    """A value of a column, or a range of its numbers as it is written."""

    column: str
    value: str
    is_range: bool

    @property
    def text(self) -> str:
        """Column and value as a person would write them."""
        if not self.is_range:
            return f"{self.column} = {self.value}"
        return f"{self.column} {'in ' if self.value.startswith('(') else ''}{self.value}"


class Item(NamedTuple):
    """A condition, which rows meet it, and in which rows its column is known."""

    condition: Condition
    has: Bools
    known: Bools


class Conjunction(NamedTuple):
    """Conditions, and rows of each group that meet all, and in which all columns are known.

    Parameters
    ----------
    conditions
        Of different columns.
    best, rest
        Rows that meet all, and rows in which all columns are known.
    p
        How probable so great a difference is by chance: the greatest p-value of the conjunction
        itself and of what each condition adds to the others.
    """

    conditions: tuple[Condition, ...]
    best: tuple[int, int]
    rest: tuple[int, int]
    p: float


def conditions_of(table: Table) -> list[Item]:
    """Values of symbols, and halves and outer quarters of numbers.

    Cuts do not depend on the groups, so each condition is one test, not one for each threshold.
    """
    items: list[Item] = []
    for variable in table.domain.attributes:
        name, column = variable.name, table.column(variable.name)
        known = ~table.missing(name)
        if variable.kind == "sym":
            found = {value: column == code for code, value in enumerate(variable.values)}
        elif known.any():
            found = dict(_ranges(column, np.unique(np.quantile(column[known], _QUARTILES))))
        else:
            continue
        items += [
            Item(Condition(name, value, variable.kind != "sym"), has & known, known)
            for value, has in found.items()
            if (has & known).any() and not (has | ~known).all()
        ]
    return items


def _ranges(column: Floats, cuts: Floats) -> Iterator[tuple[str, Bools]]:
    for at, cut in enumerate(cuts.tolist()):
        if at < 2:  # the lower quarter, and the lower half
            yield f"<= {cut_text(cut)}", column <= cut
        if at >= len(cuts) - 2:  # the upper half, and the upper quarter
            yield f"> {cut_text(cut)}", column > cut


def conjunctions(
    table: Table, best: int, size: int, fisher: Callable[..., float], least: float
) -> tuple[list[Conjunction], int]:
    """Conjunctions that tell more than each of their parts, and how many were looked at.

    Every condition must add to the others: among the rows that meet these, the groups differ in it
    (productive rules, Webb 2007), and differ less without it. The p-value is the greatest of all
    these tests, so that none is told by the others alone.

    Parameters
    ----------
    table
        Both groups, the best first.
    best
        How many rows the best are.
    size
        The most conditions: 2 or 3.
    fisher
        The p-value of two pairs: those that have something, of how many.
    least
        Only conjunctions whose own p-value may be this small are followed up.
    """
    items = conditions_of(table)
    found: list[Conjunction] = []
    tests = 0
    good = np.arange(len(table)) < best
    limit = _chi_square(least)
    for many in range(2, size + 1):
        for chosen in combinations(items, many):
            if len({item.condition.column for item in chosen}) < many:
                continue
            has = np.logical_and.reduce([item.has for item in chosen])
            if np.count_nonzero(has) < _SUPPORT:
                continue
            tests += 1
            known = np.logical_and.reduce([item.known for item in chosen])
            counts = _counts(has, known, good)
            if _statistic(*counts) < limit:
                continue
            p = max(fisher(*counts), *_added(chosen, known, good, counts, fisher))
            if p <= least:
                found.append(Conjunction(tuple(each.condition for each in chosen), *counts, p))
    return found, tests


def _counts(has: Bools, known: Bools, good: Bools) -> tuple[tuple[int, int], tuple[int, int]]:
    return (
        (int((has & good).sum()), int((known & good).sum())),
        (int((has & ~good).sum()), int((known & ~good).sum())),
    )


def _added(
    items: tuple[Item, ...],
    known: Bools,
    good: Bools,
    counts: tuple[tuple[int, int], tuple[int, int]],
    fisher: Callable[..., float],
) -> Iterator[float]:
    """P-values of what each condition adds: whether groups differ in it where others hold."""
    for at in range(len(items)):
        others = np.logical_and.reduce([item.has for k, item in enumerate(items) if k != at])
        without = _counts(others & known, known, good)
        if abs(_difference(*counts)) <= abs(_difference(*without)):
            yield 1.0
        else:
            best, rest = _counts(items[at].has & others & known, others & known, good)
            yield fisher(best, rest) if best[1] and rest[1] else 1.0


def _difference(best: tuple[int, int], rest: tuple[int, int]) -> float:
    """The share of the best less that of the rest; 0 where one of them is unknown."""
    return best[0] / best[1] - rest[0] / rest[1] if best[1] and rest[1] else 0.0


def _statistic(best: tuple[int, int], rest: tuple[int, int]) -> float:
    """Chi-square, by which differences that are far too small are passed over."""
    (a, m), (b, n) = best, rest
    if not m or not n:
        return -1.0
    share = (a + b) / (m + n)
    spread = share * (1 - share) * (1 / m + 1 / n)
    return _difference(best, rest) ** 2 / spread if spread > 0 else 0.0


def _chi_square(p: float) -> float:
    """Half of the value that chance exceeds so rarely, with one degree of freedom."""
    from scipy import stats

    return 0.5 * float(cast("Any", stats).chi2.isf(p, 1))
