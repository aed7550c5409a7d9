"""ChiMerge: neighbouring intervals are one as long as their classes are alike."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.errors import check_number
from satsuma.measures.contingency import over
from satsuma.measures.cut_points import halfway
from satsuma.numerics.arrays import Floats
from satsuma.prepare.discretizers import Discretizer
from satsuma.tallies.quantiles import Quantiles


@dataclass(frozen=True)
class ChiMerge(Discretizer):
    """Intervals whose classes differ by more than chance (Kerber 1992).

    Every number starts as an interval of its own; the two neighbours whose classes are most alike
    by chi-square become one, until all differ. Exact where a column has up to 1024 distinct
    numbers, else from the cells of a sketch.

    Parameters
    ----------
    confidence
        How sure to be that two neighbours differ.
    n
        How many intervals there may be at the most; None for as many as differ.

    Examples
    --------
    >>> from satsuma import ChiMerge, load
    >>> ChiMerge(confidence=0.99, n=3)(load("iris"))["Petal.Width"]
    array([0.8 , 1.75])
    """

    confidence: float = 0.95
    n: int | None = None
    tally_kind: ClassVar[Any] = Quantiles
    by_class: ClassVar[bool] = True

    def check(self) -> None:
        """A confidence from 0 to 1, and one interval or more."""
        check_number(self, "confidence", low=0, high=1 - 1e-12)
        if self.n is not None:
            check_number(self, "n", low=1, whole=True)

    def cuts(self, tally: Quantiles, name: str) -> Floats:
        """Merged from the least chi-square on."""
        from scipy.special import chdtri

        low, high, weight = cells_by_class(tally, name)
        classes = int((weight.sum(axis=0) > 0).sum())
        if len(low) < 2 or classes < 2:
            return np.zeros(0)
        enough = float(chdtri(classes - 1, 1 - self.confidence))
        start = np.arange(len(low))
        chi = chi_of_pairs(weight[:-1], weight[1:])
        most = len(low) if self.n is None else self.n
        while len(chi) and (chi.min() < enough or len(start) > most):
            at = int(chi.argmin())  # the first of several
            weight = np.delete(weight, at + 1, axis=0) + _at(weight, at)
            start, chi = np.delete(start, at + 1), np.delete(chi, at)
            near = slice(max(at - 1, 0), at + 1)
            after = slice(near.start + 1, at + 2)
            pairs = weight[near][: len(weight[after])], weight[after]
            chi[near.start : near.start + len(pairs[1])] = chi_of_pairs(*pairs)
        return halfway(high[start[1:] - 1], low[start[1:]])


def _at(weight: Floats, at: int) -> Floats:
    """The row after a place, where it is to be added to the row at it, and zeros elsewhere."""
    out = np.zeros((len(weight) - 1, weight.shape[1]))
    out[at] = weight[at + 1]
    return out


def chi_of_pairs(left: Floats, right: Floats) -> Floats:
    """Chi-square of pairs of intervals, each an array (pairs, classes) of weights."""
    both = np.stack([left, right])
    rows, columns = both.sum(axis=2, keepdims=True), both.sum(axis=0)
    expected = over(rows * columns, columns.sum(axis=1, keepdims=True))
    return over((both - expected) ** 2, expected).sum(axis=(0, 2))


def cells_by_class(tally: Quantiles, name: str) -> tuple[Floats, Floats, Floats]:
    """The least and the greatest of each cell of a column, and its weight in each class."""
    whole = tally.sketch(name)
    weight = np.zeros((len(whole.count), len(tally.classes)))
    for code, value in enumerate(tally.classes):
        mine = tally.sketch(name, value)
        # Cells of the whole are unions of cells of a class.
        at = np.searchsorted(whole.lo, mine.lo, side="right") - 1
        weight[:, code] = np.bincount(at, mine.count, len(weight))
    return whole.lo, whole.hi, weight
