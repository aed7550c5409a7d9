"""PredictionTerms: what the terms of an equation add to a number that is predicted."""

from collections.abc import Mapping, Sequence

from satsuma.data.summary import width
from satsuma.learners.explanation import Terms

#: What the equation says of a row as the mean of its leaf is called among the columns.
LEVEL = "(leaf)"

#: What the limits of a leaf take away or add.
LIMITS = "(limits)"


class PredictionTerms(Terms):
    """What is predicted at the mean of a leaf, and what each column of a row adds, largest first.

    They sum to the number that is predicted.

    Parameters
    ----------
    target
        What is predicted.
    predicted
        The number.
    parts
        What the leaf says of its mean row, and what each column adds, by name.
    rules
        The conditions of each leaf that the row reaches: of one, unless cells are missing.

    Examples
    --------
    >>> terms = PredictionTerms("y", 5.0, {LEVEL: 4.0, "x": -0.5, "s": 1.5}, [("x ≤ 3",)])
    >>> print(terms)
    y = 5, where x ≤ 3
    (leaf)  +4.000
    s       +1.500
    x       -0.500
    >>> terms.total, terms["s"]
    (5.0, 1.5)
    """

    def __init__(
        self,
        target: str,
        predicted: float,
        parts: Mapping[str, float],
        rules: Sequence[tuple[str, ...]],
    ) -> None:
        self.target, self.predicted, self.rules = target, predicted, list(rules)
        first = {LEVEL: parts[LEVEL]} if LEVEL in parts else {}
        rest = {name: each for name, each in parts.items() if name != LEVEL}
        self.parts = first | dict(sorted(rest.items(), key=lambda part: -abs(part[1])))

    @property
    def total(self) -> float:
        """The sum of the terms: the number that is predicted."""
        return sum(self.parts.values())

    def __str__(self) -> str:
        where = " or ".join(" and ".join(each) for each in self.rules if each)
        head = f"{self.target} = {self.predicted:.6g}" + (f", where {where}" if where else "")
        room = max(map(width, self.parts))
        lines = [
            f"{name}{' ' * (room - width(name))}  {each:+.4g}"
            if abs(each) >= 1e4
            else f"{name}{' ' * (room - width(name))}  {each:+.3f}"
            for name, each in self.parts.items()
        ]
        return "\n".join([head, *lines])

    def __repr__(self) -> str:
        return f"PredictionTerms({self.target!r}, {self.predicted!r}, {self.parts!r})"
