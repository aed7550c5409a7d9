"""Merging: what was learned from all rows but a fold's own, without learning it anew."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from satsuma.data.table import Table
from satsuma.evaluate.folds import Folds, sorted_rows
from satsuma.learners.learner import TallyLearner
from satsuma.tallies.base import Tally

T = TypeVar("T", bound=Tally)

#: Folds that are merged at once. More, as in leaving out one row at a time, go in two levels,
#: so that there are never many more tallies than this in memory.
AT_ONCE = 256

#: Tallies of the rows of fold 0, 1, …, given a table, the fold of each row, and their number.
ByFold = Callable[[Table, Folds, int], Sequence[Any]]


def others(tallies: Sequence[T], outside: T | None = None) -> Iterator[T]:
    """For each tally the sum of all others, by three additions and no subtraction.

    Examples
    --------
    >>> list(others(["a", "b", "c", "d"]))
    ['bcd', 'acd', 'abd', 'abc']
    """
    after: list[T | None] = [None]
    for tally in reversed(tallies[1:]):
        after.append(tally if after[-1] is None else tally + after[-1])
    before = outside
    for tally in tallies:
        rest = after.pop()
        merged = rest if before is None else before if rest is None else before + rest
        assert merged is not None, "a single tally has no others"
        yield merged
        before = tally if before is None else before + tally


def training_tallies(by_fold: ByFold, table: Table, folds: Folds, count: int) -> Iterator[Any]:
    """For each fold the tally of the rows of all other folds."""
    if count <= AT_ONCE:
        yield from others(by_fold(table, folds, count))
        return
    coarse = np.where(folds < 0, -1, folds // AT_ONCE).astype(folds.dtype)
    blocks = -(-count // AT_ONCE)
    order, edges = sorted_rows(coarse, blocks)
    outside = others(by_fold(table, coarse, blocks))
    for block, (low, high, rest) in enumerate(zip(edges, edges[1:], outside, strict=False)):
        rows, first = order[low:high], block * AT_ONCE
        inside = folds[rows] - folds.dtype.type(first)
        yield from others(by_fold(table[rows], inside, min(AT_ONCE, count - first)), rest)


def kind_of(learner: TallyLearner[Any]) -> Any:
    """What makes a learner's tallies, if it says so.

    A learner whose `tally` does nothing but ``kind.of(batch)`` says so in `tally_kind`. Its folds
    are then tallied in one pass, together with those of learners of an equal kind. Nothing is
    assumed of a learner that does not say, or whose class has a newer `tally`: it is given the
    rows of each fold.
    """
    return learner.shared_kind


def tallying(learner: TallyLearner[Any]) -> ByFold:
    """How a learner tallies folds."""
    kind = kind_of(learner)
    if kind is not None:
        return kind.by_fold

    def one_by_one(table: Table, folds: Folds, count: int) -> list[Any]:
        order, edges = sorted_rows(folds, count)
        return [
            learner.checked_tally(table[order[low:high]]) for low, high in itertools.pairwise(edges)
        ]

    return one_by_one
