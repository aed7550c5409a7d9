"""Breaks: numbers that part others into intervals, which become symbols."""

import math
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from satsuma.data.columns import spell
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.numerics.arrays import Array, Codes, Floats


def interval_labels(breaks: Sequence[str]) -> tuple[str, ...]:
    """The intervals between breaks, as a person would write them: open below, closed above.

    Examples
    --------
    >>> interval_labels(["18", "65"])
    ('<= 18', '(18, 65]', '> 65')
    >>> interval_labels([])
    ('any',)
    """
    if not breaks:
        return ("any",)
    inner = [f"({low}, {high}]" for low, high in pairwise(breaks)]
    return (f"<= {breaks[0]}", *inner, f"> {breaks[-1]}")


def cut_text(cut: float) -> str:
    """A cut in as few digits as say where it is, and in six where many would be needed.

    Fewer could move it past the numbers on either side: 2023.5 is not 2024.

    Examples
    --------
    >>> cut_text(2.45), cut_text(2023.5), cut_text(1000000.5), cut_text(1 / 3)
    ('2.45', '2023.5', '1000000.5', '0.333333')
    """
    ways = (f"{cut:.{digits}g}" for digits in range(4, 13))
    exact = (told for told in ways if math.isclose(float(told), cut, rel_tol=1e-13))
    return next(exact, f"{cut:.6g}")


def cut_texts(cuts: Sequence[float]) -> list[str]:
    """Several cuts, with as many digits as tell them apart.

    Examples
    --------
    >>> cut_texts([2.45, 4.75]), cut_texts([1 / 3, 1 / 3 + 1e-9])
    (['2.45', '4.75'], ['0.333333333', '0.333333334'])
    """
    ways = ([f"{cut:.{digits}g}" for cut in cuts] for digits in range(7, 18))  # the last do
    told = chain([[cut_text(cut) for cut in cuts]], ways)
    return next(way for way in told if len(set(way)) == len(way))


def interval_codes(column: Floats, breaks: Floats | Sequence[float]) -> Codes:
    """The interval of each number, from 0; -1 where it is missing. A break is in the lower one.

    Examples
    --------
    >>> interval_codes(np.array([18.0, 19.0, np.nan]), [18.0])
    array([ 0,  1, -1], dtype=int32)
    """
    return np.where(np.isnan(column), -1, np.searchsorted(breaks, column)).astype(np.int32)


def cut_column(
    variable: Variable, column: Array, breaks: Any, labels: Iterable[str] | None
) -> tuple[tuple[str, ...], Codes]:
    """The labels of the intervals between breaks, and the interval of each number."""
    if variable.kind != "num":
        raise DomainError(
            f"Column {variable.name!r} is of kind {variable.kind!r}, and only numbers are cut. "
            f"If it spells numbers, use with_kinds({{{variable.name!r}: 'num'}}) first."
        )
    cuts = _checked(breaks)
    named = interval_labels(list(map(spell, cuts.tolist())))
    given: tuple[Any, ...] = named if labels is None else tuple(labels)
    wrong = isinstance(labels, str) or not all(isinstance(each, str) for each in given)
    if wrong or len(set(given)) < len(given) or len(given) != len(named):
        raise ParameterError(
            f"{len(cuts)} breaks part {len(named)} intervals, so labels= must be {len(named)} "
            f"distinct strings, from the lowest interval up. Got {labels!r}."
        )
    return given, interval_codes(column, cuts)


def _checked(breaks: Any) -> Floats:
    try:
        cuts = np.asarray(breaks, np.float64)
    except (TypeError, ValueError):
        cuts = np.zeros(0)
    if cuts.ndim != 1 or not len(cuts) or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0).any():
        raise ParameterError(
            f"breaks= must be increasing numbers, such as [18, 65]. Got {breaks!r}. For a number "
            f"of intervals, use EqualWidth(n)(table) or EqualFrequency(n)(table)."
        )
    return cuts
