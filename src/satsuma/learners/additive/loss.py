"""Loss: how far scores are from what was seen, with its slope and its curvature at each row."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from satsuma.numerics.arrays import Array, Floats

#: Scores of counts and of classes beyond this make no difference that a float could hold.
_FAR = 30.0


@dataclass(frozen=True)
class Loss:
    """What a score is of, and how it is brought to a scale on which sums are exact.

    Parameters
    ----------
    of
        ``numbers``, ``classes`` or ``counts``.
    scores
        How many scores a row has: one, or one for each class if there are more than two.
    centre, scale
        A number is looked at as its distance from the centre, in units of the scale.
    most
        The largest weight that a row can get.
    quantum
        What slopes and curvatures are whole multiples of. Sums of these do not depend on their
        order, so the same model is learned from one part or a hundred.
    """

    of: Literal["numbers", "classes", "counts"]
    scores: int
    centre: float = 0.0
    scale: float = 1.0
    most: float = 1.0
    quantum: float = 2.0**-52

    def rounded(self, each: Floats, weights: Floats | None, parts: int = 1) -> Floats:
        """Weighted numbers, as multiples of so many quanta: sums of parts of them are exact."""
        quantum = self.quantum * parts
        found = np.rint(each / quantum)
        if weights is not None:
            found = np.rint(found * weights)
        return found * quantum

    def at(self, scores: Floats, target: Array) -> tuple[Floats, Floats, Floats]:
        """Loss (rows), slope and curvature (scores by rows) for a row of weight 1.

        The slope is that of the log-likelihood: it points to where the scores should go.
        """
        if self.of == "numbers":
            away = (target - self.centre) / self.scale - scores
            return away[0] ** 2 / 2, away, np.ones_like(away)
        if self.of == "counts":
            return self._of_counts(scores[0], target)
        return _of_two(scores[0], target) if self.scores == 1 else _of_many(scores, target)

    def _of_counts(self, scores: Floats, target: Array) -> tuple[Floats, Floats, Floats]:
        mean = np.minimum(np.exp(scores.clip(-_FAR, _FAR)), self.most)
        return mean - target * scores, (target - mean)[np.newaxis], mean[np.newaxis]


def _of_two(scores: Floats, target: Array) -> tuple[Floats, Floats, Floats]:
    second = 1 / (1 + np.exp(-scores.clip(-_FAR, _FAR)))
    loss = np.logaddexp(0.0, scores) - target * scores
    return loss, (target - second)[np.newaxis], (second * (1 - second))[np.newaxis]


def _of_many(scores: Floats, target: Array) -> tuple[Floats, Floats, Floats]:
    """The curvature is that of each class alone, enough larger that steps of all are safe."""
    scores = scores - scores.max(axis=0)
    chances = np.exp(scores)
    total = chances.sum(axis=0)
    chances /= total
    rows = np.arange(len(target))
    loss = np.log(total) - scores[target, rows]
    classes = len(scores)
    slope = -chances
    slope[target, rows] += 1
    return loss, slope, chances * (1 - chances) * (classes / (classes - 1))
