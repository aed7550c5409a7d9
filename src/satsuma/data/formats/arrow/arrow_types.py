"""Arrow columns: each type to the kind that holds it, without a copy where that can be."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.cells import Found, duration, trim
from satsuma.data.columns import WHOLE, convert, is_text, refuse_infinite, spell, time_cells
from satsuma.data.formats.arrow.arrow_times import is_period, seconds_of, time_format, times_of
from satsuma.data.notes import note
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels.csv import TimeFormat
from satsuma.numerics.arrays import Array, Codes, Times

if TYPE_CHECKING:
    import pyarrow as pa

_TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def from_chunks(name: str, data: "pa.ChunkedArray[Any]", kind: str | None = None) -> Found:
    """A variable and its column from an Arrow column.

    Parameters
    ----------
    name
        What the column is called.
    data
        The column, in any number of chunks.
    kind
        The kind that is asked for; a hint, where more than one would do.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from_chunks("n", pa.chunked_array([[1, None]])).column
    array([ 1., nan])
    """
    import pyarrow.types as t

    data = _bare(data)
    of: Any = data.type
    if (form := time_format(of)) is not None:
        return _times(name, data, form, kind)
    if is_period(of):
        return _symbols(name, _spelled_periods(data), str, note("periods", name=name))
    if t.is_null(of):
        return Found(Variable(name), np.full(len(data), np.nan))
    if t.is_boolean(of):
        return _booleans(name, data, kind)
    if t.is_floating(of) or t.is_integer(of) or t.is_decimal(of):
        return _numbers(name, data, kind)
    if t.is_dictionary(of):
        return _symbols(name, data, _speller(name, of.value_type))
    if t.is_duration(of):
        return _numbers(name, seconds_of(data), kind)._replace(
            notes=(note("lengths of time", name=name),)
        )
    if is_string(of):
        return spelled_times(as_symbols(name, data)) if kind == "time" else _strings(name, data)
    raise _unfit(name, of)


def is_number(of: Any) -> bool:
    """Whether an Arrow type is that of numbers."""
    import pyarrow.types as pt

    return pt.is_integer(of) or pt.is_floating(of) or pt.is_decimal(of)


def is_string(of: "pa.DataType") -> bool:
    """Whether a type is one of strings."""
    import pyarrow.types as t

    return t.is_string(of) or t.is_large_string(of) or t.is_string_view(of)


def spelled_times(found: Found) -> Found:
    """A column of symbols as times, in the one format that all of them have.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from_chunks("due", pa.chunked_array([["3.4.2024", None, "13.4.2024"]]), "time").column
    array(['2024-04-03T00:00:00.000000000',                           'NaT',
           '2024-04-13T00:00:00.000000000'], dtype='datetime64[ns]')
    """
    variable, times = time_cells(found.variable.name, found.variable.values)
    return Found(variable, coded_times(found, times))


def coded_times(found: Found, times: Times) -> Times:
    """The column of symbols whose values are these times."""
    return np.append(times, np.datetime64("NaT", "ns"))[found.column]


def as_symbols(
    name: str, data: "pa.ChunkedArray[Any]", kind: str | None = None, *, strings: bool = False
) -> Found:
    """A column as symbols, whatever it holds; text too is a code for each row.

    Parameters
    ----------
    name
        What the column is called.
    data
        The column, in any number of chunks.
    kind
        The kind that is asked for, if any is.
    strings
        Whether a dictionary was made in reading a column of strings. Then its order means nothing,
        and values come in the order of their first appearance.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_symbols("n", pa.chunked_array([[2, None, 1]])).variable.values
    ('2', '1')
    """
    import pyarrow.types as t

    data = _bare(data)
    of = data.type
    if is_string(of):
        return _symbols(name, _encoded(data), str)
    if t.is_dictionary(of) and strings:
        return _in_order_of_appearance(_symbols(name, data, str))
    if kind is None and (t.is_integer(of) or t.is_decimal(of)):
        return _symbols(name, _encoded(data), str)
    found = from_chunks(name, data, "sym" if time_format(of) else kind)
    if found.variable.kind == "sym":
        return found
    return Found(*convert(found.variable, found.column, "sym"))


def _in_order_of_appearance(found: Found) -> Found:
    codes, values = cast("Codes", found.column), found.variable.values
    first = np.full(len(values), len(codes))
    rows = np.flatnonzero(codes >= 0)[::-1]
    first[codes[rows]] = rows  # where a code comes often, its first row is written last
    order: Array = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    table = np.full(len(values) + 1, -1, np.int32)
    table[order] = np.arange(len(order))
    kept: list[int] = order.tolist()
    variable = Variable(found.variable.name, "sym", tuple(values[code] for code in kept))
    same = kept == list(range(len(values)))
    return Found(variable, codes if same else table[codes])


def _bare(data: Any) -> Any:
    """The column without what some writers wrap around it."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as t

    chunked: Any = pa.chunked_array
    chunks: list[Any] = data.chunks
    of: Any = data.type
    if isinstance(of, pa.BaseExtensionType):
        if is_period(of):  # numbers since 1970 are what it would become
            return data
        return _bare(chunked([chunk.storage for chunk in chunks], of.storage_type))
    if t.is_run_end_encoded(of):
        decode = cast("Any", pc).run_end_decode
        return _bare(chunked([decode(chunk) for chunk in chunks], of.value_type))
    return data


