"""Merge tree: tallies added up in a tree that depends on their number alone."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def plus(earlier: Any, later: Any) -> Any:
    """Two values added up; None is nothing.

    Examples
    --------
    >>> plus(None, 2), plus(1, 2)
    (2, 3)
    """
    if earlier is None or later is None:
        return later if earlier is None else earlier
    return earlier + later


def total(values: Iterable[Any]) -> Any:
    """All values together, as `MergeTree` has them; None where there are none.

    Examples
    --------
    >>> total("abc")
    'abc'
    """
    tree = MergeTree[Any]()
    for value in values:
        tree.add(value)
    return tree.total()


class MergeTree(Generic[T]):
    """Values that come one by one, added up in pairs, these in pairs, and so on.

    Neighbours are added, the earlier one on the left; whoever has no partner goes up a level as it
    is. So the result does not depend on who came when, and only a few values wait at any time.
    None is a value that adds nothing, and has its place in the tree.

    Stretches of 2, 4, 8, … values that start at multiples of their length can be added up
    elsewhere, and their totals in the same way: nothing in the result tells.

    Examples
    --------
    >>> tree = MergeTree()
    >>> for letter in "abcdefg":
    ...     tree.add(letter)
    >>> tree.total()
    'abcdefg'
    >>> len(tree.waiting)
    3
    """

    def __init__(self) -> None:
        self.waiting: list[tuple[int, Any]] = []  # the level of each, and the value

    def add(self, value: T | None) -> None:
        """Take the next value."""
        level = 0
        while self.waiting and self.waiting[-1][0] == level:
            value = plus(self.waiting.pop()[1], value)
            level += 1
        self.waiting.append((level, value))

    def total(self) -> T | None:
        """All values together; None where there are none."""
        found: Any = None
        for _, value in reversed(self.waiting):
            found = plus(value, found)
        return found
