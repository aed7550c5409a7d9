"""A temperature in one round: log losses at several temperatures, which add up."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.learners.calibration.probability_maps import FLOOR
from satsuma.numerics.arrays import Array, Floats

#: Logarithms of the temperatures that are tried, and the step to which the best is rounded: so the
#: order in which losses are added makes no difference.
_APART, _STEP = 0.2, 0.01
_TRIED = np.arange(-10, 26) * _APART


@dataclass(frozen=True)
class Losses:
    """The log loss of rows at each temperature, each row weighed."""

    sums: Floats

    def __add__(self, other: "Losses") -> "Losses":
        return Losses(self.sums + other.sums)

    @property
    def best(self) -> float:
        """The temperature of the least loss, drawn towards 1 as by a single row.

        It is where a parabola through the best that was tried and its neighbours is lowest.
        """
        losses = self.sums + _TRIED**2 / 2
        at = int(np.clip(np.argmin(losses), 1, len(losses) - 2))
        low, mid, high = losses[at - 1 : at + 2]
        bend = low - 2 * mid + high
        shift = (low - high) / (2 * bend) if bend > 0 else 0.0
        found = float(_TRIED[at]) + min(max(float(shift), -1.0), 1.0) * _APART
        return math.exp(round(found / _STEP) * _STEP)


def losses_of(logs: Floats, right: Array, weights: Floats, share: Floats | None = None) -> Losses:
    """The losses of rows.

    Parameters
    ----------
    logs
        Rows by classes: log-probabilities, or what differs from them by a number for each row.
    right
        The class of each row, as a code.
    weights
        What the rows weigh.
    share
        How much of a temperature, beyond 1, is that of the row; all unless given.

    Examples
    --------
    Nine of ten are right where 99 of 100 were promised:

    >>> logs = np.log(np.tile([0.99, 0.01], (1000, 1)))
    >>> losses = losses_of(logs, np.arange(1000) % 10 // 9, np.ones(1000))
    >>> round(losses.best, 2)
    2.1
    """
    logs = logs - logs.max(axis=1, keepdims=True, initial=-np.inf)
    of_right = logs[np.arange(len(logs)), right]
    shares = np.ones(len(logs)) if share is None else share
    sums: list[float] = []
    for tried in np.exp(_TRIED).tolist():
        slope = 1 / (1 + (tried - 1) * shares)
        total = np.log(np.exp(slope[:, None] * logs).sum(axis=1))
        sums.append(float(weights @ (total - slope * of_right)))
    return Losses(np.array(sums))


def temperature_of(data: Table | Source, predict: Callable[[Table], Floats]) -> float:
    """The temperature at which predictions are least wrong, in a round.

    Parameters
    ----------
    data
        The rows.
    predict
        Probabilities of rows that were not learned from.
    """

    def of(batch: Table) -> Losses:
        target = batch.domain.target
        assert target is not None, "the learner has checked that there is a target"
        rows = batch[np.flatnonzero(~batch.missing(target.name))]
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        logs = np.log(np.maximum(predict(rows), FLOOR))
        return losses_of(logs, rows.column(target.name), weights)

    return reduce(data, of).best