def _times(name: str, data: Any, form: TimeFormat, kind: str | None) -> Found:
    """Dates, moments and times of day; symbols where nanoseconds of 64 bits cannot count them."""
    column = times_of(data)
    if column is not None and kind not in ("sym", "text"):
        return Found(Variable(name, "time", format=form), column)
    notes = [note("far times", name=name)] if kind is None else []
    if is_period(data.type):
        return _symbols(name, _spelled_periods(data), str, *notes)
    return _symbols(name, _encoded(data), _speller(name, data.type), *notes)


def _spelled_periods(data: Any) -> Any:
    """Periods of pandas, as pandas spells them."""
    import pandas as pd
    import pyarrow as pa

    spelled: Any = pd.PeriodIndex(data.to_pandas()).astype(str).to_numpy(object)
    strings: Any = pa.array(spelled, pa.string(), mask=data.is_null().to_numpy())
    return strings.dictionary_encode()


def _unfit(name: str, of: "pa.DataType") -> ReadError:
    import pyarrow.types as t

    if "binary" in str(of):
        what, remedy = "bytes", "Cast it to string, or leave the column out"
    elif t.is_nested(of):
        what, remedy = "nested values", "Take them apart into columns of their own, or leave it out"
    else:
        what, remedy = "what is neither number nor text", "Cast it to one of these, or leave it out"
    return ReadError(f"column {name!r} holds {what} (Arrow's type {of})", remedy=f"{remedy}.")


def _booleans(name: str, data: Any, kind: str | None) -> Found:
    import pyarrow as pa

    if kind == "num":
        return _numbers(name, data.cast(pa.int8()), kind)
    codes = data.cast(pa.int32()).fill_null(-1).to_numpy()
    return Found(Variable(name, "sym", ("False", "True")), codes)


def _numbers(name: str, data: Any, kind: str | None) -> Found:
    import pyarrow as pa
    import pyarrow.types as t

    if kind != "num" and not t.is_floating(data.type) and _beyond(data):
        return _symbols(name, _encoded(data), str, note("large numbers", name=name))
    if t.is_decimal(data.type):
        # By way of the spelling, which is rounded once; Arrow's own cast may round twice.
        data = data.cast(pa.string())
    floats = _as_floats(data.cast(pa.float64(), safe=False))
    refuse_infinite(name, floats)
    return Found(Variable(name), floats)


