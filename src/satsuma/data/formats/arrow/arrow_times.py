"""Times of Arrow: dates, timestamps and times of day, in and out, without a copy where they fit."""

from dataclasses import replace
from typing import Any, cast

import numpy as np

from satsuma.data.time_formats import CLOCK, DATE, MOMENT, ZONED, has_clock, has_day, spells
from satsuma.data.times import exact_times
from satsuma.data.variable import Variable
from satsuma.data.zones import arrow_zone, zone_of
from satsuma.kernels.csv import DAY, TimeFormat
from satsuma.numerics.arrays import TIME, Times

_TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}

#: How periods are written, and what numpy calls their unit, by what pandas calls it.
_PERIODS = {
    "Y-DEC": (TimeFormat("%Y"), "Y"),
    "M": (TimeFormat("%Y-%m"), "M"),
    "D": (DATE, "D"),
    "h": (TimeFormat("%Y-%m-%d %H:00"), "h"),
    "min": (TimeFormat("%Y-%m-%d %H:%M"), "m"),
    "s": (MOMENT, "s"),
    **{unit: (TimeFormat("%Y-%m-%d %H:%M:%S%.f"), unit) for unit in ("ms", "us", "ns")},
}


def is_period(of: Any) -> bool:
    """Whether a type of Arrow holds periods of pandas."""
    return getattr(of, "extension_name", "") == "pandas.period"


def time_format(of: Any) -> TimeFormat | None:
    """How the times of a type are written; None where it holds other things.

    Examples
    --------
    >>> import pyarrow as pa
    >>> time_format(pa.timestamp("us", "Asia/Tokyo"))
    TimeFormat(pattern='%Y-%m-%d %H:%M:%S%.f%z', language='en', zone='Asia/Tokyo')
    """
    import pyarrow.types as t

    if is_period(of):
        return _PERIODS.get(of.freq, (None,))[0]
    if t.is_date(of):
        return DATE
    if not (t.is_timestamp(of) or t.is_time(of)):
        return None
    zone: str = getattr(of, "tz", None) or ""
    form = replace(ZONED, zone=zone_of(zone)) if zone else CLOCK if t.is_time(of) else MOMENT
    if of.unit == "s":
        return form
    return replace(form, pattern=form.pattern.replace("%S", "%S%.f"))


def times_of(data: Any) -> Times | None:
    """A column of dates, moments or times of day; None where 64 bits cannot count nanoseconds."""
    import pyarrow as pa
    import pyarrow.types as t

    of = data.type
    if is_period(of):
        return _begin(data)
    if t.is_time(of):
        data = data.cast(pa.time64("ns")).cast(pa.int64())
    try:
        moments: Any = data.cast(pa.timestamp("ns", getattr(of, "tz", None)))
    except pa.ArrowInvalid:
        return None
    if moments.num_chunks == 1 and not moments.null_count:
        column = moments.chunk(0).to_numpy(zero_copy_only=True)
        return np.require(column, requirements=["ALIGNED"])
    return moments.to_numpy().astype(TIME, copy=False)


def _begin(data: Any) -> Times | None:
    """When periods of pandas begin."""
    chunks: list[Any] = [chunk.storage for chunk in data.chunks]
    parts = [each.fill_null(0).to_numpy() for each in chunks]
    begun = np.concatenate([np.zeros(0, np.int64), *parts])
    begun = begun.astype(f"datetime64[{_PERIODS[data.type.freq][1]}]")
    begun[data.is_null().to_numpy()] = np.datetime64("NaT")
    try:
        return exact_times(begun)
    except OverflowError:
        return None


def seconds_of(data: Any) -> Any:
    """Lengths of time in seconds, as an Arrow column of numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    per_second = float(_TICKS[data.type.unit])
    return cast("Any", pc).divide(data.cast(pa.int64()).cast(pa.float64(), safe=False), per_second)


def arrow_type(variable: Variable, column: Times) -> Any:
    """The type of Arrow that says of times what their format says.

    Examples
    --------
    >>> arrow_type(Variable("day", "time", format="%d.%m.%Y"), np.zeros(1, TIME))
    DataType(date32[day])
    """
    import pyarrow as pa

    form = variable.time_format
    if "%z" in form.pattern:
        return pa.timestamp("ns", arrow_zone(form.zone))
    values = column[~np.isnat(column)].view(np.int64)
    if has_day(form) and not has_clock(form) and not (values % DAY).any():
        return pa.date32()
    if has_clock(form) and not has_day(form) and not ((values < 0) | (values >= DAY)).any():
        return pa.time64("ns")
    return pa.timestamp("ns")


def to_times(variable: Variable, column: Times) -> Any:
    """A column of times as Arrow has it; missing ones are null."""
    import pyarrow as pa
    import pyarrow.types as t

    of = arrow_type(variable, column)
    made: Any = pa.array(column, pa.timestamp("ns"))
    if t.is_time(of):
        return made.cast(pa.int64()).cast(of)
    return made.view(of) if t.is_timestamp(of) else made.cast(of)


def fitted_format(found: Variable, said: TimeFormat, column: Times) -> TimeFormat:
    """The format that is said of a column, if that still says all about it; else its own."""
    own = found.time_format
    zoned = "%z" in own.pattern
    if zoned != ("%z" in said.pattern) or (zoned and arrow_zone(said.zone) != arrow_zone(own.zone)):
        return own
    return said if spells(said, column) else own
