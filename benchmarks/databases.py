"""Naive Bayes from a table of SQLite and of PostgreSQL, each in a fresh process.

    python -m benchmarks.databases [rows]

The databases are made in the temporary folder and removed at the end. PostgreSQL is started from
Debian's package, where it is there. Not part of `make bench`, for its size.
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from tests.data.database import postgres

ROWS = 1 << 16

_LEARN = """
import json, sys, time
import satsuma

def memory(what):
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(status[what].split()[0]) * 1024

satsuma.NaiveBayes()(satsuma.load("iris"))
before, start = memory("VmRSS"), time.perf_counter()
source = satsuma.scan(sys.argv[1], target="y")
satsuma.NaiveBayes()(source)
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "grown": memory("VmHWM") - before, "rows": len(source)}))
"""

_COLUMNS = "a {0}, b {0}, c {0}, n bigint, s text, y text"


def batches(rows: int) -> Iterator[list[tuple[object, ...]]]:
    """Rows of three numbers, an integer, a symbol and a class."""
    rng = np.random.default_rng(1)
    for start in range(0, rows, ROWS):
        count = min(ROWS, rows - start)
        y = rng.integers(0, 3, count)
        numbers = [rng.normal(j + y, 2).tolist() for j in range(3)]
        whole = rng.integers(0, 100, count).tolist()
        symbols = [f"value {k}" for k in rng.integers(0, 20, count).tolist()]
        yield list(zip(*numbers, whole, symbols, [f"c{k}" for k in y.tolist()], strict=True))


def make_sqlite(path: Path, rows: int) -> str:
    """A file of SQLite; its address."""
    with closing(sqlite3.connect(path)) as made:
        made.execute(f"create table t({_COLUMNS.format('real')})")
        for batch in batches(rows):
            made.executemany("insert into t values (?, ?, ?, ?, ?, ?)", batch)
        made.commit()
    return f"sqlite:///{path}?table=t"


def make_postgresql(url: str, rows: int) -> str:
    """A table in PostgreSQL; its address."""
    import pyarrow as pa
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(url, autocommit=True) as made, made.cursor() as cursor:
        cursor.execute(f"create table t({_COLUMNS.format('double precision')})")
        for batch in batches(rows):
            columns = dict(zip("abcnsy", zip(*batch, strict=True), strict=True))
            cursor.adbc_ingest("t", pa.table(columns), mode="append")
    return f"{url}&table=t"


def tell(what: str, address: str) -> None:
    """Learn in a process of its own, and print what it took."""
    command = [sys.executable, "-c", _LEARN, address]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found = json.loads(done.stdout)
    figures = f"{found['seconds']:.1f} s, memory grown by {found['grown'] / 1e6:.0f} MB"
    print(f"{what}: {found['rows']:,} rows, {figures}", flush=True)


def main(rows: int) -> None:
    """Make each database, learn from it, and tell."""
    with tempfile.TemporaryDirectory() as folder:
        tell("SQLite", make_sqlite(Path(folder, "t.db"), rows))
    if postgres.programs() is None:
        sys.exit("There is no PostgreSQL here.")
    with postgres.server() as place:
        url = f"postgresql://{postgres.USER}:{postgres.ENCODED}@{place}"
        tell("PostgreSQL", make_postgresql(url, rows))


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 200_000)
