"""Reading a CSV to typed columns: time beside pyarrow, polars and pandas, and memory."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import OURS, Report, Row, compare
from benchmarks.tables import mixed_csv, orders_csv

THREADS = 2

#: The columns of the orders that need more than a plain reader, and how their dates are written.
MONEY = ("price", "freight")
DATES = {"ordered": "%Y-%m-%d", "shipped": "%m/%d/%Y"}
SYMBOLS = ("country", "carrier", "paid")


def run(report: Report) -> None:
    """Time, then peak memory in a process of its own."""
    path = mixed_csv()
    size = path.stat().st_size / 1e6
    _time(report, path, f"read CSV, {size:.0f} MB, {THREADS} threads")
    _memory(report, path)
    path = orders_csv()
    size = path.stat().st_size / 1e6
    _dates_and_money(report, path, f"read CSV, dates and money, {size:.0f} MB, {THREADS} threads")


def _time(report: Report, path: Path, workload: str) -> None:
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)  # read when polars is imported
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.csv

    import satsuma

    pa.set_cpu_count(THREADS)
    symbols = [f"s{j}" for j in range(10)]
    encode = pyarrow.csv.ConvertOptions(auto_dict_encode=True)
    runs = {
        OURS: lambda: satsuma.read(path, threads=THREADS),
        "pyarrow, dictionaries": lambda: pyarrow.csv.read_csv(path, convert_options=encode),
        "polars, categories": lambda: pl.read_csv(
            path, schema_overrides=dict.fromkeys(symbols, pl.Categorical)
        ),
        "pandas, categories": lambda: pd.read_csv(path, dtype=dict.fromkeys(symbols, "category")),
    }
    asked = {"pyarrow, dictionaries": 2, "polars, categories": 3, "pandas, categories": 7}
    compare(report, workload, runs, asked, 15)


def _dates_and_money(report: Report, path: Path, workload: str) -> None:
    """Ours recognises what the peers are told: the types at the end are the same."""
    import satsuma

    runs = {
        OURS: lambda: satsuma.read(path, threads=THREADS),
        "pyarrow, told the formats": _pyarrow_orders(path),
        "polars, told the formats": _polars_orders(path),
        "pandas, told the formats": _pandas_orders(path),
    }
    asked = {"pyarrow, told the formats": 3, "pandas, told the formats": 5}
    compare(report, workload, runs, asked, 15)


def _pyarrow_orders(path: Path) -> Callable[[], object]:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv

    convert = pyarrow.csv.ConvertOptions(
        auto_dict_encode=True,
        timestamp_parsers=list(DATES.values()),
        column_types=dict.fromkeys(DATES, pa.timestamp("s")) | dict.fromkeys(MONEY, pa.string()),
    )

    def read() -> object:
        table = pyarrow.csv.read_csv(path, convert_options=convert)
        for name in MONEY:
            digits = pc.replace_substring(pc.replace_substring(table[name], "$", ""), ",", "")
            at = table.schema.get_field_index(name)
            table = table.set_column(at, name, digits.cast("float64"))
        return table

    return read


def _polars_orders(path: Path) -> Callable[[], object]:
    import polars as pl

    plain = [pl.col(name).str.replace_all("$", "", literal=True) for name in MONEY]
    amounts = [each.str.replace_all(",", "", literal=True).cast(pl.Float64) for each in plain]
    shipped = pl.col("shipped").str.to_date(DATES["shipped"])  # try_parse_dates leaves it
    symbols = dict.fromkeys(SYMBOLS, pl.Categorical)

    def read() -> object:
        table = pl.read_csv(path, try_parse_dates=True, schema_overrides=symbols)
        return table.with_columns(*amounts, shipped)

    return read


def _pandas_orders(path: Path) -> Callable[[], object]:
    import pandas as pd

    def read() -> object:
        table = pd.read_csv(
            path,
            parse_dates=list(DATES),
            date_format=DATES,
            dtype=dict.fromkeys(SYMBOLS, "category"),
        )
        for name in MONEY:
            digits = table[name].str.replace("$", "", regex=False).str.replace(",", "", regex=False)
            table[name] = digits.astype("float64")
        return table

    return read


_PEAK = """
import sys, satsuma
table = satsuma.read(sys.argv[1], threads=int(sys.argv[2]))
size = sum(column.nbytes for column in table.columns)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(size, int(status["VmHWM"].split()[0]) * 1024)
"""


def _memory(report: Report, path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path), str(THREADS)],
        capture_output=True,
        check=True,
        text=True,
    )
    size, peak = map(int, done.stdout.split())
    report.add(
        Row(
            "read CSV, peak memory over the table's size",
            OURS,
            f"{peak / 1e6:.0f} MB",
            f"{peak / size:.2f}",
            "at most 3",
        )
    )
