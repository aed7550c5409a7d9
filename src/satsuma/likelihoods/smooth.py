"""Smooth: the curve of a Gaussian kernel density estimate, through binning.

Numbers are put on a lattice of an eighth of the bandwidth, each on the four points about it with
the weights of a cubic through them; the kernel is summed on the lattice, and the logarithm of the
sum is interpolated by cubics. Both errors are of the fourth order: together less than 1e-4 of the
highest density. The lattice is laid only where numbers are near; beyond, the curve goes on as the
kernel of the nearest number does.
"""

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Floats
from satsuma.kernels.runs import on_lattice
from satsuma.likelihoods.curves import Curve

Whole = npt.NDArray[np.int64]

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
    node: Floats, height: Floats, stop: Whole, ends: tuple[Floats, Floats], width: float
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


def _crossings(centre: Floats, coef: Floats, one: Whole, two: Whole) -> Floats:
    """Where the parabolas that go out from two stretches meet, which have the same curvature."""
    apart = centre[two] - centre[one]
    rise = coef[two, 0] - coef[one, 0] - coef[two, 1] * apart + coef[two, 2] * apart**2
    slope = coef[one, 1] - coef[two, 1] + 2 * coef[two, 2] * apart
    return centre[one] + np.clip(rise / slope, 0, apart)