def _beyond(data: Any) -> bool:
    import pyarrow.compute as pc

    ends: Any = pc.min_max(data).as_py()
    return ends["max"] is not None and max(-ends["min"], ends["max"]) > WHOLE


def _as_floats(data: Any) -> Array:
    if data.num_chunks == 1 and not data.null_count:
        return _aligned(data.chunk(0).to_numpy(zero_copy_only=True))
    return data.to_numpy()  # nulls become NaN


def _aligned(column: Array) -> Array:
    """The very same memory, unless it came off a wire and starts anywhere: kernels need better."""
    return np.require(column, requirements=["ALIGNED"])


def _strings(name: str, data: Any) -> Found:
    encoded = _symbols(name, _encoded(data), str)
    known = len(data) - data.null_count
    if not is_text(encoded.variable.values, known):
        return encoded
    return Found(Variable(name, "text"), data.to_numpy())


def _encoded(data: Any) -> Any:
    return (
        data.combine_chunks().dictionary_encode() if data.num_chunks else data.dictionary_encode()
    )


def _speller(name: str, of: Any) -> Callable[[Any], str]:
    """How the values of a dictionary are spelled."""
    import pyarrow.types as t

    if t.is_duration(of):
        per_second = _TICKS[of.unit]
        return lambda ticks: duration(int(ticks), per_second)
    if t.is_timestamp(of):
        return _moment
    if t.is_temporal(of) and not t.is_interval(of):
        return trim
    if t.is_nested(of) or "binary" in str(of) or t.is_interval(of):
        raise _unfit(name, of)
    return spell


def _moment(spelled: str) -> str:
    day, _, rest = spelled.partition(" ")
    rest = rest.replace("Z", "+0000")
    zoned = len(rest) > 5 and rest[-5] in "+-"
    return trim(f"{day}T{rest[:-2]}:{rest[-2:]}" if zoned else f"{day}T{rest}")


def _values(name: str, dictionary: Any) -> list[Any]:
    """The values of a dictionary as Python has them; times by their Arrow spelling."""
    import pyarrow as pa
    import pyarrow.types as t

    if not t.is_temporal(dictionary.type):
        return dictionary.to_pylist()
    spelled: list[str | None] = dictionary.cast(pa.string()).to_pylist()
    if any(each is not None and each.startswith("<value out of range") for each in spelled):
        raise ReadError(
            f"column {name!r} holds a time that is in no calendar, as infinity is",
            remedy="Make it missing, as with nullif(…, 'infinity') in SQL.",
        )
    return spelled


def _symbols(name: str, data: Any, spelled: Callable[[Any], str], *notes: str) -> Found:
    """Symbols from dictionaries, one for each chunk; equal spellings become one value."""
    chunks = data.chunks if hasattr(data, "chunks") else [data]
    at: dict[str, int] = {}
    parts: list[Codes] = []
    for chunk in chunks:
        values = [None if v is None else spelled(v) for v in _values(name, chunk.dictionary)]
        codes = [-1 if v is None else at.setdefault(v, len(at)) for v in values]
        parts.append(_recoded(name, chunk.indices, codes))
    column = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, np.int32), *parts])
    return Found(Variable(name, "sym", tuple(at)), column, notes)


def _recoded(name: str, indices: Any, codes: Sequence[int]) -> Codes:
    """Indices into a dictionary as codes; the very same memory where nothing changes."""
    import pyarrow as pa

    if len(indices) > indices.null_count:
        known = indices.drop_null().to_numpy()
        if known.min() < 0 or known.max() >= len(codes):
            raise ReadError(
                f"column {name!r} refers to a symbol that it does not list",
                remedy="The data are damaged; write them again.",
            )
    same = list(codes) == list(range(len(codes)))
    if same and not indices.null_count and indices.type == pa.int32():
        return _aligned(indices.to_numpy())
    table = np.array([*codes, -1], np.int32)
    return table[indices.cast(pa.int64()).fill_null(len(codes)).to_numpy()]
