"""Recall: how relevant rows came in one after the other, and how many are left to be found."""

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats

#: Finds before anything is said of what is unfound: fewer tell nothing of how their rate falls.
FEWEST = 10

#: Exponents by which the rate of finds may fall over the labels so far, and steps between them.
_SLOWEST, _FASTEST, _STEPS = 0.05, 50.0, 200


class Unfound(NamedTuple):
    """How many relevant rows are unfound: what is expected, and from where to where it may be.

    What is expected is NaN where nothing can be said; it may be anything then.
    """

    expected: float
    least: int
    most: int


@dataclass(frozen=True)
class Finds:
    """Labels in the order in which they were given: which of them were finds.

    Parameters
    ----------
    found
        For each label, whether the row was relevant.
    rows
        How many rows there are in all, labelled or not.

    Examples
    --------
    >>> finds = Finds(np.arange(300) < 40, 2000)
    >>> finds.total, finds.labels_for(0.95), finds.rest(0.95).most
    (40, 38, 0)
    """

    found: npt.NDArray[np.bool_]
    rows: int

    @property
    def total(self) -> int:
        """How many were found."""
        return int(self.found.sum())

    def up_to(self, labels: int) -> "Finds":
        """As it was after the first so many labels."""
        return Finds(self.found[:labels], self.rows)

    def labels_for(self, share: float) -> int:
        """How many labels it took to find a share of what has been found."""
        counts = np.cumsum(self.found)
        wanted = np.ceil(share * self.total - 1e-9)  # that 0.05 * 20 is 1, whatever its rounding
        return 1 + int((counts < wanted).sum())

    def rest(self, confidence: float) -> Unfound:
        """What is unfound, if finds are a Poisson process whose rate falls exponentially.

        So do Sneyd and Stevenson (2019), who take the most probable rate; here all rates count,
        as probable as they are after what was found. Beforehand, the logarithm of how fast the
        rate falls is alike from hardly at all to very fast.
        """
        labels, left = len(self.found), self.rows - len(self.found)
        at = (np.flatnonzero(self.found) + 0.5) / max(labels, 1)
        if not left or len(at) < FEWEST:
            return Unfound(float("nan") if left else 0.0, 0, left)
        falls = np.geomspace(_SLOWEST, _FASTEST, _STEPS)
        logs = len(at) * np.log(falls / -np.expm1(-falls)) - falls * at.sum()
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
        # Finds to come for each find so far; their number is then of Pascal's distribution.
        ratio = np.exp(-falls) * np.expm1(-falls * left / labels) / np.expm1(-falls)
        tail = (1 - confidence) / 2
        least, most = (
            _quantile(each, len(at), weights, 1 / (1 + ratio), left) for each in (tail, 1 - tail)
        )
        return Unfound(len(at) * float(weights @ ratio), least, most)

    def most_unfound(self, confidence: float) -> int:
        """How many unfound rows the labels since the last find do not rule out.

        Whatever the rate does, rows that are asked about are no poorer in relevant ones than the
        rows that are left. So the labels since count as drawn by chance: of more rows than this,
        one would have been among them with the given confidence (hypergeometric).

        Examples
        --------
        >>> Finds(np.arange(100) < 40, 100 + 40).most_unfound(0.95)
        3
        """
        labels, left = len(self.found), self.rows - len(self.found)
        since = int(np.argmax(self.found[::-1])) if self.found.any() else labels
        unfound = np.arange(left + 1)
        # Of all ways to place so many rows, those that place all among the rows left.
        missed = _log_choose(left, unfound) - _log_choose(left + since, unfound)
        return int(unfound[missed >= np.log(1 - confidence) - 1e-9].max())


def _log_choose(n: int, k: npt.NDArray[np.intp]) -> Floats:
    from scipy import special

    gamma = cast("Any", special).gammaln
    return gamma(n + 1) - gamma(k + 1) - gamma(n - k + 1)


def _quantile(share: float, finds: int, weights: Floats, ends: Floats, left: int) -> int:
    """The number that no more are unfound, with a probability; at most as many as are left."""
    from scipy import special

    low, high = 0, left
    while low < high:
        middle = (low + high) // 2
        below: Floats = cast("Any", special).nbdtr(middle, finds, ends)
        low, high = (low, middle) if weights @ below >= share else (middle + 1, high)
    return low
