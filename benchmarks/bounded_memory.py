"""Parquet sets that are learned from as they stream by, by each learner in a fresh process.

    python -m benchmarks.bounded_memory [gigabytes]
    python -m benchmarks.bounded_memory rows [count]
    python -m benchmarks.bounded_memory forest [rows]

The first has several gigabytes, of row groups that are repeated, for four learners of few passes;
the second a million rows, each another, for two that pass over them often; the third has noisy rows
in memory, and what a fit of 100 trees without limits takes beyond them, beside scikit-learn. A set
is made in the temporary folder and removed at the end. They are not part of `make bench`, for
their size.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import OURS, Report, Row, told_times

ROWS, FILES = 1 << 18, 8

#: Learners of many passes, and what they may take at a million rows.
OFTEN = {"Additive": "", "BoostedTrees": "at most 600 MB"}

_LEARN = """
import json, sys, time
import satsuma
from satsuma import LDA, Additive, BoostedTrees, KMeans, NaiveBayes, Tree
learner = {"NaiveBayes": NaiveBayes(), "LDA": LDA(), "Tree": Tree(max_depth=3),
           "KMeans": KMeans(k=3), "Additive": Additive(),
           "BoostedTrees": BoostedTrees()}[sys.argv[2]]
start = time.perf_counter()
target = None if sys.argv[2] == "KMeans" else "y"
source = satsuma.scan(sys.argv[1], target=target, threads=2)
learner(source)
seconds = time.perf_counter() - start
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
peak = int(status["VmHWM"].split()[0]) * 1024
print(json.dumps({"seconds": seconds, "peak": peak, "rows": len(source)}))
"""

#: A fit of few rows comes first, for what is only imported then.
_GROW = """
import json, sys
import numpy as np
from pathlib import Path
def told(name):
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(status[name].split()[0]) * 1024
if sys.argv[1] == "satsuma":
    from satsuma import Forest
    made = lambda: Forest(trees=100)
else:
    from sklearn.ensemble import RandomForestClassifier
    made = lambda: RandomForestClassifier(100, n_jobs=2, random_state=0)
rng, rows = np.random.default_rng(0), int(sys.argv[2])
x = rng.normal(size=(rows, 20))
y = (x[:, 0] + 2 * rng.normal(size=rows) > 0).astype(int)
made().fit(x[:200], y[:200])
Path("/proc/self/clear_refs").write_text("5")
before, learner = told("VmRSS"), made()
learner.fit(x, y)
peak, stays = told("VmHWM") - before, told("VmRSS") - before
print(json.dumps({"peak": peak, "stays": stays, "table": x.nbytes}))
"""


def make(folder: Path, size: float) -> int:
    """Write files of so many bytes in all; returns how many they came to."""
    group, written = _group(np.random.default_rng(1), ROWS, ["low", "middle", "high"]), 0
    for at in range(FILES):
        path = folder / f"{at}.parquet"
        with pq.ParquetWriter(path, group.schema, compression="none") as writer:
            while path.stat().st_size < size / FILES:
                writer.write_table(group, row_group_size=ROWS)
        written += path.stat().st_size
    return written


def _group(rng: np.random.Generator, rows: int, classes: list[str]) -> pa.Table:
    """Rows of eight numbers and four symbols, each of which says something of the class."""
    y = rng.integers(0, len(classes), rows)
    columns = {f"x{j}": rng.normal(j + y, 2) for j in range(8)}
    for j in range(4):
        names = np.array([f"value {k}" for k in range(5 + 10 * j)])
        columns[f"s{j}"] = names[(y + rng.integers(0, len(names), rows)) % len(names)]
    columns["y"] = np.array(classes)[y]
    return pa.table(columns)


def _learned(folder: Path, learner: str) -> dict[str, float]:
    """What it took a fresh process to learn from the files of a folder."""
    command = [sys.executable, "-c", _LEARN, str(folder / "*.parquet"), learner]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


def by_rows(count: int) -> None:
    """Make a set of so many rows, tell the peak memory of learners of many passes, remove it."""
    report, rng = Report(), np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for at, first in enumerate(range(0, count, ROWS)):
            group = _group(rng, min(ROWS, count - first), ["no", "yes"])
            pq.write_table(group, folder / f"{at:03}.parquet", row_group_size=ROWS)
        for learner, asked in OFTEN.items():
            peak = _learned(folder, learner)["peak"] / 1e6
            workload = f"{learner} from parquet, {count:,} x 12: peak memory"
            told = asked if count <= 1_000_000 else ""
            report.add(Row(workload, OURS, f"{peak:.0f} MB", "", told))


def of_forests(rows: int) -> None:
    """Tell what a fit of 100 trees without limits takes beyond the table, of each in a process."""
    report = Report()
    workload = f"forest of 100 without limits, noisy {rows:,} x 20: memory beyond the table"
    peaks = dict[str, float]()
    for who in (OURS, "scikit-learn"):
        command = [sys.executable, "-c", _GROW, who, str(rows)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        found = json.loads(done.stdout)
        peaks[who] = found["peak"]
        times = found["peak"] / found["table"]
        figure = f"{found['peak'] / 1e6:.0f} MB, {found['stays'] / 1e6:.0f} MB stay"
        told = told_times(times, 1.5)
        ratio = told if who == OURS else f"{peaks[who] / peaks[OURS]:.2f}"
        report.add(Row(workload, who, figure, ratio, "at most 1.5 times" if who == OURS else ""))


def main(size: float) -> None:
    """Make the set, learn from it, tell, and remove it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if shutil.disk_usage(folder).free < 2 * size:
            sys.exit(f"There is too little room in {folder}.")
        written = make(folder, size)
        print(f"{written / 1e9:.2f} GB in {FILES} files")
        for learner in ("NaiveBayes", "LDA", "Tree", "KMeans"):
            found = _learned(folder, learner)
            figures = f"{found['peak'] / 1e6:.0f} MB at most, {found['seconds']:.1f} s"
            print(f"{learner}: {figures}, {found['rows']:,} rows", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["rows"]:
        by_rows(int(float(sys.argv[2] if len(sys.argv) > 2 else 1e6)))
    elif sys.argv[1:2] == ["forest"]:
        of_forests(int(float(sys.argv[2] if len(sys.argv) > 2 else 1e5)))
    else:
        main(float(sys.argv[1] if len(sys.argv) > 1 else 4) * 1e9)
