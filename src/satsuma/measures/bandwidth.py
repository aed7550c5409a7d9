"""Bandwidths: how far a kernel density estimate is to smooth."""

import numpy as np

from satsuma.numerics.arrays import Floats, Indices

#: The rules, by name.
RULES = ("nrd0", "scott", "silverman")


def bandwidth(rule: str, value: Floats, weight: Floats) -> float:
    """The bandwidth for numbers in order, and what each weighs; 0 where all are the same.

    ``nrd0`` is 0.9 min(sd, IQR / 1.34) n^(-1/5) (Silverman 1986), R's default; the sd alone where
    the quartiles are equal. ``scott`` is sd n^(-1/5) (Scott 1992), and ``silverman`` sd (3 n / 4)^
    (-1/5) (Silverman 1986), as in SciPy. A weight of 2 is the number twice: n is the sum of them.

    Examples
    --------
    >>> round(bandwidth("nrd0", np.arange(5.0), np.ones(5)), 4)
    0.9736
    """
    if len(value) < 2:
        return 0.0
    total, sd = float(weight.sum()), spread(value, weight)
    if rule == "scott":
        return sd * total**-0.2
    if rule == "silverman":
        return sd * (0.75 * total) ** -0.2
    quarters = quantiles(value, weight, np.array([0.25, 0.75]))
    return 0.9 * (min(sd, float(quarters[1] - quarters[0]) / 1.34) or sd) * total**-0.2


def spread(value: Floats, weight: Floats) -> float:
    """The standard deviation over n - 1; over half the weight, where that is less than two.

    Examples
    --------
    >>> spread(np.array([1.0, 3.0]), np.array([1.0, 1.0])) ** 2
    2.0000000000000004
    """
    total = float(weight.sum())
    if len(value) < 2:
        return 0.0
    # Not by BLAS, which has threads of its own.
    away = value - np.einsum("i,i->", weight, value) / total
    square = np.einsum("i,i->", weight, np.square(away, out=away))
    return float(np.sqrt(square / max(total - 1, total / 2)))


def quantiles(value: Floats, weight: Floats, shares: Floats) -> Floats:
    """Quantiles of numbers in order, by Hyndman and Fan's (1996) type 7, R's default.

    With weights, as if each number were there so often: the quantile lies between the numbers at
    places floor(h) and floor(h) + 1 of that list, counted from 0, where h = (n - 1) share.

    Examples
    --------
    >>> quantiles(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 1.0]), np.array([0.5, 0.9]))
    array([2. , 3.4])
    """
    upto = np.cumsum(weight)
    place: Floats = np.multiply(np.maximum(upto[-1] - 1, 0), shares)
    low: Floats = np.floor(place)
    # A sum of weights that are no whole numbers may miss a place by a rounding error.
    slack = 1e-12 * float(upto[-1])
    below: Indices = np.searchsorted(upto[:-1], low + slack, side="right")
    above: Indices = np.searchsorted(upto[:-1], low + 1 + slack, side="right")
    return value[below] + (place - low) * (value[above] - value[below])
