"""Local: shares of classes about a point, by regression that is weighted by nearness."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats

#: Groups of neighbours to a class, where there are more distinct numbers.
GROUPS = 256


def thinned(runs: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Numbers in order, and what each weighs in each class: (numbers, classes).

    They are distinct numbers where no class has more than `GROUPS` of them. Else they are means
    of neighbours, which changes shares by less than 1e-3.

    Parameters
    ----------
    runs
        For each class, its distinct numbers in order, and what each weighs.

    Examples
    --------
    >>> value, weight = thinned([(np.array([1.0, 2.0]), np.ones(2)), (np.array([2.0]), np.ones(1))])
    >>> value.tolist(), weight.tolist()
    ([1.0, 2.0], [[1.0, 0.0], [1.0, 1.0]])
    """
    most = max(len(value) for value, _ in runs)
    ends = np.unique(np.concatenate([_ends(value) for value, _ in runs]))
    weight, moment = np.zeros((len(ends), len(runs))), np.zeros(len(ends))
    for code, (value, each) in enumerate(runs):
        at = np.searchsorted(value, ends, "right")
        weight[:, code] = _between(each, at)
        moment += _between(each * value, at)
    if most <= GROUPS:
        return ends, weight
    return np.minimum(moment / weight.sum(axis=1), ends), weight


def _ends(value: Floats) -> Floats:
    """Numbers that end a group: all of them, or at equal steps in rank, and in width as well."""
    if len(value) <= GROUPS:
        return value
    ranks = np.linspace(0, len(value) - 1, GROUPS // 2).astype(np.intp)
    share: Floats = np.linspace(0, 1, GROUPS // 2)
    steps = value[0] * (1 - share) + value[-1] * share
    return np.concatenate((value[ranks], value[np.searchsorted(value, steps, "right") - 1]))


def _between(amount: Floats, at: npt.NDArray[np.intp]) -> Floats:
    """What there is up to the first place, from there to the second, and so on."""
    return np.diff(np.concatenate(([0.0], np.cumsum(amount)))[at], prepend=0.0)


def local_shares(value: Floats, weight: Floats, at: Floats, window: float) -> Floats:
    """The share of each class about some points, by weighted linear regression: (points, classes).

    The window of a point has the nearest rows, a certain share of all, but at least three. A row
    at distance d weighs (1 - (d / h)^3)^3, where h is the distance of the farthest (Cleveland
    1979). The line is that of least squares through the indicator of the class, and the share is
    its height at the point, which may be below 0 or above 1.

    Parameters
    ----------
    value, weight
        Numbers in order, and (numbers, classes) what each weighs in each class.
    at
        The points.
    window
        The share of the rows that is in the window of a point.

    Examples
    --------
    >>> value, weight = np.arange(4.0), np.eye(2)[[0, 0, 1, 1]]
    >>> local_shares(value, weight, np.array([1.5]), window=1.0).tolist()
    [[0.5, 0.5]]
    """
    total = weight.sum(axis=1)
    reach = _reaches(value, np.cumsum(total), at, max(3.0, np.ceil(total.sum() * window)))
    away = value - at[:, None]
    near = np.minimum(np.abs(away) / np.where(reach > 0, reach, 1)[:, None], 1.0)
    # A window of one number has the rows of that number.
    cube = 1 - near * near * near
    kernel = np.where(reach[:, None] > 0, cube * cube * cube, near == 0)
    first = kernel * away
    # No product of matrices: BLAS has threads of its own.
    by_class = np.ascontiguousarray(weight.T)
    sums, moments = (np.einsum("ij,kj->ik", part, by_class) for part in (kernel, first))
    n = sums.sum(axis=1)
    share, mean = sums / n[:, None], moments.sum(axis=1) / n
    square = np.einsum("ij,ij,j->i", first, away, total) / n
    spread = square - mean**2
    tilt = moments / n[:, None] - share * mean[:, None]
    flat = spread <= 1e-12 * square
    slope = np.where(flat[:, None], 0.0, tilt / np.where(flat, 1.0, spread)[:, None])
    return share - slope * mean[:, None]


def _reaches(value: Floats, upto: Floats, at: Floats, wanted: float) -> Floats:
    """How far the window of each point goes: to the farthest of the nearest rows."""
    wanted = min(wanted, float(upto[-1])) * (1 - 1e-12)
    before = np.concatenate(([0.0], upto[:-1]))
    # Windows that start at each number, and end as soon as they have enough. The one that reaches
    # least far from a point has the nearest rows.
    stop = np.searchsorted(upto, before + wanted)
    low, high = value[stop < len(value)], value[stop[stop < len(value)]]
    return np.maximum(at[:, None] - low, high - at[:, None]).min(axis=1)
