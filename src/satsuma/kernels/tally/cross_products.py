"""Cross-products of columns about their means: of complete rows, and of every two columns.

Rows that are complete have a loop in the kernels (`tally.scatter`). Others are put into pairs: of
every two columns, the rows where both are known.
"""

from typing import NamedTuple

import numpy as np

from satsuma.kernels.tally.twin import centre
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import two_sum


class GroupScatter(NamedTuple):
    """Means (groups, columns) and cross-products about them (groups, columns, columns)."""

    total: Floats
    weight: Floats
    mean: Floats
    rest: Floats
    cross: Floats


class GroupPairs(NamedTuple):
    """What is known of two columns together: arrays (groups, columns, columns).

    `weight` is that of the rows where both are known, `mean` that of the first over them (`rest`
    is what it is too short for), and `cross` the cross-products about these means.
    """

    weight: Floats
    mean: Floats
    rest: Floats
    cross: Floats


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


def pairs_from_cross(cross: Floats, shift: Floats) -> GroupPairs:
    """The pairs of rows that are not complete, from the cross-products that the kernels give."""
    d = int(shift.shape[1])
    products, summed, weight = cross[:, :d, :d], cross[:, :d, d:], cross[:, d:, d:]
    off = summed / np.where(weight > 0, weight, 1)
    mean, rest = two_sum(np.where(weight > 0, shift[:, :, None], 0.0), off)
    return GroupPairs(weight, mean, rest, _about(products, summed, off))


def _about(cross: Floats, summed: Floats, off: Floats) -> Floats:
    """Cross-products about the means."""
    about = cross - summed * off.swapaxes(-1, -2)
    about = (about + about.swapaxes(-1, -2)) / 2
    at = range(int(about.shape[-1]))
    about[..., at, at] = np.maximum(about[..., at, at], 0)
    return about


def pairs_of_complete(whole: GroupScatter) -> GroupPairs:
    """The pairs of rows that are all complete."""
    shape = whole.cross.shape
    weight = np.broadcast_to(whole.weight[:, None, None], shape)
    mean, rest = (np.broadcast_to(each[:, :, None], shape) for each in (whole.mean, whole.rest))
    return GroupPairs(weight, mean, rest, whole.cross)


def merge_pairs(parts: list[GroupPairs]) -> GroupPairs:
    """The pairs of all parts together (Chan, Golub and LeVeque 1983)."""
    if len(parts) == 1:
        return parts[0]
    weight, mean, rest, cross = map(np.stack, zip(*parts, strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        whole, middle, short, away = centre(weight, mean, rest)
        between = (weight * away * away.swapaxes(-1, -2)).sum(axis=0)
    return GroupPairs(whole, middle, short, cross.sum(axis=0) + between)


def pairs_without(every: GroupPairs, some: GroupPairs, weight: Floats) -> GroupPairs:
    """The pairs of the rows that are left, of a weight that is known, where some are taken out.

    The formulas of Chan, Golub and LeVeque, backwards.
    """
    left = weight > 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        gap = np.where(some.weight > 0, (every.mean - some.mean) + (every.rest - some.rest), 0)
        step = np.where(left, gap * (some.weight / weight), 0.0)
        between = every.weight * step * gap.swapaxes(-1, -2)
        mean, rest = two_sum(every.mean, every.rest + step)
    cross = np.where(left, every.cross - some.cross - between, 0.0)
    return GroupPairs(weight, np.where(left, mean, 0.0), np.where(left, rest, 0.0), cross)
