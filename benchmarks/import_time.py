"""Importing: how long a fresh process takes to `import satsuma`."""

import subprocess
import sys

from benchmarks.harness import OURS, Report, Row, best_of

_BARE, _NEEDED = "a bare interpreter", "import numpy, pyarrow"


def run(report: Report) -> None:
    """The time of the import itself: a process with it less one without."""

    def process(statement: str) -> None:
        subprocess.run([sys.executable, "-c", statement], check=True)

    best = best_of(
        {
            _BARE: lambda: process("pass"),
            _NEEDED: lambda: process("import numpy, pyarrow"),
            OURS: lambda: process("import satsuma"),
        },
        repeats=15,
    )
    needed, ours = best[_NEEDED] - best[_BARE], best[OURS] - best[_BARE]
    report.add(Row("import", _NEEDED, f"{needed * 1e3:.1f} ms"))
    cells = f"{ours * 1e3:.1f} ms", f"{ours / needed:.2f}", "at most 1.5"
    report.add(Row("import, over that of numpy and pyarrow", OURS, *cells))
