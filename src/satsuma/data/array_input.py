"""NumPy arrays: columns that look into the same memory, where their type allows it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from satsuma.data.cells import Found, as_kinds, check_kinds, column_of
from satsuma.data.columns import WHOLE, refuse_infinite
from satsuma.data.domain import distinct_names
from satsuma.data.time_formats import DATE
from satsuma.data.times import exact_times
from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, ReadError
from satsuma.kernels.csv import TimeFormat
from satsuma.numerics.arrays import Array

#: How times are written, by the unit that they are counted in.
_FORMATS = {
    **{unit: TimeFormat("%Y-%m-%d %H:%M:%S") for unit in ("h", "m", "s")},
    "Y": TimeFormat("%Y"),
    "M": TimeFormat("%Y-%m"),
    "W": DATE,
    "D": DATE,
}


def array_columns(
    data: Array, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> tuple[list[Found], list[str]]:
    """The columns of an array of two dimensions, or of a structured one, and notes.

    Numbers of type float64 are not copied, whichever way the array lies in memory, so what is
    written to the array later shows in the table. Others are converted; booleans are symbols.

    Parameters
    ----------
    data
        Rows by columns, or one record a row.
    names
        The names of the columns; ``x1``, ``x2``, … if they are not given.
    kinds
        ``num``, ``sym`` or ``text`` by name, where the kind that is found is not the one meant.

    Examples
    --------
    >>> numbers = np.array([[1.0, 2.0], [3.0, np.nan]])
    >>> (a, b), _ = array_columns(numbers, ["a", "b"])
    >>> b.column
    array([ 2., nan])
    >>> np.shares_memory(a.column, numbers)
    True
    """
    data = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    found_names, columns = _columns(data, names)
    distinct, notes = distinct_names(found_names)
    kinds = check_kinds(kinds, distinct)
    found = [
        from_vector(each, column, kinds.get(each))
        for each, column in zip(distinct, columns, strict=True)
    ]
    return as_kinds(found, kinds), notes


def _columns(data: Array, names: Sequence[str] | None) -> tuple[list[str], list[Array]]:
    fields = data.dtype.names
    if fields is not None and data.ndim == 1:
        _check_width(names, len(fields))
        return list(names or fields), [data[field] for field in fields]
    if fields is not None or data.ndim != 2:
        raise ReadError(
            f"the array has {data.ndim} dimensions",
            remedy="Pass one with two: rows by columns. reshape(-1, 1) makes a single column.",
        )
    width = data.shape[1]
    _check_width(names, width)
    found = [f"x{at}" for at in range(1, width + 1)] if names is None else list(names)
    return found, [data[:, at] for at in range(width)]


def _check_width(names: Sequence[str] | None, width: int) -> None:
    if isinstance(names, str) or (names is not None and len(names) != width):
        told = repr(names) if isinstance(names, str) else f"{len(names)} names"
        raise ParameterError(
            f"The array has {width} columns, so names= must be a list of {width} names. Got {told}."
        )


def from_vector(name: str, data: Array, kind: str | None = None) -> Found:
    """A variable and its column from an array of one dimension.

    Examples
    --------
    >>> from_vector("ok", np.array([True, False])).variable.values
    ('False', 'True')
    """
    sort = data.dtype.kind
    if data.ndim != 1 or sort in "cV":
        raise ReadError(
            f"column {name!r} holds {data.dtype} in {data.ndim} dimensions",
            remedy="Make it real numbers or strings, one for each row.",
        )
    if sort == "f" or (sort in "iub" and _as_floats(data, kind)):
        column = _filled(data.astype(np.float64, copy=False))
        refuse_infinite(name, column)
        return Found(Variable(name), column)
    if sort == "M" and (times := _times(name, data)) is not None:
        return times
    bare: Any = np.ma.getdata(data)
    bare = np.char.decode(bare, "utf-8") if sort == "S" else bare
    # Dates go one by one, since tolist() would make numbers of them.
    cells: list[Any] = list(bare) if sort in "mM" else bare.tolist()
    holes = np.ma.getmaskarray(data)
    known = [None if hole else cell for cell, hole in zip(cells, holes, strict=True)]
    return column_of(name, known, kind)


def _times(name: str, data: Array) -> Found | None:
    """A column of times, not copied where it counts nanoseconds; None where that cannot be."""
    try:
        column = exact_times(np.ma.filled(data, np.datetime64("NaT")))
    except OverflowError:
        return None
    form = _FORMATS.get(np.datetime_data(data.dtype)[0], TimeFormat("%Y-%m-%d %H:%M:%S%.f"))
    return Found(Variable(name, "time", format=form), column)


def _as_floats(data: Array, kind: str | None) -> bool:
    if kind == "num":
        return True
    if data.dtype.kind == "b":
        return False
    known = np.ma.compressed(data)
    return not known.size or (int(known.max()) <= WHOLE and int(known.min()) >= -WHOLE)


def _filled(column: Array) -> Array:
    made: Any = np.ma.filled(column, np.nan)
    return made
