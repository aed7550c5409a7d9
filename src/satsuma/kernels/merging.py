"""Moments of parts to moments of the whole, after Chan, Golub and LeVeque (1983).

A mean is kept as a sum of two floats, the second (`rest`) being what the first is too short for:
parts whose means differ by less than a float can tell still add up to the right spread.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class GroupMoments(NamedTuple):
    """Moments of groups and columns, arrays (groups, columns); `total` is (groups,)."""

    total: Floats
    weight: Floats
    mean: Floats
    rest: Floats
    m2: Floats
    lo: Floats
    hi: Floats


class GroupScatter(NamedTuple):
    """Means (groups, columns) and cross-products about them (groups, columns, columns)."""

    total: Floats
    weight: Floats
    mean: Floats
    rest: Floats
    cross: Floats


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """A sum as it is rounded, and what the rounding took away (Knuth 1969).

    Examples
    --------
    >>> total, lost = two_sum(np.array([1e16]), np.array([1.0]))
    >>> float(total[0]), float(lost[0])
    (1e+16, 1.0)
    """
    total = a + b
    from_b = total - a
    return total, (a - (total - from_b)) + (b - from_b)


def from_parts(total: Floats, parts: Floats) -> GroupMoments:
    """Moments from the sums that the kernels give."""
    weight, summed, square, lo, hi, shift = np.moveaxis(parts, 1, 0)
    some = np.where(weight > 0, weight, 1)
    off = summed / some
    mean, rest = two_sum(shift, off)
    m2 = np.maximum(square - summed * off, 0)
    return _constant_is_constant(GroupMoments(total, weight, mean, rest, m2, lo, hi))


def _constant_is_constant(m: GroupMoments) -> GroupMoments:
    """No spread, not even a rounding error of it, where all values are the same."""
    same = m.lo == m.hi
    if not same.any():
        return m
    mean, rest, m2 = np.where(same, m.lo, m.mean), m.rest * ~same, np.where(same, 0, m.m2)
    return m._replace(mean=mean, rest=rest, m2=m2)


def centre(weight: Floats, mean: Floats, rest: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The mean of all parts, in two floats, and how far those of the parts are from it."""
    whole = weight.sum(axis=0)
    share = weight / np.where(whole > 0, whole, 1)
    near = (share * mean).sum(axis=0)
    away = np.where(weight > 0, (mean - near) + rest, 0)
    off = (share * away).sum(axis=0)
    return whole, *two_sum(near, off), away - off


def merge_moments(parts: list[GroupMoments]) -> GroupMoments:
    """The moments of all parts together."""
    if len(parts) == 1:
        return parts[0]
    total, weight, mean, rest, m2, lo, hi = map(np.array, zip(*parts, strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        whole, middle, short, away = centre(weight, mean, rest)
        spread = m2.sum(axis=0) + np.where(weight > 0, weight * away * away, 0).sum(axis=0)
    merged = GroupMoments(
        total.sum(axis=0), whole, middle, short, spread, lo.min(axis=0), hi.max(axis=0)
    )
    return _constant_is_constant(merged)


def scatter_from_cross(total: Floats, cross: Floats, shift: Floats) -> GroupScatter:
    """Scatter from the cross-products that the kernels give."""
    weight, summed = cross[:, -1, -1], cross[:, -1, :-1]
    off = summed / np.where(weight > 0, weight, 1)[:, None]
    mean, rest = two_sum(shift, off)
    about = cross[:, :-1, :-1] - summed[:, :, None] * off[:, None, :]
    about = (about + about.swapaxes(1, 2)) / 2
    diagonal = np.arange(int(shift.shape[1]))
    about[:, diagonal, diagonal] = np.maximum(about[:, diagonal, diagonal], 0)
    return GroupScatter(total, weight, mean, rest, about)


def merge_scatter(parts: list[GroupScatter]) -> GroupScatter:
    """The scatter of all parts together."""
    if len(parts) == 1:
        return parts[0]
    total, weight, mean, rest, cross = map(np.array, zip(*parts, strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        whole, middle, short, away = centre(weight[..., None], mean, rest)
        between = np.einsum("tg,tgi,tgj->gij", weight, away, away)
    return GroupScatter(
        total.sum(axis=0), whole[..., 0], middle, short, cross.sum(axis=0) + between
    )
