"""Commanding: the command from a cold start, as a person at a terminal waits for it."""

import os
import pty
import re
import subprocess
import sys
import time

from benchmarks.harness import OURS, Report, Row, best_of
from benchmarks.tables import mixed_csv

ROWS = 100_000


def run(report: Report) -> None:
    """Help, a look, and whole comparisons: a shipped table, and 100,000 mixed rows."""

    def call(*words: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "satsuma", *words], check=True, stdout=subprocess.DEVNULL
        )

    quick = {
        "satsuma --help": lambda: call("--help"),
        "satsuma look voting": lambda: call("look", "voting"),
        "satsuma compare voting": lambda: call("compare", "voting"),
    }
    asked = {"satsuma compare voting": "at most 10 s"}
    for words, seconds in best_of(quick, repeats=5).items():
        report.add(Row(f"cold, {words}", OURS, f"{seconds:.2f} s", "", asked.get(words, "")))
    path = str(mixed_csv(ROWS))
    seconds, steps, still = watched("compare", path, "--target", "s0")
    what = f"cold, satsuma compare, a CSV of {ROWS:,} x 20"
    report.add(Row(what, OURS, f"{seconds:.1f} s", "", "at most 60 s"))
    report.add(Row("its bar: different places shown", OURS, str(steps), "", "it moves"))
    report.add(Row("its bar: the longest standstill", OURS, f"{still:.1f} s"))


def watched(*words: str) -> tuple[float, int, float]:
    """Seconds in all, places that a bar at a terminal has shown, and its longest standstill."""
    ours, theirs = pty.openpty()
    start = last = time.perf_counter()
    command = [sys.executable, "-m", "satsuma", *words]
    running = subprocess.Popen(command, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen: set[str] = set()
    still = 0.0
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if new := set(re.findall(r"(\d+) %", some.decode(errors="replace"))) - seen:
            now = time.perf_counter()
            still, last, seen = max(still, now - last), now, seen | new
    os.close(ours)
    if running.wait():
        sys.exit(f"satsuma {' '.join(words)} failed")
    end = time.perf_counter()
    return end - start, len(seen), max(still, end - last)
