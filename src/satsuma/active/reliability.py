"""Reliability: Krippendorff's alpha, how far any number of people agree beyond chance."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from satsuma.active.agreement import is_missing
from satsuma.errors import DomainError, ParameterError
from satsuma.numerics.arrays import Floats

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    answers: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]], level: Level = "nominal"
) -> float:
    """How far people agree beyond chance: any number of them, with holes (Krippendorff 2004).

    1 where they always agree, 0 where they agree as often as chance would have it; NaN where all
    labels are the same.

    Parameters
    ----------
    answers
        The labels of each person, row by row; None where there is none. Rows with one label say
        nothing of agreement and are passed over.
    level
        ``nominal``: labels differ or do not; ``ordinal``: they have an order, by `sorted`, and
        differ by the ranks between them; ``interval``: they are numbers, and differ by the square
        of the difference.

    Examples
    --------
    >>> from satsuma import krippendorff_alpha
    >>> people = {"ann": [1, 2, 3, None], "bob": [1, 2, 3, 3], "eve": [1, 2, 4, 3]}
    >>> round(krippendorff_alpha(people), 3), round(krippendorff_alpha(people, "interval"), 3)
    (0.767, 0.911)
    """
    people = list(answers.values()) if isinstance(answers, Mapping) else list(answers)
    if level not in _DIFFERENCES:
        raise ParameterError(
            f"The 'level' parameter of krippendorff_alpha must be one of "
            f"{', '.join(map(repr, _DIFFERENCES))}. Got {level!r} instead."
        )
    if len(people) < 2 or len({len(each) for each in people}) > 1:
        raise DomainError("krippendorff_alpha needs the labels of two people or more, row by row.")
    rows = [[label for label in row if not is_missing(label)] for row in zip(*people, strict=True)]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        raise DomainError("There is no row that two people have labelled.")
    values = _values(rows, level)
    codes = {value: at for at, value in enumerate(values)}
    pairs = np.zeros((len(values), len(values)))
    for row in rows:
        counts = np.bincount([codes[label] for label in row], minlength=len(values))
        pairs += (np.outer(counts, counts) - np.diag(counts)) / (len(row) - 1)
    share = pairs.sum(axis=0)
    difference = _DIFFERENCES[level](values, share)
    chance = float((np.outer(share, share) * difference).sum() / (share.sum() - 1))
    return 1 - float((pairs * difference).sum()) / chance if chance > 0 else float("nan")


def _values(rows: list[list[Any]], level: str) -> list[Any]:
    found = dict.fromkeys(label for row in rows for label in row)
    if level == "nominal":
        return list(found)
    try:
        return sorted(found)
    except TypeError:
        raise DomainError(f"Labels of level {level!r} must have an order.") from None


def _nominal(values: list[Any], share: Floats) -> Floats:  # noqa: ARG001 - all take the same two
    return 1.0 - np.eye(len(values))


def _ordinal(values: list[Any], share: Floats) -> Floats:
    """The square of the ranks from one label to the other, half of each end left out."""
    upto = np.cumsum(share)
    middle = upto - share / 2
    return np.subtract.outer(middle, middle) ** 2 if len(values) else np.zeros((0, 0))


def _interval(values: list[Any], share: Floats) -> Floats:  # noqa: ARG001
    try:
        numbers = np.array(values, np.float64)
    except (TypeError, ValueError):
        raise DomainError("Labels of level 'interval' must be numbers.") from None
    return np.subtract.outer(numbers, numbers) ** 2


_DIFFERENCES: dict[str, Callable[[list[Any], Floats], Floats]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}
