"""Threshold: from which probability on the second of two classes is predicted."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import weights_of

if TYPE_CHECKING:
    from satsuma.learners.model import Classifier


class Scored:
    """What rows of each class weigh at each probability of the second one; it adds up.

    Parameters
    ----------
    chance
        Distinct probabilities, in order.
    weight
        (probabilities, 2): what the rows of each class weigh.
    """

    def __init__(self, chance: Floats, weight: Floats) -> None:
        self.chance, self.weight = chance, weight

    @classmethod
    def of(cls, model: "Classifier", batch: Table) -> "Scored":
        """The rows of a batch, by what a model says of them."""
        found = model.probabilities(fitted(batch, model.domain, model.unseen))[:, 1]
        codes = _codes(model, batch)
        weights = weights_of(batch)
        each = np.zeros((len(found), 2))
        known = codes >= 0
        each[known, codes[known]] = 1.0 if weights is None else weights[known]
        return cls(*_distinct(found, each))

    def __add__(self, other: "Scored") -> "Scored":
        chance = np.concatenate([self.chance, other.chance])
        return Scored(*_distinct(chance, np.concatenate([self.weight, other.weight])))

    def best(self) -> float:
        """The threshold that has most rows right.

        It is half way between two probabilities that follow each other. Of several, it is the last
        whose lower one is below a half, or else the first.

        Examples
        --------
        >>> Scored(np.array([0.2, 0.6, 0.9]), np.array([[1.0, 0], [1, 0], [0, 1]])).best()
        0.75
        """
        if len(self.chance) < 2:
            return 0.5
        left, right = self.chance[:-1], self.chance[1:]
        behind = self.weight[::-1, 1].cumsum()[::-1]
        correct = self.weight[:-1, 0].cumsum() + behind[1:]
        most = np.flatnonzero(correct == correct.max())
        low = most[left[most] < 0.5]
        at = int(low[-1] if len(low) else most[0])
        return float(left[at] / 2 + right[at] / 2)


def odds_of(threshold: float | None, code: int) -> float:
    """The log-odds from which on a class is predicted, where the threshold is of the second one.

    Examples
    --------
    >>> round(odds_of(0.2, 1), 3), round(odds_of(0.2, 0), 3), odds_of(None, 0)
    (-1.386, 1.386, 0.0)
    """
    if threshold is None:
        return 0.0
    with np.errstate(divide="ignore"):
        chance = np.clip(threshold, 0.0, 1.0)
        found = float(np.log(chance) - np.log1p(-chance))
    return found if code == 1 else -found


def _codes(model: "Classifier", batch: Table) -> npt.NDArray[np.int32]:
    """The class of each row as the model counts them; -1 for none."""
    target = batch.domain[model.target.name]
    places = np.array([*(model.target.codes[value] for value in target.values), -1], np.int32)
    return places[batch.column(target.name)]


def _distinct(chance: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Rows that weigh anything, those of a probability in one."""
    some = weight.any(axis=1)
    found, at = np.unique(chance[some], return_inverse=True)
    summed = np.zeros((len(found), 2))
    np.add.at(summed, at, weight[some])
    return found, summed


def check_two_classes(learner: object, domain: Domain) -> None:
    """Raise unless there are two classes, between which a threshold can lie."""
    target = domain.target
    if target is not None and len(target.values) != 2:
        raise DomainError(
            f"{type(learner).__name__} adjusts the threshold between two classes, but the target "
            f"{target.name!r} has {len(target.values)}. Use adjust_threshold=False."
        )
