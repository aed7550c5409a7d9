"""Estimates: how probable something is, from how often it was seen; raking to known totals."""

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats

#: Rounds there are at most, and the relative difference that is no longer looked at.
ROUNDS, CLOSE = 100, 1e-9

#: Half the width of an interval of 95 % of a normal distribution, in standard deviations.
_Z = 1.959963984540054


def relative(counts: Floats) -> Floats:
    """Shares of the whole; equal ones of nothing.

    Examples
    --------
    >>> relative(np.array([1.0, 3.0])).tolist(), relative(np.zeros(2)).tolist()
    ([0.25, 0.75], [0.5, 0.5])
    """
    return m_estimate(counts, counts.sum(), 0.0, 1 / max(len(counts), 1))


def m_estimate(
    counts: Floats, total: npt.ArrayLike, m: float, prior: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """(counts + m prior) / (total + m), by Cestnik (1990); the prior where that is 0 / 0.

    Examples
    --------
    >>> m_estimate(np.array([2.0, 3.0]), 5.0, m=2, prior=0.5).round(6).tolist()
    [0.428571, 0.571429]
    """
    room = np.asarray(total, float) + m
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(room > 0, (counts + m * np.asarray(prior)) / room, prior)


def wilson(share: npt.ArrayLike, size: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Where shares of so many rows lie with 95 % confidence (Wilson 1927).

    Examples
    --------
    >>> [round(float(end), 3) for end in wilson(0.8, 10)]
    [0.49, 0.943]
    """
    seen, ratio = np.asarray(share, np.float64), _Z**2 / np.asarray(size, np.float64)
    middle = (seen + ratio / 2) / (1 + ratio)
    spread = np.sqrt(seen * (1 - seen) * ratio + ratio**2 / 4) / (1 + ratio)
    return np.maximum(middle - spread, 0.0), np.minimum(middle + spread, 1.0)


def rake(p: Floats, weight: Floats, share: Floats) -> Floats:
    """Probabilities that add up to 1 at each point, and whose mean over the points is given.

    Columns and rows are scaled in turn until both agree, which leaves all odds ratios as they
    are (iterative proportional fitting, Deming and Stephan 1940).

    Parameters
    ----------
    p
        Points by classes, none below 0.
    weight
        What each point weighs in the mean.
    share
        The mean of each class; one of 0 is 0 everywhere.

    Examples
    --------
    >>> p = rake(np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([1.0, 1.0]), np.array([0.5, 0.5]))
    >>> p.round(3).tolist(), p.mean(axis=0).round(6).tolist()
    ([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5])
    """
    found = np.where(share > 0, p, 0.0)
    found = found / found.sum(axis=1, keepdims=True)
    for _ in range(ROUNDS):
        mean = np.einsum("i,ij->j", weight, found) / weight.sum()
        scale = np.where(share > 0, share / np.where(mean > 0, mean, 1), 0.0)
        if np.abs(scale[share > 0] - 1).max() < CLOSE:
            break
        found = found * scale
        found = found / found.sum(axis=1, keepdims=True)
    return found
