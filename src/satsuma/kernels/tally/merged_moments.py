"""Moments of parts to moments of the whole, after Chan, Golub and LeVeque (1983).

A mean is kept as a sum of two floats, the second (`rest`) being what the first is too short for:
parts whose means differ by less than a float can tell still add up to the right spread.
"""

from typing import NamedTuple

import numpy as np

from satsuma.kernels._load import use_native
from satsuma.kernels.tally import twin
from satsuma.kernels.tally.twin import centre
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import two_sum

if use_native("tally"):
    from satsuma.kernels.tally import _native as kernel
else:
    kernel = twin


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


def from_sums(total: Floats, parts: Floats) -> tuple[GroupMoments, bool]:
    """Moments from the sums that the kernels give, and whether all of these are finite."""
    out = np.empty((6, parts.shape[0], parts.shape[2]))
    finite = kernel.from_sums(parts, out)
    out.flags.writeable = False
    return GroupMoments(total, *out), finite


def merge_moments(parts: list[GroupMoments]) -> GroupMoments:
    """The moments of all parts together."""
    if len(parts) == 1:
        return parts[0]
    held = np.array([each[1:] for each in parts])
    out = np.empty(held.shape[1:])
    if held.ndim == 4:
        kernel.merge(held, out)
    else:  # a single group, or a single value
        twin.merge(held, out)
    out.flags.writeable = False
    return GroupMoments(np.add.reduce([each.total for each in parts]), *out)


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
