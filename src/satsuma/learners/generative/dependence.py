"""Dependence: what columns say, given the class and the columns that they depend on."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.kernels.posterior import Joint
from satsuma.measures.estimates import m_estimate
from satsuma.numerics.arrays import Codes, Floats
from satsuma.tallies.joint_counts import JointCounts, Places


class Smoothing(NamedTuple):
    """How probabilities are estimated from counts.

    Parameters
    ----------
    m
        Imaginary rows, spread over all values.
    alpha
        Imaginary rows for each value, instead.
    least
        What the rows with a value must weigh for it to be a parent.

    Examples
    --------
    >>> Smoothing(m=2)(np.array([1.0, 3.0]), np.array([4.0]), 2).round(3).tolist()
    [0.333, 0.667]
    """

    m: float
    alpha: float | None = None
    least: float = 1.0

    def __call__(self, counts: Floats, sums: Floats, size: int) -> Floats:
        """Shares of the sums over so many values, with imaginary rows among them."""
        return m_estimate(counts, sums, self.imagined(size), 1 / max(size, 1))

    def imagined(self, size: int) -> float:
        """How many rows are imagined among so many values."""
        return self.m if self.alpha is None else self.alpha * size


class Dependence(NamedTuple):
    """What the columns say, given the class and some columns, the parents.

    Parameters
    ----------
    parents
        Their places among the columns.
    enough
        By value of the parents, flat: whether enough rows have it; the last is of a missing one.
    base
        (values of the parents, classes): the logarithm of the probability of both, by the prior of
        the classes.
    children
        For each other column (values of the parents and then its own, flat, classes): the
        logarithm of the probability of its value given the others; by its place.
    joint
        All of it, as the kernel takes it.
    total
        What the rows weigh of which the base is a share.
    """

    parents: Places
    enough: npt.NDArray[np.bool_]
    base: Floats
    children: dict[int, Floats]
    joint: Joint
    total: Floats

    @classmethod
    def of(
        cls,
        tally: JointCounts,
        parents: Places,
        smoothing: Smoothing,
        shift: Floats,
        without: float = 0.0,
    ) -> "Dependence":
        """What follows from counts; for each cell without one row of it, if that is wanted.

        Parameters
        ----------
        tally
            The counts.
        parents
            The columns that the others depend on.
        smoothing
            How probabilities are estimated.
        shift
            By class: the logarithm of its prior over its share of the rows.
        without
            What the row weighs that is taken out: what is said of its class is then what would
            have been said without it.
        """
        counts = tally.counts
        classes = len(tally.class_weight)
        found = counts[parents].reshape(-1, classes) if parents else tally.class_weight[None]
        children: dict[int, Floats] = {}
        for at, size in enumerate(tally.levels):
            if at not in parents:
                together = tuple(sorted((*parents, at)))
                each = np.moveaxis(counts[together], together.index(at), -2)
                each = each.reshape(len(found), size, classes)
                sums = each.sum(axis=1, keepdims=True)
                shares = smoothing(_less(each, without), _less(sums, without), size)
                children[at] = _log(shares).reshape(-1, classes)
        total, left = _less(found.sum(keepdims=True), without), _less(found, without)
        imagined = smoothing.imagined(found.size) if parents else 0.0
        shares = m_estimate(left, total, imagined, 1 / max(found.size, 1))
        base = _log(np.where(tally.class_weight > without, shares, 0.0)) + shift
        none = np.zeros((classes, 0))
        joint = Joint(np.zeros(classes), none, none, [base, *children.values()])
        enough = found.sum(axis=1) - without >= (smoothing.least if parents else -without)
        return cls(parents, np.append(enough, False), base, children, joint, total + imagined)

    def codes(self, codes: list[Codes], levels: tuple[int, ...]) -> tuple[Codes, list[Codes]]:
        """The value of the parents of each row, -1 where they cannot be it; and with each child."""
        value: Any = np.zeros(len(codes[0]), np.int32)
        for at in self.parents:
            value = np.where((value >= 0) & (codes[at] >= 0), value * levels[at] + codes[at], -1)
        value = np.where(self.enough[value], value, -1).astype(np.int32)
        each = [
            np.where((value >= 0) & (codes[at] >= 0), value * levels[at] + codes[at], -1)
            for at in self.children
        ]
        return value, [one.astype(np.int32, copy=False) for one in each]

    def says(self, codes: list[Codes], levels: tuple[int, ...]) -> tuple[Floats, Codes]:
        """Rows by classes: the logarithm of the joint probability; and the value of the parents."""
        value, children = self.codes(codes, levels)
        return self.joint.log_joint([], [value, *children], rows=len(value)), value

    def parts(self, codes: list[Codes], levels: tuple[int, ...]) -> dict[Places, Floats]:
        """What the parents, and each child, say of the first row, by class; their sum is `says`."""
        value, children = self.codes(codes, levels)
        said = {self.parents: self.base[value[0]]}
        for (at, table), code in zip(self.children.items(), children, strict=True):
            if code[0] >= 0:
                said[at,] = table[code[0]]
        return said


def _less(counts: Floats, without: float) -> Floats:
    return np.maximum(counts - without, 0) if without else counts


def _log(shares: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(shares)
