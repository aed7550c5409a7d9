"""Acquisition functions of Bayesian optimisation: which row to ask about next."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats


class Surrogate(NamedTuple):
    """What a surrogate model predicts of the distance of each row to the ideal point.

    Parameters
    ----------
    mean, sd
        Of each row, by the distances of the rows that are labelled.
    best
        The least distance so far.
    left
        The share of the budget that is left.
    """

    mean: Floats
    sd: Floats
    best: float
    left: float


#: Scores of all rows of the pool, the largest of which is asked about: a function of the surrogate
#: model, of the pool (a table without goals), and of the labelled rows (a table with theirs).
AcquisitionFunction = Callable[[Surrogate, Table, Table], Floats]

#: How many standard deviations better than it seems a row is hoped to be.
_HOPE = 2.0


def hope(model: Surrogate, _pool: Table, _labelled: Table) -> Floats:
    """The lower confidence bound: two standard deviations better than it seems (Cox, John 1992)."""
    return _HOPE * model.sd - model.mean


def improve(model: Surrogate, _pool: Table, _labelled: Table) -> Floats:
    """Expected improvement: by how much a row may be better than the best (Jones et al. 1998)."""
    from scipy.special import ndtr

    gain = (model.best - model.mean) / model.sd
    density = np.exp(-gain * gain / 2) / np.sqrt(2 * np.pi)
    return model.sd * (gain * ndtr(gain) + density)


def alternate(model: Surrogate, pool: Table, labelled: Table) -> Floats:
    """``hope`` and ``improve`` in turn: the one explores more, the other leaves what is settled."""
    choose = hope if len(labelled) % 2 else improve
    return choose(model, pool, labelled)


def exploit(model: Surrogate, _pool: Table, _labelled: Table) -> Floats:
    """What seems to be nearest to the ideal point."""
    return -model.mean


def explore(model: Surrogate, _pool: Table, _labelled: Table) -> Floats:
    """What is least known."""
    return model.sd


def adapt(model: Surrogate, _pool: Table, _labelled: Table) -> Floats:
    """From hoping to exploiting, as the budget goes."""
    return _HOPE * model.left * model.sd - model.mean


#: By name; ``random`` needs no surrogate model.
ACQUISITION_FUNCTIONS: dict[str, AcquisitionFunction] = {
    "alternate": alternate,
    "hope": hope,
    "improve": improve,
    "exploit": exploit,
    "explore": explore,
    "adapt": adapt,
}
