"""Types of arrays, and how columns of each kind are held."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

#: Any array.
Array = npt.NDArray[Any]

#: Numbers; NaN is missing.
Floats = npt.NDArray[np.float64]

#: Codes of symbols, of classes or of groups; -1 is missing.
Codes = npt.NDArray[np.int32]

#: Whole numbers.
Integers = npt.NDArray[np.int64]

#: Places in other arrays, such as numbers of rows.
Indices = npt.NDArray[np.intp]

#: True or false.
Bools = npt.NDArray[np.bool_]

#: Numbers of 64 bits that depend on what is in a row, a value or a key.
Hashes = npt.NDArray[np.uint64]

#: Times: nanoseconds since 1970; NaT is missing.
Times = npt.NDArray[np.datetime64]

#: How times are held.
TIME = np.dtype("datetime64[ns]")

#: What the cells of a column are, by its kind.
DTYPES: dict[str, Any] = {"num": np.float64, "sym": np.int32, "text": np.object_, "time": TIME}

#: What stands in a cell without content, by the kind of its column.
MISSING: dict[str, Any] = {
    "num": np.nan,
    "sym": -1,
    "text": None,
    "time": np.datetime64("NaT", "ns"),
}


def align(columns: Sequence[Array]) -> list[Array]:
    """Columns as they are; one whose cells lie across the machine's words is copied.

    A field of packed records may lie so.
    """
    return [column if column.flags.aligned else column.copy() for column in columns]


def frozen(array: Array) -> Array:
    """The same array, not to be written to: tables and tallies are values."""
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array
