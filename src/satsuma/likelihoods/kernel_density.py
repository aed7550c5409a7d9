"""Smooth: the curve of a Gaussian kernel density estimate, through binning.

Numbers are put on a lattice of an eighth of the bandwidth, each on the four points about it with
the weights of a cubic through them; the kernel is summed on the lattice, and the logarithm of the
sum is interpolated by cubics. Both errors are of the fourth order: together less than 1e-4 of the
highest density. The lattice is laid only where numbers are near; beyond, the curve goes on as the
kernel of the nearest number does.
"""

from math import factorial

import numpy as np
from numpy.polynomial import Polynomial

from satsuma.kernels.runs import on_lattice
from satsuma.likelihoods.curves import Curve
from satsuma.numerics.arrays import Floats, Integers

#: Points of the lattice to the bandwidth, and how many a kernel reaches to either side.
FINE, REACH = 8, 64

#: Points about a run of numbers, and those of them that are used.
_MARGIN, _USED = REACH + 4, REACH - 3

#: Points that a curve may take.
POINTS = 1 << 17

_KERNEL = np.exp(-0.5 * (np.arange(-REACH, REACH + 1) / FINE) ** 2)


def points(value: Floats, width: float) -> float:
    """About how many points of a lattice the curve would take."""
    step = width / FINE
    if (value[-1] - value[0]) / step + 2 * _MARGIN <= POINTS:
        return 0.0
    return float(np.minimum(np.diff(value) / step, 2 * _MARGIN).sum())


def gaussian(value: Floats, weight: Floats, width: float) -> Curve:
    """The logarithm of a Gaussian kernel density estimate, of numbers in order.

    Parameters
    ----------
    value, weight
        Distinct numbers in order, and what each weighs.
    width
        The standard deviation of the kernel.

    Examples
    --------
    >>> curve = gaussian(np.zeros(1), np.ones(1), 1.0)
    >>> float(np.exp(curve.coef[:, 0].max()).round(4))
    0.3989
    """
    step = width / FINE
    cell, start, amounts = on_lattice(value, weight, float(value[0]), 1 / step)
    fresh = np.concatenate(([True], np.diff(cell) > 2 * REACH))
    first, last = cell[fresh], cell[np.append(fresh[1:], True)]
    # Each stretch of numbers has its place in one array, too far from the next to be reached.
    room = last - first + 1 + 2 * _MARGIN
    offset = np.cumsum(room) - room + _MARGIN - first
    grid = np.zeros(int(room.sum()))
    at = cell + offset[np.cumsum(fresh) - 1]
    for shift, amount in zip((-1, 0, 1, 2), amounts.T, strict=True):
        grid[at + shift] += amount
    dense = np.convolve(grid, _KERNEL, "same") / (weight.sum() * width * np.sqrt(2 * np.pi))
    size = last - first + 1 + 2 * _USED
    stretch = np.repeat(np.arange(len(size)), size)
    place = np.arange(len(stretch)) - (np.cumsum(size) - size - first + _USED)[stretch]
    node = value[0] + place * step
    height = np.log(np.maximum(dense[place + offset[stretch]], np.finfo(float).tiny))
    ends = value[start[fresh]], value[np.append(start[fresh][1:], len(value)) - 1]
    return _pieces(node, height, np.cumsum(size), ends, width)


def _pieces(
    node: Floats, height: Floats, stop: Integers, ends: tuple[Floats, Floats], width: float
) -> Curve:
    """Cubics between points, and parabolas before and behind each stretch of them.

    Parameters
    ----------
    node, height
        The points, and the logarithm of the density there.
    stop
        Where each stretch of points ends.
    ends
        The first and the last number of each stretch.
    width
        The bandwidth.
    """
    step = width / FINE
    coef = np.zeros((len(node), 4))
    before, here, after, then = height[:-3], height[1:-2], height[2:-1], height[3:]
    coef[:, 0] = height
    coef[1:-2, 1] = (after - before / 3 - here / 2 - then / 6) / step
    coef[1:-2, 2] = (before - 2 * here + after) / (2 * step**2)
    coef[1:-2, 3] = (then - before + 3 * (here - after)) / (6 * step**3)
    left, right = np.append(0, stop[:-1]), stop - 2
    centre, edge = node.copy(), np.append(node[1:], np.inf)
    for at, inner, near in ((left, left + 1, ends[0]), (right, right, ends[1])):
        centre[at] = node[inner]
        coef[at, 0] = height[inner]
        coef[at, 1] = (near - node[inner]) / width**2
        coef[at, 2] = -0.5 / width**2
        coef[at, 3] = 0.0
    edge[right] = np.append(_crossings(centre, coef, right[:-1], left[1:]), np.inf)
    kept = np.ones(len(node), np.bool_)
    kept[stop - 1] = False
    return Curve(edge[kept], centre[kept], coef[kept])


def _crossings(centre: Floats, coef: Floats, one: Integers, two: Integers) -> Floats:
    """Where the parabolas that go out from two stretches meet, which have the same curvature."""
    apart = centre[two] - centre[one]
    rise = coef[two, 0] - coef[one, 0] - coef[two, 1] * apart + coef[two, 2] * apart**2
    slope = coef[one, 1] - coef[two, 1] + 2 * coef[two, 2] * apart
    return centre[one] + np.clip(rise / slope, 0, apart)


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
