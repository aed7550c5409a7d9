"""Contrasts: what two groups of rows differ in, for a person to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from satsuma.data.summary import cut
from satsuma.evaluate.show import aligned

#: Characters of a condition.
_WIDTH = 48


@dataclass(frozen=True)
class Contrast:
    """A value, or a range, that is more frequent in one of two groups.

    Parameters
    ----------
    column, value
        What is found there: a symbol, or a range of numbers as it is written.
    is_range
        Whether it is a range.
    best, rest
        Rows of each group that have it, and those in which the column is known.
    p
        How probable so great a difference is by chance (Fisher's exact test, two-sided).
    corrected
        The same, considering how many differences were looked for.
    """

    column: str
    value: str
    is_range: bool
    best: tuple[int, int]
    rest: tuple[int, int]
    p: float
    corrected: float

    @property
    def shares(self) -> tuple[float, float]:
        """Of the best and of the rest that have it."""
        return self.best[0] / self.best[1], self.rest[0] / self.rest[1]

    @property
    def effect(self) -> float:
        """The share of the best less that of the rest: above 0, do it; below 0, avoid it."""
        one, other = self.shares
        return one - other

    @property
    def support(self) -> int:
        """Rows of both groups that have it."""
        return self.best[0] + self.rest[0]

    @property
    def condition(self) -> str:
        """Column and value as a person would write them."""
        if not self.is_range:
            return f"{self.column} = {self.value}"
        return f"{self.column} {'in ' if self.value.startswith('(') else ''}{self.value}"


class Contrasts(Sequence[Contrast]):
    """What sets two groups apart, the greatest difference first.

    Parameters
    ----------
    found
        The differences, in order.
    sizes
        Rows of the best and of the rest.
    tests
        How many differences were looked for.
    alpha
        Differences more probable than this by chance, as corrected, were left out.
    """

    def __init__(
        self, found: list[Contrast], sizes: tuple[int, int], tests: int, alpha: float
    ) -> None:
        self.found, self.sizes, self.tests, self.alpha = found, sizes, tests, alpha

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> Contrast: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Contrast]: ...
    def __getitem__(self, at: int | slice) -> Contrast | Sequence[Contrast]:
        return self.found[at]

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.found)

    def __repr__(self) -> str:
        return f"Contrasts({[each.condition for each in self.found]})"

    def __str__(self) -> str:
        best, rest = self.sizes
        head = f"{best} rows against {rest}; {self.tests} differences were looked for"
        if not self.found:
            return f"{head}, and none is beyond chance at {self.alpha:g}"
        lines = [["", "best", "rest", "difference", "rows", "p", "corrected"]]
        for each in self.found:
            one, other = each.shares
            lines.append([
                cut(each.condition, _WIDTH), f"{one:.0%}", f"{other:.0%}", f"{each.effect:+.0%}",
                str(each.support), f"{each.p:.2g}", f"{each.corrected:.2g}",
            ])  # fmt: skip
        return "\n".join([head, "", *aligned(lines)])
