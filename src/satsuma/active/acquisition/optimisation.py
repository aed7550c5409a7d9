"""Acquiring: which row to ask about next, by what is believed of all of them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from satsuma.data.columns import Floats
from satsuma.data.table import Table


class Guesses(NamedTuple):
    """What is believed of the distance to heaven of each row.

    Parameters
    ----------
    mean, sd
        Of each row, by the distances to heaven of the rows that are labelled.
    best
        The least distance to heaven so far.
    left
        The share of the budget that is left.
    """

    mean: Floats
    sd: Floats
    best: float
    left: float


#: Scores of all rows of the pool, the largest of which is asked about: a function of the guesses,
#: of the pool (a table without goals), and of the labelled rows (a table with theirs).
Acquire = Callable[[Guesses, Table, Table], Floats]

#: How many standard deviations better than it seems a row is hoped to be.
_HOPE = 2.0


def hope(model: Guesses, _pool: Table, _labelled: Table) -> Floats:
    """What a row may be at best: two standard deviations better than it seems (Cox, John 1992)."""
    return _HOPE * model.sd - model.mean


def improve(model: Guesses, _pool: Table, _labelled: Table) -> Floats:
    """By how much a row is expected to be better than the best so far (Jones et al. 1998)."""
    from scipy.special import ndtr

    gain = (model.best - model.mean) / model.sd
    density = np.exp(-gain * gain / 2) / np.sqrt(2 * np.pi)
    return model.sd * (gain * ndtr(gain) + density)


def exploit(model: Guesses, _pool: Table, _labelled: Table) -> Floats:
    """What seems to be nearest to heaven."""
    return -model.mean


def explore(model: Guesses, _pool: Table, _labelled: Table) -> Floats:
    """What is least known."""
    return model.sd


def adapt(model: Guesses, _pool: Table, _labelled: Table) -> Floats:
    """From hoping to exploiting, as the budget goes."""
    return _HOPE * model.left * model.sd - model.mean


#: Ways of choosing, by name; ``random`` needs no guesses.
ACQUIRE: dict[str, Acquire] = {
    "hope": hope,
    "improve": improve,
    "exploit": exploit,
    "explore": explore,
    "adapt": adapt,
}
