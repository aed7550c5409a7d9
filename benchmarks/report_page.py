"""A report on a million rows: how long it takes in a fresh process, and how large the page is."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import OURS, Report, Row

ROWS = 1_000_000

#: Ten columns of numbers, nine of symbols, a twentieth of the cells missing, and a class.
_WRITE = """
import json, sys, time
import numpy as np
import satsuma
from satsuma import Domain, Table, Variable, write_report

rows, path = int(sys.argv[1]), sys.argv[2]
rng = np.random.default_rng(1)
numbers = rng.normal(size=(10, rows)) * np.arange(1, 11)[:, None] + 40
chances = 1 / (1 + np.exp(1.5 - (numbers[0] - 40) + 0.3 * (numbers[3] - 40) ** 2 / 16))
columns = [np.where(rng.random(rows) < 0.05, np.nan, column) for column in numbers]
variables = [Variable(f"x{at}") for at in range(10)]
for at in range(9):
    values = tuple(f"level {code}" for code in range(3 + 3 * at))
    codes = rng.integers(0, len(values), rows)
    chances = chances * np.where((codes == 0) & (at < 3), 0.6, 1.0)
    variables.append(Variable(f"s{at}", "sym", values))
    columns.append(np.where(rng.random(rows) < 0.05, -1, codes).astype(np.int32))
variables.append(Variable("sold", "sym", ("no", "yes"), "target"))
columns.append((rng.random(rows) < chances).astype(np.int32))
table = Table(Domain(variables), columns, name="sales")
start, used = time.perf_counter(), time.process_time()
page = write_report(table, path)
print(json.dumps({
    "seconds": time.perf_counter() - start,
    "processor": time.process_time() - used,
    "bytes": page.stat().st_size,
}))
"""


def run(report: Report) -> None:
    """Seconds by the clock and of the processors, and the size of the page."""
    found = written(ROWS)
    what = f"a report on {ROWS:,} x 20"
    report.add(Row(what, OURS, f"{found['seconds']:.1f} s", "", "at most 60 s"))
    report.add(Row(f"{what}, of the processors", OURS, f"{found['processor']:.1f} s"))
    size = f"{found['bytes'] / 1e6:.2f} MB"
    report.add(Row(f"{what}, the page", OURS, size, "", "at most 1.5 MB"))


def written(rows: int) -> dict[str, float]:
    """What a fresh process needs to write a report on so many rows."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", _WRITE, str(rows), str(Path(folder) / "page.html")]
        told = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(told)
