"""Reliability: how often probabilities are right, in bins of probability, and how far off."""

from dataclasses import dataclass

import numpy as np

from satsuma.folds import Strata
from satsuma.measures.estimates import wilson
from satsuma.numerics.arrays import Floats

#: Bins of probability, of equal width.
BINS = 10


@dataclass(frozen=True)
class Reliability:
    """What was promised and what came true, for each bin of probability in which there are rows.

    Parameters
    ----------
    predicted
        The mean probability.
    right
        The share of rows of which it is true.
    weight
        What the rows weigh.
    size
        How many rows of equal weight would say as much.
    """

    predicted: Floats
    right: Floats
    weight: Floats
    size: Floats

    @classmethod
    def of(
        cls, probabilities: Floats, truth: Strata, weights: Floats, target: int | None = None
    ) -> "Reliability":
        """Of the most probable class of each row, or of one class where one is named.

        Examples
        --------
        >>> thought = np.array([[0.9, 0.1], [0.8, 0.2], [0.35, 0.65]])
        >>> found = Reliability.of(thought, np.array([0, 1, 1]), np.ones(3))
        >>> found.predicted.tolist(), found.right.tolist()
        ([0.65, 0.8, 0.9], [1.0, 0.0, 1.0])
        """
        thought = probabilities.max(axis=1) if target is None else probabilities[:, target]
        right = truth == (probabilities.argmax(axis=1) if target is None else target)
        bins = np.clip(np.ceil(thought * BINS).astype(np.intp) - 1, 0, BINS - 1)
        each = np.stack([weights, weights * thought, weights * right, weights**2])
        sums = np.stack([np.bincount(bins, one, BINS) for one in each]).astype(np.float64)
        total, promised, true, squares = sums[:, sums[0] > 0]
        return cls(promised / total, true / total, total, total**2 / squares)

    @property
    def error(self) -> float:
        """The mean distance of what was promised from what came true (ECE); NaN without rows."""
        total = self.weight.sum()
        return float(np.abs(self.predicted - self.right) @ self.weight / total) if total else np.nan

    @property
    def gap(self) -> float:
        """How much more was promised than came true, on average: above 0 is overconfident."""
        total = self.weight.sum()
        return float((self.predicted - self.right) @ self.weight / total) if total else np.nan

    def interval(self) -> tuple[Floats, Floats]:
        """Where the share of each bin lies with 95 % confidence (Wilson 1927).

        Examples
        --------
        >>> one = Reliability(np.array([0.9]), np.array([0.8]), np.array([10.0]), np.array([10.0]))
        >>> [float(end.round(3)[0]) for end in one.interval()]
        [0.49, 0.943]
        """
        return wilson(self.right, self.size)


def calibration_error(
    probabilities: Floats, truth: Strata, weights: Floats, target: int | None = None
) -> float:
    """The mean distance of what is thought from what is so, over 10 equal bins of probability.

    This is the expected calibration error (Guo et al. 2017) of the most probable class, or of
    the probability of one class where one is named.

    Examples
    --------
    >>> round(calibration_error(np.array([[0.9, 0.1]]), np.array([0]), np.ones(1)), 9)
    0.1
    """
    return Reliability.of(probabilities, truth, weights, target).error
