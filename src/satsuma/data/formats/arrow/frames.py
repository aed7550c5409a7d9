"""Data frames of pandas and polars: what Arrow does not settle on the way from and to them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.cells import Found, column_of
from satsuma.data.formats.arrow.conversion import arrow_columns
from satsuma.data.time_formats import DATE, has_clock, has_day
from satsuma.data.variable import Variable
from satsuma.kernels.csv import DAY

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from satsuma.data.table import Table


def frame_columns(
    frame: Any, data: "pa.Table", kinds: Mapping[str, str] | None
) -> tuple[list[Found], list[str]]:
    """The columns of a pandas frame, and notes; `data` is the frame as Arrow has it.

    Objects that Arrow takes for dates are looked at once more: of a date among moments it makes
    dates throughout. Moments at midnight are shown as days, as pandas itself shows them.
    """
    import pyarrow.types as t

    found, notes = arrow_columns(data, kinds)
    types: list[Any] = data.schema.types
    for at, of in enumerate(frame.dtypes):
        if of == np.dtype(object) and t.is_temporal(types[at]):
            name = found[at].variable.name
            found[at] = column_of(name, frame.iloc[:, at].tolist(), (kinds or {}).get(name))
        found[at] = found[at]._replace(variable=_shown(*found[at][:2]))
    return found, notes


def _shown(variable: Variable, column: Any) -> Variable:
    if variable.kind != "time" or "%z" in variable.time_format.pattern:
        return variable
    moments = has_day(variable.time_format) and has_clock(variable.time_format)
    at_midnight = moments and not (column[~np.isnat(column)].view(np.int64) % DAY).any()
    return replace(variable, format=DATE) if at_midnight else variable


def to_pandas(table: "Table") -> "pd.DataFrame":
    """A pandas data frame. Days are moments at midnight, for which pandas has a type.

    Times of day to the nanosecond, for which Python has none, keep that of Arrow.
    """
    import pandas as pd
    import pyarrow as pa

    data, fine = table.to_arrow(), dict[str, int]()
    for at, name in enumerate(data.column_names):
        column: Any = data.column(at)
        if column.type == pa.date32():
            data = data.set_column(at, name, column.cast(pa.timestamp("ns")))
        if column.type == pa.time64("ns"):
            try:
                data = data.set_column(at, name, column.cast(pa.time64("us")))
            except pa.ArrowInvalid:
                fine[name] = at
    frame = data.drop_columns(list(fine)).to_pandas()
    for name, at in fine.items():
        frame.insert(at, name, pd.arrays.ArrowExtensionArray(cast("Any", data.column(name))))
    return frame


def to_polars(table: "Table") -> "pl.DataFrame":
    """A polars data frame; symbols are enumerations, which keep the order of the values.

    Moments of a zone that polars does not have, such as ``+05:30``, are told by that of Greenwich.
    """
    import polars as pl
    import pyarrow as pa

    data = table.to_arrow()
    for at, name in enumerate(data.column_names):
        column: Any = data.column(at)
        zone = getattr(column.type, "tz", None) or ""
        if zone[:1] in ("+", "-") and not zone.endswith(":00"):
            data = data.set_column(at, name, column.cast(pa.timestamp("ns", "UTC")))
    frame = cast("pl.DataFrame", pl.from_arrow(data))
    kinds = {v.name: pl.Enum(v.values) for v in table.domain if v.kind == "sym"}
    return frame.cast(cast("Any", kinds)) if kinds else frame
