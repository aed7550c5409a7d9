"""Reading a CSV to typed columns: time beside pyarrow, polars and pandas, and memory."""

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.harness import OURS, Report, Row, compare
from benchmarks.tables import mixed_csv

THREADS = 2


def run(report: Report) -> None:
    """Time, then peak memory in a process of its own."""
    path = mixed_csv()
    size = path.stat().st_size / 1e6
    _time(report, path, f"read CSV, {size:.0f} MB, {THREADS} threads")
    _memory(report, path)


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
