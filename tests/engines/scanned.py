"""The table of the laws of scans, and files of it."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from satsuma import Domain, GetProbabilities, Table, Variable
from satsuma.kernels import compiled

#: More than a tile of a kernel has; the twins read a hundredth as fast.
ROWS = 70_000 if compiled else 10_000
ROLES = {"w": "weight"}


def mixed():
    """Numbers and symbols with holes and weights; a class and a category come late."""
    rng = np.random.default_rng(8)
    late = np.arange(ROWS) > ROWS - 700
    target = np.where(late & (rng.random(ROWS) < 0.3), 2, rng.integers(0, 2, ROWS))
    target = np.where(rng.random(ROWS) < 0.01, -1, target)
    variables, columns = [], []
    for j in range(3):
        numbers = np.round(rng.normal(10.0**j + target, 1 + j), 3)
        variables.append(Variable(f"x{j}"))
        columns.append(np.where(rng.random(ROWS) < 0.05, np.nan, numbers))
    for j in range(2):
        codes = (target + rng.integers(0, 3 + j, ROWS)) % 4
        codes = np.where(late & (rng.random(ROWS) < 0.2), 4, codes)
        variables.append(Variable(f"s{j}", "sym", tuple("abcde")))
        columns.append(np.where(rng.random(ROWS) < 0.05, -1, codes).astype(np.int32))
    variables.append(Variable("w"))
    columns.append(rng.integers(0, 4, ROWS) / 2.0)
    variables.append(Variable("y", "sym", ("no", "yes", "late")))
    columns.append(target.astype(np.int32))
    return Table(Domain(variables), columns)


def _plain(column):
    return column.cast("string") if pa.types.is_dictionary(column.type) else column


def parquet_files(whole, folder, count):
    """A pattern of Parquet files that have the rows of a table."""
    folder.mkdir()
    edges = np.linspace(0, len(whole), count + 1).astype(int)
    for at, (low, high) in enumerate(pairwise(edges)):
        # Strings, so that values come by their first appearance and no domain goes along.
        arrow = whole[low:high].to_arrow()
        plain = pa.table({n: _plain(arrow[n]) for n in arrow.column_names})
        pq.write_table(plain, folder / f"{at:03}.parquet", row_group_size=12_000)
    return str(folder / "*.parquet")


def answers(model, table):
    """What a model says of rows, in numbers."""
    return model(table, GetProbabilities) if hasattr(model, "classes") else model(table)


def timed_frame(rows=600):
    """A data frame with times of every sort, of which the class depends on the hour."""
    import pandas as pd

    rng = np.random.default_rng(3)
    at = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 86_400 * 500, rows), unit="s")
    numbers = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            "at": at,
            "zoned": at.tz_localize("UTC").tz_convert("Europe/Ljubljana"),
            "day": at.date,
            "clock": at.time,
            "n": numbers,
            "y": np.where((at.hour > 11) ^ (numbers > 1), "late", "early"),
        }
    )
    frame.loc[::17, ["at", "zoned"]] = pd.NaT
    return frame
