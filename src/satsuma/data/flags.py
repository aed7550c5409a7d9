"""Flags: columns of nothing but 0 and 1, which are symbols unless somebody says otherwise."""

from collections.abc import Iterable, Sequence

import numpy as np

from satsuma.data.notes import Note, column_list, note
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Codes, Floats

#: The values of a flag.
FLAGS = ("0", "1")

#: What a column of numbers holds, as bits: a 0, a 1, something else; and all that a flag may hold.
ZERO, ONE, OTHER = 1, 2, 4
FLAG = ZERO | ONE

#: Roles that only numbers can have.
NUMERIC_ROLES = ("+", "-", "goal", "weight")


def bits_of(column: Floats) -> int:
    """What a column of numbers holds of `ZERO`, `ONE` and `OTHER`.

    Examples
    --------
    >>> bits_of(np.array([1.0, np.nan])), bits_of(np.array([0.0, 2.0]))
    (2, 4)
    """
    if any(value < 0 or value > 1 or 0 < value < 1 for value in column[:4].tolist()):
        return OTHER  # as most columns have it right away
    for some in (column[:4096], column):
        zeros, ones = some == 0, some == 1
        if not (zeros | ones | np.isnan(some)).all():
            return OTHER
        if len(some) == len(column):
            return ZERO * bool(zeros.any()) | ONE * bool(ones.any())
    raise AssertionError("the last stretch is the whole column")


def flag_codes(column: Floats) -> Codes:
    """The codes of a column of 0 and 1; whatever else is in it is missing."""
    codes = np.full(len(column), -1, np.int32)
    codes[column == 0], codes[column == 1] = 0, 1
    return codes


def flag_names(
    variables: Iterable[Variable], columns: Sequence[Array], said: Iterable[str] = ()
) -> list[str]:
    """The columns of numbers that are flags, but for those whose kind or role asks for numbers.

    Parameters
    ----------
    variables, columns
        What there is.
    said
        Names of the columns whose kind was said.

    Examples
    --------
    >>> flag_names([Variable("paid"), Variable("n")], [np.array([0.0, 1.0]), np.array([1.0, 2.0])])
    ['paid']
    """
    known = frozenset(said)
    return [
        variable.name
        for variable, column in zip(variables, columns, strict=True)
        if variable.kind == "num"
        and variable.role not in NUMERIC_ROLES
        and variable.name not in known
        and bits_of(column) == FLAG
    ]


def flags_note(names: Sequence[str]) -> Note:
    """What to say of flags."""
    return note("flags", columns=column_list(names, "holds"), name=names[0])
