"""Estimates: how probable something is, from how often it was seen."""

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats


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
