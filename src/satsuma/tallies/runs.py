"""Runs: the distinct numbers of each class, in order, and what each weighs."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


class Runs(NamedTuple):
    """The numbers of one column: one increasing run for each class, one behind the other.

    Class `c` has ``value[starts[c] : starts[c + 1]]``, and what each weighs in `weight`.
    """

    value: Floats
    weight: Floats
    starts: npt.NDArray[np.int64]

    def of_class(self, code: int) -> tuple[Floats, Floats]:
        """The distinct numbers of a class, in order, and what each weighs."""
        mine = slice(self.starts[code], self.starts[code + 1])
        return self.value[mine], self.weight[mine]

    def merged(self) -> tuple[Floats, Floats]:
        """The distinct numbers of all classes, and an array (distinct, classes) of weights.

        Examples
        --------
        >>> runs = joined([(np.array([1.0, 2.0]), np.ones(2)), (np.array([2.0]), np.ones(1))])
        >>> value, weight = runs.merged()
        >>> value.tolist(), weight.tolist()
        ([1.0, 2.0], [[1.0, 0.0], [1.0, 1.0]])
        """
        # A stable sort of runs that are in order is no more than a merge.
        order = np.argsort(self.value, kind="stable")
        value = self.value[order]
        first = _firsts(value)
        at = np.cumsum(first) - 1
        code = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        weight = np.zeros((int(at[-1]) + 1 if len(at) else 0, len(self.starts) - 1))
        weight[at, code[order]] = self.weight[order]
        return value[first], weight


Run = tuple[Floats, Floats]


def joined(runs: list[Run]) -> Runs:
    """The runs of all classes, one behind the other."""
    starts = np.zeros(len(runs) + 1, np.int64)
    starts[1:] = np.cumsum([len(value) for value, _ in runs])
    if len(runs) == 1:
        return Runs(*runs[0], starts)
    values, weights = zip(*runs, strict=True) if runs else ((), ())
    empty = [np.zeros(0)]
    return Runs(np.concatenate(values or empty), np.concatenate(weights or empty), starts)


def run_of(numbers: Floats, weights: Floats | None) -> Run:
    """The distinct known numbers, in order, and what each weighs; `numbers` may be overwritten.

    Examples
    --------
    >>> value, weight = run_of(np.array([2.0, np.nan, 1.0, 2.0]), None)
    >>> value.tolist(), weight.tolist()
    ([1.0, 2.0], [1.0, 2.0])
    """
    if weights is None:
        numbers.sort()
        known = int(np.searchsorted(numbers, np.nan))
        value = numbers[:known] + 0.0  # no -0.0
        return _distinct(value, None)
    kept = ~np.isnan(numbers) & (weights > 0)
    value, weight = numbers[kept] + 0.0, weights[kept]
    order = np.argsort(value, kind="stable")
    return _distinct(value[order], weight[order])


def added(one: Run, two: Run) -> Run:
    """The run of two."""
    if not len(one[0]) or not len(two[0]):
        return one if len(one[0]) else two
    value = np.concatenate((one[0], two[0]))
    order = np.argsort(value, kind="stable")
    return _distinct(value[order], np.concatenate((one[1], two[1]))[order])


def taken(one: Run, two: Run) -> Run | None:
    """The run of one without what the other holds; None where that is not in it.

    Examples
    --------
    >>> left = taken((np.array([1.0, 2.0]), np.array([1.0, 3.0])), (np.array([1.0]), np.ones(1)))
    >>> left[0].tolist(), left[1].tolist()
    ([2.0], [3.0])
    """
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


def _distinct(value: Floats, weight: Floats | None) -> Run:
    first = _firsts(value)
    if first.all():
        return value, np.ones(len(value)) if weight is None else weight
    start = np.flatnonzero(first)
    if weight is None:
        return value[start], np.diff(start, append=len(value)).astype(np.float64)
    return value[start], np.add.reduceat(weight, start)


def _firsts(value: Floats) -> npt.NDArray[np.bool_]:
    """Where a number differs from the one before it."""
    first = np.ones(len(value), np.bool_)
    np.not_equal(value[1:], value[:-1], out=first[1:])
    return first
