"""Node: a place in a tree of clusters, from which one can go on."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.row import Cell
from satsuma.measures.distance import LEAST
from satsuma.numerics.arrays import Array
from satsuma.numerics.differences import difference

if TYPE_CHECKING:
    from satsuma.learners.rp0.tree import ClusterTree

#: Digits of a pole's numbers: they are kept as shares of a range.
_DIGITS = 10


class ClusterNode:
    """A division of rows by two poles, or a cluster.

    Examples
    --------
    >>> import satsuma
    >>> root = satsuma.RP0(M=25)(satsuma.load("iris")).root
    >>> root.n, root.cluster is None
    (150, True)
    >>> [below.n for below in root.below]
    [72, 78]
    """

    def __init__(self, model: "ClusterTree", at: int, above: "ClusterNode | None" = None) -> None:
        self.model, self.at, self.above = model, at, above
        #: How many divisions are above it.
        self.depth: int = 0 if above is None else above.depth + 1

    @property
    def cluster(self) -> int | None:
        """The number of the cluster; None at a division."""
        return -1 - self.at if self.at < 0 else None

    @property
    def n(self) -> int:
        """How many rows fell into it, with those that are not kept."""
        return self.model.seen(self.at)

    @cached_property
    def below(self) -> tuple["ClusterNode", ...]:
        """What is at the first and at the second pole of a division; nothing below a cluster."""
        if self.at < 0:
            return ()
        return tuple(ClusterNode(self.model, int(at), self) for at in self.model.below[self.at])

    @property
    def gap(self) -> float | None:
        """How far the poles of a division are apart; None at a cluster."""
        return None if self.at < 0 else float(self.model.gap[self.at])

    @property
    def poles(self) -> tuple[dict[str, Cell], ...]:
        """The two rows that a division goes by: cells by name, to ten digits of their range."""
        if self.at < 0:
            return ()
        return tuple(self._pole(side) for side in (0, 1))

    def _pole(self, side: int) -> dict[str, Cell]:
        model, (numbers, symbols) = self.model, self.model.distance.names
        cells: dict[str, Cell] = {}
        for j, name in enumerate(numbers):
            width = model.hi[j] - model.lo[j] + LEAST
            value = model.lo[j] + model.pole_number[self.at, side, j] * width
            cells[name] = None if np.isnan(value) else float(f"{value:.{_DIGITS}g}")
        for j, name in enumerate(symbols):
            code = int(model.pole_symbol[self.at, side, j])
            cells[name] = None if code < 0 else model.domain[name].values[code]
        return {v.name: cells[v.name] for v in model.domain.attributes}

    def telling(self, most: int = 2) -> list[str]:
        """The columns in which the poles differ most, at most so many, by name."""
        model, (numbers, symbols) = self.model, self.model.distance.names
        away = difference(*model.pole_number[self.at])
        one, other = model.pole_symbol[self.at]
        away = np.append(away, (one != other) | (one < 0))
        names = [*numbers, *symbols]
        order = np.argsort(-away, kind="stable")[:most]
        return [names[at] for at in order if away[at] > 0]

    @property
    def rows(self) -> Array:
        """The rows that are kept here and below, numbered in the order in which they came."""
        found = [self.model.members(-1 - node.at) for node in self if node.at < 0]
        return np.sort(self.model.held["row"][np.concatenate(found)])

    def __iter__(self) -> Iterator["ClusterNode"]:
        """The node and all below it, each before those below it."""
        waiting: list[ClusterNode] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.below[::-1]

    def __repr__(self) -> str:
        what = f"poles {self.gap:.3g} apart" if self.at >= 0 else f"cluster {self.cluster}"
        return f"ClusterNode({what}, n={self.n})"
