"""Compact: the curve of a kernel density estimate whose kernel ends somewhere, exactly.

Such a kernel is a polynomial on either side of its middle, so that the sum over the numbers that
it reaches is one of their moments. These are differences of running sums, which are kept about
the middle of cells as wide as half the kernel: a number and what it reaches are never far apart.
"""

from math import factorial

import numpy as np
from numpy.polynomial import Polynomial

from satsuma.data.columns import Floats
from satsuma.likelihoods.curves import Curve

#: Terms of the cosine: what is left out is below 1e-8 of it.
_COSINE = [0.0 if k % 2 else (-1) ** (k // 2) * (np.pi / 2) ** k / factorial(k) for k in range(13)]

#: Each kernel from its middle, 0, to where it ends, 1; and that end in standard deviations of it.
KERNELS = {
    "uniform": (Polynomial([0.5]), 3**0.5),
    "triangular": (Polynomial([1.0, -1.0]), 6**0.5),
    "epanechnikov": (0.75 * Polynomial([1.0, 0.0, -1.0]), 5**0.5),
    "biweight": (15 / 16 * Polynomial([1.0, 0.0, -1.0]) ** 2, 7**0.5),
    "triweight": (35 / 32 * Polynomial([1.0, 0.0, -1.0]) ** 3, 3.0),
    "cosine": (np.pi / 4 * Polynomial(_COSINE), (1 - 8 / np.pi**2) ** -0.5),
}

#: Pieces that half a kernel is cut into where it is no cubic.
_FINE = 16


def compact(kernel: str, value: Floats, weight: Floats, width: float) -> Curve:
    """The kernel density estimate of numbers in order, as pieces of polynomials.

    Parameters
    ----------
    kernel
        One of `KERNELS`.
    value, weight
        Distinct numbers in order, and what each weighs.
    width
        The standard deviation of the kernel.

    Examples
    --------
    >>> curve = compact("uniform", np.zeros(1), np.ones(1), 3**-0.5)
    >>> curve.edge.round(9).tolist(), curve.coef[:, 0].round(9).tolist()
    ([-1.0, 1.0, inf], [0.0, 0.5, 0.0])
    """
    shape, reach = KERNELS[kernel]
    half = width * reach
    t = (value - value[0]) / half
    knots = np.unique(np.concatenate((t - 1, t + 1, t if kernel == "triangular" else t[:0])))
    if shape.degree() > 3:
        knots = _finer(knots, t)
    middle = knots[:-1] / 2 + knots[1:] / 2
    inner = _derivatives(shape, t, weight, middle)
    scale = weight.sum() * half ** np.arange(1, 5) * [factorial(k) for k in range(4)]
    coef = np.zeros((len(knots) + 1, 4))
    coef[1:-1] = inner / scale
    centre = np.concatenate((knots[:1], middle, knots[-1:]))
    return Curve(np.append(value[0] + knots * half, np.inf), value[0] + centre * half, coef)


def _finer(knots: Floats, t: Floats) -> Floats:
    """More knots, so that none of the pieces that a kernel reaches is long."""
    middle = knots[:-1] / 2 + knots[1:] / 2
    reached = np.searchsorted(t, middle + 1) > np.searchsorted(t, middle - 1)
    length = np.diff(knots)
    parts = np.where(reached, np.ceil(length * _FINE), 1).astype(np.int64)
    which = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(which)) - (np.cumsum(parts) - parts)[which]) / parts[which]
    return np.append(knots[which] + share * length[which], knots[-1])


def _derivatives(shape: Polynomial, t: Floats, weight: Floats, at: Floats) -> Floats:
    """The sum of the kernels about each number, and its first three derivatives: (points, 4)."""
    degree = shape.degree()
    cell = np.floor(t)
    powers = weight[:, None] * (t - cell - 0.5)[:, None] ** np.arange(degree + 1)
    sums = np.vstack((np.zeros(degree + 1), np.cumsum(powers, axis=0)))
    home = np.floor(at)
    edges = [np.searchsorted(t, each) for each in (at - 1, home, at, home + 1, at + 1)]
    mirrored = shape(Polynomial([0.0, -1.0]))
    out = np.zeros((len(at), 4))
    for part, side in enumerate((shape, shape, mirrored, mirrored)):
        moments = sums[edges[part + 1]] - sums[edges[part]]
        away = at - (home + (-1, 0, 0, 1)[part]) - 0.5
        for order in range(min(degree, 3) + 1):
            for k in range(degree + 1 - order):
                term = side.deriv(k + order) if k + order else side
                out[:, order] += (-1) ** k / factorial(k) * term(away) * moments[:, k]
    return out
