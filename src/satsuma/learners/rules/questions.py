"""Questions of a fast-and-frugal tree: the condition that tells a class from the others best."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.kernels.tree import between
from satsuma.learners.rules.condition import Condition
from satsuma.learners.tree.binning import Binning
from satsuma.numerics.arrays import Floats

#: Differences of shares nearer to each other than this are the same: the first one is taken.
_NEAR = 1e-9


class Question(NamedTuple):
    """A condition on which something is decided, and the classes of the rows that meet it."""

    condition: Condition
    counts: Floats


class _Found(NamedTuple):
    """How much better a condition is, and the bins that meet it."""

    better: float
    condition: Condition
    bins: npt.NDArray[np.bool_]


def best_question(
    binning: Binning,
    cells: Floats,
    mixed: npt.NDArray[np.bool_],
    left: Floats,
    *,
    focus: int,
    side: int,
) -> Question | None:
    """The condition that most of the rows of a class, and fewest of the others meet, or vice versa.

    Parameters
    ----------
    binning
        The bins of the columns.
    cells
        (columns, bins, classes): what the rows weigh.
    mixed
        Which bins hold several numbers.
    left
        The weight of each class.
    focus
        The class.
    side
        1 for a condition that the class meets, -1 for one that the others do.
    """
    of_class, of_others = left[focus], left.sum() - left[focus]
    if not (of_class > 0 and of_others > 0):
        return None
    others = cells.sum(axis=2) - cells[:, :, focus]
    better = side * (cells[:, :, focus] / of_class - others / of_others)
    tried = list[_Found]()
    for column, count in enumerate(binning.levels.tolist()):
        here, edges = better[column, :count], binning.edges[column]
        rows = cells[column, :count].sum(axis=1) > 0
        if edges is None:
            tried += _values(column, here, rows)
        else:
            tried += _cuts(column, here, rows, edges, mixed[column])
    most = max((each.better for each in tried), default=0.0)
    if most <= _NEAR:
        return None
    found = next(each for each in tried if each.better >= most - _NEAR)
    return Question(
        found.condition, cells[found.condition.column, : len(found.bins)][found.bins].sum(axis=0)
    )


def _values(column: int, better: Floats, rows: npt.NDArray[np.bool_]) -> Iterator[_Found]:
    """The values that the class has more often than the others."""
    bins = rows & (better > _NEAR)
    values = tuple(np.flatnonzero(bins).tolist())
    yield _Found(float(better[bins].sum()), Condition(column, values=values), bins)


def _cuts(
    column: int,
    better: Floats,
    rows: npt.NDArray[np.bool_],
    edges: Floats,
    mixed: npt.NDArray[np.bool_],
) -> Iterator[_Found]:
    """The best cut of a number, below and above it."""
    there = np.flatnonzero(rows)
    if len(there) < 2:
        return
    below = np.cumsum(better[there])
    for above, sums in ((False, below[:-1]), (True, below[-1] - below[:-1])):
        at = int((sums >= sums.max() - _NEAR).argmax())
        low, high = int(there[at]), int(there[at + 1])
        ends = float(edges[low]), float(edges[high])
        threshold = ends[0] if mixed[high] else between(*ends)
        bins = (np.arange(len(better)) > low) == above
        yield _Found(float(sums[at]), Condition(column, threshold, above), bins)
