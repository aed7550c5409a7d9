"""A Parquet set of several gigabytes, learned from by four learners, each in a fresh process.

    python -m benchmarks.bounded_memory [gigabytes]

The set is made in the temporary folder, of row groups that are repeated, and removed at the end.
It is not part of `make bench`, for its size.
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

ROWS, FILES = 1 << 18, 8

_LEARN = """
import json, sys, time
import satsuma
from satsuma import LDA, KMeans, NaiveBayes, Tree
learner = {"NaiveBayes": NaiveBayes(), "LDA": LDA(), "Tree": Tree(max_depth=3),
           "KMeans": KMeans(k=3)}[sys.argv[2]]
start = time.perf_counter()
target = None if sys.argv[2] == "KMeans" else "y"
source = satsuma.scan(sys.argv[1], target=target, threads=2)
learner(source)
seconds = time.perf_counter() - start
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
peak = int(status["VmHWM"].split()[0]) * 1024
print(json.dumps({"seconds": seconds, "peak": peak, "rows": len(source)}))
"""


def make(folder: Path, size: float) -> int:
    """Write files of so many bytes in all; returns how many they came to."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, ROWS)
    columns = {f"x{j}": rng.normal(j + y, 2) for j in range(8)}
    for j in range(4):
        names = np.array([f"value {k}" for k in range(5 + 10 * j)])
        columns[f"s{j}"] = names[(y + rng.integers(0, len(names), ROWS)) % len(names)]
    columns["y"] = np.array(["low", "middle", "high"])[y]
    group, written = pa.table(columns), 0
    for at in range(FILES):
        path = folder / f"{at}.parquet"
        with pq.ParquetWriter(path, group.schema, compression="none") as writer:
            while path.stat().st_size < size / FILES:
                writer.write_table(group, row_group_size=ROWS)
        written += path.stat().st_size
    return written


def main(size: float) -> None:
    """Make the set, learn from it, tell, and remove it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if shutil.disk_usage(folder).free < 2 * size:
            sys.exit(f"There is too little room in {folder}.")
        written = make(folder, size)
        print(f"{written / 1e9:.2f} GB in {FILES} files")
        for learner in ("NaiveBayes", "LDA", "Tree", "KMeans"):
            command = [sys.executable, "-c", _LEARN, str(folder / "*.parquet"), learner]
            done = subprocess.run(command, capture_output=True, check=True, text=True)
            found = json.loads(done.stdout)
            figures = f"{found['peak'] / 1e6:.0f} MB at most, {found['seconds']:.1f} s"
            print(f"{learner}: {figures}, {found['rows']:,} rows", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1] if len(sys.argv) > 1 else 4) * 1e9)
