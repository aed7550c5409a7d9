"""Node: a place in a tree, from which one can go on."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.breaks import cut_text
from satsuma.learners.predictions import Distribution

if TYPE_CHECKING:
    from satsuma.learners.tree.model import Readable


class Node:
    """A node of a tree that has been learned.

    Examples
    --------
    >>> import satsuma
    >>> root = satsuma.ID3(satsuma.load("lenses")).root
    >>> root.attribute, root.n
    ('tear_rate', 24.0)
    >>> root.branches["reduced"].value
    'none'
    """

    def __init__(self, model: "Readable", index: int = 0, depth: int = 0) -> None:
        self.model, self.index, self.depth = model, index, depth

    @property
    def attribute(self) -> str | None:
        """The column that is asked for; None at a leaf."""
        if self._column < 0:
            return None
        return self.model.domain.attributes[self.model.asked_columns.source[self._column]].name

    @property
    def _column(self) -> int:
        return int(self.model.column[self.index])

    @property
    def missing_as(self) -> str | float | None:
        """What a missing cell is taken for here; None where it is spread over all branches."""
        return None if self._column < 0 else self.model.asked_columns.missing_as(self._column)

    @property
    def threshold(self) -> float | None:
        """Where numbers are parted: up to here in the first branch, above in the second."""
        found = float(self.model.threshold[self.index])
        return None if np.isnan(found) else found

    @cached_property
    def groups(self) -> list[tuple[tuple[str, ...], "Node"]]:
        """The branches, each with the values that lead to it; none for a number."""
        first = self.model.first
        led = self.model.branches[first[self.index] : first[self.index + 1]].tolist()
        if self.threshold is not None:
            return [((), self._to(child)) for child in led]
        of: dict[int, list[str]] = {}
        for code, child in enumerate(led):
            if child >= 0:
                value = self.model.asked_columns.values(self._column)[code]
                of.setdefault(child, []).append(value)
        return [(tuple(values), self._to(child)) for child, values in of.items()]

    def _to(self, child: int) -> "Node":
        return Node(self.model, child, self.depth + 1)

    @cached_property
    def branches(self) -> Mapping[str, "Node"]:
        """The nodes below by what leads to them: a value, several, or a side of the threshold."""
        if self.threshold is not None:
            cut = cut_text(self.threshold)
            sides = self.model.asked_columns.conditions(self._column, self.threshold, cut)
            return {side: node for side, (_, node) in zip(sides, self.groups, strict=True)}
        return {", ".join(values): node for values, node in self.groups}

    @property
    def n(self) -> float:
        """What the rows at this node weigh."""
        return self.model.weight_at(self.index)

    @property
    def value(self) -> str | float:
        """What is answered here: the most frequent class, or the mean."""
        return self.model.value_at(self.index)

    @property
    def distribution(self) -> Distribution | None:
        """How probable each class is here; None where a number is predicted."""
        return self.model.distribution_at(self.index)

    @property
    def conditions(self) -> list[str]:
        """What leads to each branch, as a condition."""
        if self.threshold is not None:
            return [f"{self.attribute} {side}" for side in self.branches]
        return [f"{self.attribute} {self._among(values)}" for values, _ in self.groups]

    def _among(self, values: tuple[str, ...]) -> str:
        if len(values) != 1:
            return f"in {{{', '.join(values)}}}"
        return "is missing" if values[0] == self.missing_as else f"= {values[0]}"

    def __iter__(self) -> Iterator["Node"]:
        """The node and all below it, each before its branches."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [below for _, below in node.groups[::-1]]

    def __repr__(self) -> str:
        asks = f"asks {self.attribute!r}" if self.attribute else "leaf"
        return f"Node({asks}, n={self.n:.6g}, value={self.value!r})"
