"""Rows of Parquet scored by DuckDB, by what `to_sql` writes, beside `predict` of the same model.

    python -m benchmarks.scoring_sql [rows]

Both write the class and its probabilities to Parquet, on two threads, each in a fresh process; what
they write is compared. Files are made in the temporary folder. Not part of `make bench`, for its
size.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.harness import told_ratio

#: Rows that models learn from, and rows that are made at once.
LEARNED, BATCH = 100_000, 250_000

_START = """
import json, os, sys, time
model, rows, out = sys.argv[1:4]

def spent():
    return time.perf_counter(), time.process_time()

def tell(start):
    wall, cpu = (now - then for now, then in zip(spent(), start))
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    peak = int(status["VmHWM"].split()[0]) * 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak}))
"""

_OURS = f"""{_START}
import satsuma
model = satsuma.open_model(model)
model.predict(satsuma.scan(rows).head(1_000), out, what=satsuma.GetBoth, keep=["id"])
source = satsuma.scan(rows, threads=2)
start = spent()
model.predict(source, out, what=satsuma.GetBoth, keep=["id"])
tell(start)
"""

_DUCKDB = f"""{_START}
import duckdb
import satsuma
sql = satsuma.open_model(model).to_sql("duckdb", table=rows, keep=["id"])
connection = duckdb.connect()
connection.execute("set enable_progress_bar = false")
connection.execute("set threads = 2")
start = spent()
connection.execute(f"copy ({{sql.rstrip().rstrip(';')}}) to '{{out}}' (format parquet)")
tell(start)
"""


def make_rows(path: Path, rows: int) -> None:
    """Ten numbers, four symbols and a class of three that they tell of; a twentieth missing."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, writer = np.random.default_rng(3), None
    for start in range(0, rows, BATCH):
        n = min(BATCH, rows - start)
        y = rng.integers(0, 3, n)
        columns = {"id": pa.array(np.arange(start, start + n))}
        for at in range(10):
            numbers = rng.normal(y * (at % 4) / 3, 1 + at)
            columns[f"x{at}"] = pa.array(numbers, mask=rng.random(n) < 0.05)
        for at in range(4):
            codes = (rng.integers(0, 4 + at, n) + y * (rng.random(n) < 0.3)).astype(np.int32)
            names = pa.array([f"value {value}" for value in range(7 + at)])
            symbols = pa.array(codes, mask=rng.random(n) < 0.05)
            columns[f"s{at}"] = pa.DictionaryArray.from_arrays(symbols, names).cast(pa.string())
        columns["y"] = pa.array(np.array(["low", "middle", "high"])[y])
        made = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, made.schema)
        writer.write_table(made)
    if writer:
        writer.close()


def measured(code: str, *words: Path) -> dict[str, float]:
    """What a fresh process took."""
    command = [sys.executable, "-c", code, *map(str, words)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def differences(one: Path, other: Path) -> tuple[int, float]:
    """Rows whose class is another, and the farthest that two probabilities are apart."""
    import duckdb

    names = [f'"y = {value}"' for value in ("low", "middle", "high")]
    gaps = ", ".join(f"abs(a.{name} - b.{name})" for name in names)
    query = (
        f'select count(*) filter (a."y predicted" <> b."y predicted"), max(greatest({gaps})), '
        f"count(*) from '{one}' a join '{other}' b using (id)"
    )
    ((classes, gap, both),) = duckdb.sql(query).fetchall()
    assert [(both,)] == duckdb.sql(f"select count(*) from '{one}'").fetchall()
    return classes, gap


def main(rows: int) -> None:
    """Make the rows, learn three models, and tell how long both take to score."""
    import satsuma

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "rows.parquet"
        make_rows(path, rows)
        size = path.stat().st_size / 1e6
        print(f"{rows:,} rows, {size:.0f} MB of Parquet", flush=True)
        table = satsuma.scan(path, target="y", roles={"id": "meta"}).head(LEARNED)
        for learner in (satsuma.Tree(), satsuma.NaiveBayes(), satsuma.Logistic()):
            kept, ours, theirs = (folder / each for each in ("model", "a.parquet", "b.parquet"))
            learner(table).save(kept)
            found = {
                "predict": measured(_OURS, kept, path, ours),
                "DuckDB": measured(_DUCKDB, kept, path, theirs),
            }
            for who, each in found.items():
                figures = f"{each['cpu']:.2f} s of CPU, {each['wall']:.2f} s"
                ratio = told_ratio(found["predict"]["cpu"] * 3 / each["cpu"])
                more = "" if who == "predict" else f", 3 x predict over it: {ratio}"
                peak = f"{each['peak'] / 1e6:.0f} MB"
                print(f"{learner}: {who}, {figures}, {peak}{more}", flush=True)
            classes, gap = differences(ours, theirs)
            print(f"{learner}: {classes} other classes, probabilities within {gap:.1e}", flush=True)


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)
