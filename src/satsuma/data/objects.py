"""Objects: data frames, Arrow data, arrays, records and columns in memory, as columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.array_input import array_columns, from_vector
from satsuma.data.cells import Found, as_kinds, check_kinds, column_of
from satsuma.data.domain import distinct_names
from satsuma.data.formats.arrow.arrow_types import from_chunks
from satsuma.data.formats.arrow.conversion import arrow_columns
from satsuma.data.formats.arrow.frames import frame_columns
from satsuma.data.parts import Opened
from satsuma.errors import ParameterError, ReadError

if TYPE_CHECKING:
    import pyarrow as pa

    from satsuma.numerics.arrays import Array

_TAKEN = (
    "What can be read: a file; what speaks Arrow (pandas, polars, pyarrow, duckdb, ibis); a list "
    "of dicts; a dict of columns; a NumPy array of two dimensions with names=."
)


#: Columns as they were found, and notes on all of them together.
Columns = tuple[list[Found], list[str]]


def open_object(
    source: Any, *, names: Sequence[str] | None = None, kinds: Mapping[str, str] | None = None
) -> Opened:
    """An object in memory as a source of one part.

    Parameters
    ----------
    source
        Anything that speaks Arrow, records, columns, or an array.
    names
        The names of the columns of an array.
    kinds
        ``num``, ``sym`` or ``text`` by name, where the kind that is found is not the one meant.

    Examples
    --------
    >>> open_object([{"a": 1}, {"a": 2, "b": "x"}]).table()[0]
    Row(a=1, b=?)
    """
    found, notes = _columns(source, names, kinds)
    return Opened.holding(found, notes, file="")


def _columns(source: Any, names: Sequence[str] | None, kinds: Mapping[str, str] | None) -> Columns:
    if isinstance(source, np.ndarray):
        return array_columns(cast("Array", source), names, kinds)
    if names is not None:
        raise ParameterError(
            "names= goes with a NumPy array alone. Other objects have names of their own; a file "
            "without a header takes header=[…], rows of cells go into Table.of(rows, names)."
        )
    arrow = _as_arrow(source)
    if arrow is not None and _is_pandas(source):
        return frame_columns(source, arrow, kinds)
    if arrow is not None:
        return arrow_columns(arrow, kinds)
    if isinstance(source, Mapping):
        return _from_columns(cast("Mapping[Any, Any]", source), kinds)
    if isinstance(source, Iterable):
        return _from_records(cast("Iterable[Any]", source), kinds)
    raise ReadError(f"an object of type {_type(source)} is no table", remedy=_TAKEN)


def _type(thing: object) -> str:
    return f"{type(thing).__module__}.{type(thing).__qualname__}".removeprefix("builtins.")


def _is_pandas(source: Any) -> bool:
    return type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "columns")


def _as_arrow(source: Any) -> "pa.Table | None":
    """An Arrow table, if the object can be one."""
    family = type(source).__module__.partition(".")[0]
    if family == "polars" and hasattr(source, "collect"):
        source = source.collect()
    frame = _is_pandas(source)
    dataset = family == "pyarrow" and hasattr(source, "scanner")
    if not (frame or dataset or _speaks_arrow(source)):
        return None
    import pyarrow as pa

    try:
        if isinstance(source, pa.Table):
            return source  # its names would be cut at a NUL on the way below
        if dataset:
            return source.to_table()
        if frame:
            return _of_floats(source) or pa.Table.from_pandas(source)
        if hasattr(source, "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(source).read_all()
        return pa.Table.from_batches([pa.record_batch(source)])
    except (pa.ArrowException, ValueError, TypeError) as error:
        told = "; ".join(map(str, error.args))
        raise ReadError(
            f"an object of type {_type(source)} does not become an Arrow table: {told}",
            remedy="Give each column a name and a type of its own; a series becomes a table with "
            "to_frame().",
        ) from error


def _of_floats(frame: Any) -> "pa.Table | None":
    """A pandas frame of nothing but doubles; None for others.

    pandas has NaN for missing, and so has the column that is made of it: Arrow's own way would
    look for it in each cell, and copy.
    """
    import pyarrow as pa

    plain = all(of == np.float64 and isinstance(of, np.dtype) for of in frame.dtypes)
    counted = type(frame.index).__name__ == "RangeIndex" and frame.index.name is None
    if not (plain and counted and len(frame.columns) and frame.columns.is_unique):
        return None
    columns: list[Any] = [pa.array(frame.iloc[:, at].to_numpy()) for at in range(frame.shape[1])]
    return pa.table(columns, names=[str(name) for name in frame.columns])


def _speaks_arrow(source: object) -> bool:
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def _from_columns(source: Mapping[Any, Any], kinds: Mapping[str, str] | None) -> Columns:
    """Columns by name: lists, arrays of one dimension, series."""
    names, notes = distinct_names([str(key) for key in source])
    kinds = check_kinds(kinds, names)
    found = [
        column_from(each, data, kinds.get(each))
        for each, data in zip(names, source.values(), strict=True)
    ]
    return as_kinds(found, kinds), notes


def has_cells(data: Any) -> bool:
    """Whether an object is a sequence of cells rather than a single one."""
    if isinstance(data, str | bytes | Mapping) or getattr(data, "shape", None) == ():
        return False
    return _speaks_arrow(data) or isinstance(data, Iterable)


def column_from(name: str, data: Any, kind: str | None) -> Found:
    """A column from a list, an array of one dimension, or a series."""
    if isinstance(data, np.ndarray):
        return from_vector(name, cast("Array", data), kind)
    if _speaks_arrow(data):
        import pyarrow as pa

        chunked = cast("Any", pa.chunked_array)
        return from_chunks(name, chunked(data), kind)
    if not has_cells(data):
        raise ReadError(
            f"column {name!r} is given as {data!r:.60}, not as a sequence of cells",
            remedy="Pass a dict of columns, or a list of dicts.",
        )
    return column_of(name, list(cast("Iterable[object]", data)), kind)


def _from_records(source: Iterable[Any], kinds: Mapping[str, str] | None) -> Columns:
    """Columns of one dict a row, in the order in which keys first appear.

    A key that a row lacks is missing in it.
    """
    rows = list(source)
    for at, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise ReadError(
                f"row {at} is of type {_type(row)}, not a dict",
                remedy="Rows of cells without names go into Table.of(rows, names). " + _TAKEN,
            )
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if rows and not keys:
        raise ReadError(
            f"{len(rows)} rows without a single cell",
            remedy="Give each row at least one key; its value may be missing.",
        )
    names, notes = distinct_names([str(key) for key in keys])
    kinds = check_kinds(kinds, names)
    found = [
        column_of(each, [row.get(key) for row in rows], kinds.get(each))
        for each, key in zip(names, keys, strict=True)
    ]
    return as_kinds(found, kinds), notes
