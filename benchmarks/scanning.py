"""Learning from files as they stream by: time beside duckdb, memory, and what decoding costs."""

import json
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.harness import OURS, Report, Row, best_of
from benchmarks.tables import mixed_csv

#: How often the million rows are repeated in the large file.
TIMES = 10
THREADS = 2

_PEAK = """
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
peak = int(status["VmHWM"].split()[0]) * 1024
"""

#: A fresh process each, imports included. The first pass over a source is what is measured.
_LEARN = (
    """
import json, sys, time
start = time.perf_counter()
import satsuma
source = satsuma.scan(sys.argv[1], target="s0", threads=int(sys.argv[2]))
model = satsuma.NaiveBayes()(source)
seconds = time.perf_counter() - start
"""
    + _PEAK
    + """
start = time.perf_counter()
source.reduce(len)
decoding = time.perf_counter() - start
start = time.perf_counter()
satsuma.NaiveBayes()(source)
again = time.perf_counter() - start
found = {"seconds": seconds, "peak": peak, "rows": len(source), "share": decoding / again}
print(json.dumps(found))
"""
)

_DUCKDB = (
    """
import json, sys, time
start = time.perf_counter()
import duckdb
numbers = ", ".join(f"count(x{j}), avg(x{j}), var_samp(x{j})" for j in range(10))
symbols = ", ".join(f"histogram(s{j})" for j in range(1, 10))
rows = "read_csv(?) where s0 is not null group by s0"
query = f"select s0, count(*), {numbers}, {symbols} from {rows}"
connection = duckdb.connect()
connection.execute("set enable_progress_bar=false")
connection.execute(f"set threads={sys.argv[2]}")
connection.execute(query, [sys.argv[1]]).fetchall()
seconds = time.perf_counter() - start
"""
    + _PEAK
    + """
print(json.dumps({"seconds": seconds, "peak": peak}))
"""
)


def run(report: Report) -> None:
    """The large file beside duckdb, then a million rows in each format."""
    with tempfile.TemporaryDirectory() as folder:
        _large(report, Path(folder))
        _formats(report, Path(folder))
    _workers(report)


def _fresh(code: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-c", code, str(path), str(THREADS)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def _large(report: Report, folder: Path) -> None:
    path, source = folder / "large.csv", mixed_csv()
    with path.open("wb") as large, source.open("rb") as rows:
        large.write(rows.readline())
        start = rows.tell()
        for _ in range(TIMES):
            rows.seek(start)
            shutil.copyfileobj(rows, large, 1 << 24)
    size = path.stat().st_size / 1e9
    ours, peer = [], []
    for _ in range(3):
        ours.append(_fresh(_LEARN, path))
        peer.append(_fresh(_DUCKDB, path))
    path.unlink()
    best, other = (min(each["seconds"] for each in found) for found in (ours, peer))
    workload = f"naive Bayes from a CSV of {size:.1f} GB, fresh process"
    report.add(Row(workload, OURS, f"{best:.2f} s"))
    report.add(
        Row(workload, "duckdb, aggregates", f"{other:.2f} s", f"{other / best:.2f}", "at least 2.5")
    )
    for who, found in ((OURS, ours), ("duckdb, aggregates", peer)):
        peak = max(each["peak"] for each in found) / 1e6
        asked = "at most 300 MB" if who == OURS else ""
        report.add(Row(f"{workload}: peak memory", who, f"{peak:.0f} MB", "", asked))


def _formats(report: Report, folder: Path) -> None:
    import satsuma

    source, few = satsuma.scan(mixed_csv()), folder / "few.parquet"
    source.head(100_000).write(few)
    for form in ("csv", "csv.gz", "parquet", "feather", "jsonl"):
        path, some = folder / f"rows.{form}", satsuma.scan(few) if form == "jsonl" else source
        some.write(path)
        found = [_fresh(_LEARN, path) for _ in range(2)]
        path.unlink()
        best = min(found, key=lambda each: each["seconds"])
        figure = f"{best['rows'] / best['seconds'] / 1e6:.2f} M rows/s"
        workload = f"naive Bayes from {form}, {len(some):,} rows"
        report.add(Row(workload, OURS, figure))
        report.add(Row(f"{workload}: peak memory", OURS, f"{best['peak'] / 1e6:.0f} MB"))
        report.add(Row(f"{workload}: share of decoding", OURS, f"{best['share']:.0%}"))


def _workers(report: Report) -> None:
    """What a task costs on Dask, and what a second worker brings."""
    from distributed import Client, LocalCluster

    import satsuma
    from satsuma.engines.dask_workers import Workers
    from satsuma.engines.thread_pool import Item

    parts = satsuma.scan(mixed_csv()).parts
    nothing = [Item(at, parts[0]) for at in range(1000)]
    seconds: list[float] = []
    for count in (1, 2):
        with (
            LocalCluster(count, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster) as client,
        ):
            crew = Workers(client)
            source = satsuma.scan(mixed_csv(), target="s0", engine="dask", client=client)
            satsuma.NaiveBayes()(source)  # the workers import what they need
            runs = {
                "task": partial(crew.total, _nothing, nothing, None),
                "learn": partial(satsuma.NaiveBayes(), source),
            }
            found = best_of(runs, 3)
        task, learn = found["task"] / len(nothing), found["learn"]
        seconds.append(learn)
        who = f"{count} worker{'s' if count > 1 else ''} of Dask"
        report.add(Row("a task that does nothing, of a thousand", who, f"{task * 1e3:.2f} ms"))
        ratio = f"{seconds[0] / learn:.2f}" if count > 1 else ""
        workload = f"naive Bayes from csv, {len(source):,} rows, {len(parts)} parts"
        report.add(Row(workload, who, f"{learn:.2f} s", ratio))


def _nothing(item: object, stop: object) -> None:
    del item, stop
