"""Merging: tallies added up in a tree that depends on their number alone."""

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Tree(Generic[T]):
    """Values that come one by one, added up in pairs, these in pairs, and so on.

    Neighbours are added, the earlier one on the left; whoever has no partner goes up a level as it
    is. So the result does not depend on who came when, and only a few values wait at any time.

    Examples
    --------
    >>> tree = Tree()
    >>> for letter in "abcdefg":
    ...     tree.add(letter)
    >>> tree.total()
    'abcdefg'
    >>> len(tree.waiting)
    3
    """

    def __init__(self) -> None:
        self.waiting: list[tuple[int, Any]] = []  # the level of each, and the value

    def add(self, value: T) -> None:
        """Take the next value."""
        level = 0
        while self.waiting and self.waiting[-1][0] == level:
            value = self.waiting.pop()[1] + value
            level += 1
        self.waiting.append((level, value))

    def total(self) -> T | None:
        """All values together; None where there are none."""
        total: Any = None
        for _, value in reversed(self.waiting):
            total = value if total is None else value + total
        return total
