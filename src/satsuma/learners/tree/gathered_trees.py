"""Trees of a forest, put one after the other as they come, so that no second copy is ever there."""

import threading
from collections.abc import Callable

import numpy as np

from satsuma.kernels.tree import Flat, joined
from satsuma.learners.tree.asked_columns import AskedColumns
from satsuma.learners.tree.impurity_decrease import disorder_at, impurity_decrease
from satsuma.numerics.arrays import Array, Floats

#: Nodes of trees whose divisions are looked at together, at least: for small trees, it is faster.
_TOGETHER = 1 << 14

#: By which part of itself an array grows when it is full.
_MORE = 8


class GrowingArray:
    """An array that rows are added to in place.

    Examples
    --------
    >>> array = GrowingArray()
    >>> array.add(np.array([1.0, 2.0]))
    >>> array.add(np.array([3.0]))
    >>> array.close().tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self) -> None:
        self._array: Array | None = None
        self._rows = 0

    def add(self, rows: Array) -> None:
        """More rows, of the type and width of the first."""
        if self._array is None:
            self._array = np.empty((0, *rows.shape[1:]), rows.dtype)
        end = self._rows + len(rows)
        if end > len(self._array):
            self._resize(max(end, self._rows + self._rows // _MORE))
        self._array[self._rows : end] = rows
        self._rows = end

    def close(self) -> Array:
        """All rows, in an array that has no room for more."""
        assert self._array is not None
        self._resize(self._rows)
        return self._array

    def _resize(self, rows: int) -> None:
        assert self._array is not None
        # Nothing else refers to it; where memory is mapped, its pages move without a copy.
        self._array.resize((rows, *self._array.shape[1:]), refcheck=False)


class GatheredTrees:
    """Trees in the order of their numbers, which may come in any.

    Parameters
    ----------
    answers
        What nodes say, of what their rows come to.
    measure
        What divisions were chosen by.
    asked
        What nodes ask for.
    count
        How many trees there will be.
    """

    def __init__(
        self, answers: Callable[[Floats], Floats], measure: int, asked: AskedColumns, count: int
    ) -> None:
        self._answers, self._measure, self._asked, self._count = answers, measure, asked, count
        self._lock = threading.Lock()
        self._early: dict[int, tuple[Flat, Floats]] = {}
        self._arrays = [GrowingArray() for _ in Flat._fields]
        self._says = GrowingArray()
        self._some: list[tuple[Flat, Floats]] = []
        self.sizes: list[tuple[int, int]] = []
        #: How much the divisions by each attribute took away of what was mixed.
        self.gains = np.zeros(len(asked.attributes))

    def add(self, number: int, flat: Flat, stats: Floats) -> None:
        """The tree of this number, and what the rows at its nodes come to."""
        with self._lock:
            self._early[number] = flat, stats
            while len(self.sizes) in self._early:
                self._append(*self._early.pop(len(self.sizes)))

    def _append(self, flat: Flat, stats: Floats) -> None:
        for array, more in zip(self._arrays, flat, strict=True):
            array.add(more)
        self._says.add(self._answers(stats))
        self.sizes.append((len(flat.column), len(flat.branches)))
        self._some.append((flat, stats))
        nodes = sum(len(each.column) for each, _ in self._some)
        if nodes >= _TOGETHER or len(self.sizes) == self._count:
            mixed = disorder_at(np.concatenate([each for _, each in self._some]), self._measure)
            whole = joined([each for each, _ in self._some])
            self._some.clear()
            self.gains += impurity_decrease(whole, mixed, self._asked)

    def close(self) -> tuple[Flat, Floats]:
        """The arrays of all trees, one after the other, and what the nodes say."""
        return Flat(*(each.close() for each in self._arrays)), self._says.close()
