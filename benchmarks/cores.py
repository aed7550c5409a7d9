"""More and more threads on as many cores as there are: how much sooner the same work is done.

These are seconds on the wall, whatever BENCH_CLOCK says: threads save none of the processor's.
"""

import os
import time
from collections.abc import Callable

import numpy as np

from benchmarks.harness import OURS, Report, Row

ROWS, COLUMNS, REPEATS = 400_000, 20, 5


def run(report: Report) -> None:
    """1, 2, 4 … threads; ratios are to one thread. A machine with other work shows less."""
    from satsuma.kernels.threads import available, thread_limit

    counts = [1]
    while counts[-1] * 2 <= available():
        counts.append(counts[-1] * 2)
    load = f"load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else "load unknown"
    for name, work in _works().items():
        best = dict.fromkeys(counts, float("inf"))
        for _ in range(REPEATS):
            for threads in counts:
                with thread_limit(threads):
                    best[threads] = min(best[threads], _seconds(work))
        for threads, seconds in best.items():
            who = f"{threads} thread{'s' * (threads > 1)}, {load}"
            ratio = "" if threads == 1 else f"{best[1] / seconds:.2f}"
            what = f"{name}, {ROWS:,} x {COLUMNS}, of {os.cpu_count()} cores"
            report.add(Row(what, f"{OURS}, {who}", f"{seconds * 1e3:.1f} ms", ratio))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _works() -> dict[str, Callable[[], object]]:
    from satsuma import LDA, Forest, NaiveBayes, Tree

    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=ROWS) > 0).astype(int)
    few = slice(0, 20_000)
    bayes = NaiveBayes().fit(X, y)
    return {
        "naive Bayes, fit": lambda: NaiveBayes().fit(X, y),
        "naive Bayes, predict_proba": lambda: bayes.predict_proba(X),
        "LDA, fit": lambda: LDA().fit(X, y),
        "tree, fit": lambda: Tree().fit(X, y),
        "forest of 20 trees, a twentieth of the rows, fit": lambda: Forest(trees=20).fit(
            X[few], y[few]
        ),
    }
