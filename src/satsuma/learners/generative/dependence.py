"""Dependence: what columns say, given the class and the columns that they depend on."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.kernels.posterior import Joint
from satsuma.measures.estimates import m_estimate, relative
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
    >>> Smoothing(m=2)(np.array([1.0, 3.0]), axis=0).round(3).tolist()
    [0.333, 0.667]
    """

    m: float
    alpha: float | None = None
    least: float = 1.0

    def __call__(self, counts: Floats, axis: int | None) -> Floats:
        """Shares along an axis, or of the whole, with imaginary rows among them."""
        size = counts.size if axis is None else counts.shape[axis]
        m = self.m if self.alpha is None else self.alpha * size
        return m_estimate(counts, counts.sum(axis=axis, keepdims=True), m, 1 / max(size, 1))


class Dependence(NamedTuple):
    """What the columns say, given the class and some columns, the parents.

    Parameters
    ----------
    parents
        Their places among the columns.
    enough
        By value of the parents, flat: whether enough rows have it; the last is of a missing one.
    base
        (values of the parents, classes): the logarithm of the probability of both.
    children
        For each other column (values of the parents and then its own, flat, classes): the
        logarithm of the probability of its value given the others; by its place.
    joint
        All of it, as the kernel takes it.
    """

    parents: Places
    enough: npt.NDArray[np.bool_]
    base: Floats
    children: dict[int, Floats]
    joint: Joint

    @classmethod
    def of(cls, tally: JointCounts, parents: Places, smoothing: "Smoothing") -> "Dependence":
        """What follows from counts."""
        counts = tally.counts
        classes = len(tally.class_weight)
        found = counts[parents].reshape(-1, classes) if parents else tally.class_weight[None]
        children: dict[int, Floats] = {}
        for at, size in enumerate(tally.levels):
            if at not in parents:
                together = tuple(sorted((*parents, at)))
                each = np.moveaxis(counts[together], together.index(at), -2)
                each = each.reshape(len(found), size, classes)
                children[at] = _log(smoothing(each, axis=1)).reshape(-1, classes)
        shares = smoothing(found, axis=None) if parents else relative(found[0])[None]
        base = _log(np.where(tally.class_weight > 0, shares, 0.0))
        none = np.zeros((classes, 0))
        joint = Joint(np.zeros(classes), none, none, [base, *children.values()])
        enough = found.sum(axis=1) >= (smoothing.least if parents else 0)
        return cls(parents, np.append(enough, False), base, children, joint)

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


def _log(shares: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(shares)
