"""Moments of parts to moments of the whole, after Chan, Golub and LeVeque (1983).

A mean is kept as a sum of two floats, the second (`rest`) being what the first is too short for:
parts whose means differ by less than a float can tell still add up to the right spread.
"""

import os
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.kernels.merging import twin as merging_twin
from satsuma.kernels.merging.twin import centre, two_sum

Floats = npt.NDArray[np.float64]

_kernels: Any = merging_twin
try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels.merging import _native as _merging
except ImportError:
    compiled = False
else:
    _kernels = _merging
    compiled = True


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
    finite = _kernels.from_sums(parts, out)
    out.flags.writeable = False
    return GroupMoments(total, *out), finite


def merge_moments(parts: list[GroupMoments]) -> GroupMoments:
    """The moments of all parts together."""
    if len(parts) == 1:
        return parts[0]
    held = np.array([each[1:] for each in parts])
    out = np.empty(held.shape[1:])
    if held.ndim == 4:
        _kernels.merge(held, out)
    else:  # a single group, or a single value
        merging_twin.merge(held, out)
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
