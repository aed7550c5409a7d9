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
from contextlib import closing
from pathlib import Path

from tests.data.database import postgres

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
peak = memory("VmHWM")
print(json.dumps({"seconds": seconds, "peak": peak, "grown": peak - before, "rows": len(source)}))
"""

#: Three numbers, an integer, a symbol of twenty values and a class of three, made by the database.
_ROWS = """select y + {0} as a, 2 * y + {0} as b, {0} as c, k % 100 as n,
'value ' || (k * 7919 % 20) as s, 'c' || y as y from (select k, k * 31 % 3 as y from {1})"""


def make_sqlite(path: Path, rows: int) -> str:
    """A file of SQLite; its address."""
    noise = "(random() / 9223372036854775808.0 + random() / 9223372036854775808.0)"
    numbers = f"numbers(k) as (select 1 union all select k + 1 from numbers where k < {rows})"
    with closing(sqlite3.connect(path)) as made:
        made.execute(f"create table t as with recursive {numbers} {_ROWS.format(noise, 'numbers')}")
        made.commit()
    return f"sqlite:///{path}?table=t"


def make_postgresql(url: str, rows: int) -> str:
    """A table in PostgreSQL; its address."""
    from adbc_driver_postgresql import dbapi

    sql = _ROWS.format("(random() + random())", f"generate_series(1, {rows}::bigint) as k")
    with dbapi.connect(url, autocommit=True) as made, made.cursor() as cursor:
        cursor.execute(f"create unlogged table t as {sql} as made")
    return f"{url}&table=t"


def tell(what: str, address: str) -> None:
    """Learn in a process of its own, and print what it took."""
    command = [sys.executable, "-c", _LEARN, address]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found = json.loads(done.stdout)
    figures = (
        f"{found['seconds']:.1f} s, peak memory {found['peak'] / 1e6:.0f} MB, "
        f"{found['grown'] / 1e6:.0f} MB more than before"
    )
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
