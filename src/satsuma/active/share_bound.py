"""Share bound: how many of some rows are right at least, by those of them that were checked."""

from typing import Any, cast

import numpy as np


def least_right(rows: int, checked: int, right: int, confidence: float) -> int:
    """How many rows are right at least, by a random sample of them, with a confidence.

    The bound is exact for rows drawn without replacement (hypergeometric), whatever the number of
    rows: if fewer were right, so many right ones would be drawn with a probability of no more than
    1 - confidence. For many rows it is the bound of Clopper and Pearson (1934).

    Parameters
    ----------
    rows
        How many there are.
    checked, right
        How many of them were drawn at random, and how many of these are right.
    confidence
        With which the bound holds.

    Examples
    --------
    >>> least_right(500, 22, 22, 0.9), least_right(20, 8, 8, 0.9), least_right(8, 8, 7, 0.9)
    (452, 16, 7)
    """
    from scipy import stats

    hypergeometric = cast("Any", stats).hypergeom
    low, high = right, rows - (checked - right)
    while low < high:
        middle = (low + high) // 2
        ruled_out = hypergeometric.sf(right - 1, rows, middle, checked) <= 1 - confidence
        low, high = (middle + 1, high) if ruled_out else (low, middle)
    return low


def fewest_checks(rows: int, share: float, confidence: float) -> int:
    """How many rows have to be checked to prove that a share is right, if all of them are.

    Examples
    --------
    >>> [fewest_checks(rows, 0.9, 0.9) for rows in (10, 50, 500, 100_000)]
    [7, 16, 21, 22]
    """
    low, high = min(1, rows), rows
    while low < high:
        middle = (low + high) // 2
        enough = least_right(rows, middle, middle, confidence) >= needed(rows, share)
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def errors_allowed(rows: int, checked: int, share: float, confidence: float) -> int:
    """How many of the checked rows may be wrong if a share is to be proved; -1 if it cannot be.

    Examples
    --------
    >>> errors_allowed(500, 22, 0.9, 0.9), errors_allowed(500, 40, 0.9, 0.9)
    (0, 1)
    """
    wrong = -1
    while wrong < checked and (
        least_right(rows, checked, checked - wrong - 1, confidence) >= needed(rows, share)
    ):
        wrong += 1
    return wrong


def needed(rows: int, share: float) -> int:
    """How many rows a share of them is, at least."""
    return int(np.ceil(share * rows - 1e-9))
