"""Near rows: those that were learned from, and that are like a row which is explained."""

from typing import NamedTuple

#: How many are shown.
NEAR = 5


class Neighbour(NamedTuple):
    """A row that was learned from, and that is near the one that is explained.

    Parameters
    ----------
    row
        Its number among the rows that were learned from, the first is 0.
    distance
        How far it is.
    share
        Its share of all votes.
    value
        Its class, or its number.
    """

    row: int
    distance: float
    share: float
    value: str | float


class AlikeRow(NamedTuple):
    """A row that was learned from, and that a forest hardly tells from the one that is explained.

    Parameters
    ----------
    row
        Its number among the rows that were learned from, the first is 0.
    share
        In what share of the trees both end at the same leaf (`proximity`).
    value
        Its class, or its number.
    """

    row: int
    share: float
    value: str | float


def neighbour_text(neighbour: Neighbour) -> str:
    """A neighbour in a line.

    Examples
    --------
    >>> neighbour_text(Neighbour(7, 0.25, 0.2, "yes"))
    'row 7 (distance 0.25) is yes, 20% of the votes'
    """
    row, distance, share, value = neighbour
    return f"row {row:,} (distance {distance:.3g}) is {_shown(value)}, {share:.0%} of the votes"


def alike_text(alike: AlikeRow) -> str:
    """A row that is alike, in a line.

    Examples
    --------
    >>> alike_text(AlikeRow(7, 0.85, "yes"))
    'row 7 is yes, at the same leaf in 85% of the trees'
    """
    told = f"row {alike.row:,} is {_shown(alike.value)}"
    return f"{told}, at the same leaf in {alike.share:.0%} of the trees"


def _shown(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
