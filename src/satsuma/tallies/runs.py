"""Runs: the distinct numbers of each class, in order, and what each weighs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from satsuma.kernels import runs
from satsuma.numerics.arrays import Floats, Integers

Run = tuple[Floats, Floats]


class Runs(NamedTuple):
    """The numbers of one column: one increasing run for each class, one behind the other.

    Class `c` has ``value[starts[c] : starts[c + 1]]``, and what each weighs in `weight`.
    """

    value: Floats
    weight: Floats
    starts: Integers

    @classmethod
    def of(cls, each: Sequence[Run]) -> "Runs":
        """The runs of all classes, from those of each."""
        values, weights = zip(*each, strict=True) if each else ((np.zeros(0),), (np.zeros(0),))
        sizes = [len(value) for value, _ in each]
        return cls(np.concatenate(values), np.concatenate(weights), _starts(sizes))

    def of_class(self, code: int) -> Run:
        """The distinct numbers of a class, in order, and what each weighs."""
        mine = slice(self.starts[code], self.starts[code + 1])
        return self.value[mine], self.weight[mine]

    def merged(self) -> tuple[Floats, Floats]:
        """The distinct numbers of all classes, and an array (distinct, classes) of weights.

        Examples
        --------
        >>> runs = Runs.of([(np.array([1.0, 2.0]), np.ones(2)), (np.array([2.0]), np.ones(1))])
        >>> value, weight = runs.merged()
        >>> value.tolist(), weight.tolist()
        ([1.0, 2.0], [[1.0, 0.0], [1.0, 1.0]])
        """
        return runs.side_by_side(self.value, self.weight, self.starts)

    def without(self, other: "Runs") -> "Runs | None":
        """What is left when another's are taken away; None where they are not among these."""
        pairs = [(self.of_class(c), other.of_class(c)) for c in range(len(self.starts) - 1)]
        rest = [_without(*pair) for pair in pairs]
        kept = [each for each in rest if each is not None]
        return Runs.of(kept) if len(kept) == len(rest) else None


class Room:
    """Where runs are written: one piece of memory for all, which is had sooner than many.

    Parameters
    ----------
    sizes
        How many numbers each run may have.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.starts = _starts(sizes)
        self.found = np.zeros(len(sizes), np.int64)
        self._value, self._weight = np.empty(self.starts[-1]), np.empty(self.starts[-1])

    def of_run(self, lo: int, hi: int) -> tuple[Floats, Floats]:
        """Where the values and weights of runs `lo` to `hi` go."""
        mine = slice(self.starts[lo], self.starts[hi])
        return self._value[mine], self._weight[mine]

    def add(self, at: int, one: Run, two: Run) -> None:
        """Write a run that is the sum of two."""
        value, weight = self.of_run(at, at + 1)
        if len(one[0]) and len(two[0]):
            self.found[at] = runs.add(*one, *two, value, weight)
        else:
            value[:], weight[:] = one if len(one[0]) else two
            self.found[at] = len(value)

    def taken(self, lo: int, hi: int) -> Runs:
        """Runs `lo` to `hi`, which stay where they are if little room was left over."""
        size, found = self.starts[hi] - self.starts[lo], self.found[lo:hi]
        if found.sum() == size and 2 * self.found.sum() > len(self._value):
            return Runs(*self.of_run(lo, hi), self.starts[lo : hi + 1] - self.starts[lo])
        each: list[Any] = []
        for at, n in zip(range(lo, hi), found.tolist(), strict=True):
            value, weight = self.of_run(at, at + 1)
            each.append((value[:n], weight[:n]))
        return Runs.of(each)


def _starts(sizes: Sequence[int]) -> Integers:
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)


def _without(one: Run, two: Run) -> Run | None:
    (value, weight), (gone, less) = one, two
    at = np.searchsorted(value, gone)
    if len(gone) and (at[-1] >= len(value) or not np.array_equal(value[at], gone)):
        return None
    rest = weight.copy()
    rest[at] -= less
    # What is left of a weight that was taken away is nothing, but for rounding.
    if (rest[at] < -1e-9 * weight[at]).any():
        return None
    kept = rest > 1e-9 * weight
    return value[kept], rest[kept]
