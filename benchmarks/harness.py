"""Measuring side by side: ours and the peers in turn, in one process, the best of several."""

import gc
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np

OURS = "satsuma"

#: Seconds; those of the processor where BENCH_CLOCK=cpu, as on a machine that has other work.
#: Threads of OpenMP and BLAS that wait busily count, so a peer that has them is measured with one
#: (OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1), and so is ours.
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter

#: How figures of speed came about.
SPEED_HEAD = (
    "By `make bench`: ours and the peers in turn in one process, the best of several. A",
    "ratio is the peer's figure over ours: above 1, ours is better; losses are in bold.",
)


@dataclass
class Row:
    """One line of the results: what was done, by whom, how long it took, what was asked for."""

    workload: str
    who: str
    figure: str
    ratio: str = ""
    asked: str = ""


@dataclass
class Report:
    """All lines so far, and what they were measured with."""

    rows: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        line = f"{row.workload:44} {row.who:28} {row.figure:>12} {row.ratio:>8}  {row.asked}"
        print(line, flush=True)

    def markdown(self, packages: tuple[str, ...], head: tuple[str, ...] = SPEED_HEAD) -> str:
        lines = [
            "# Results, as last measured",
            "",
            *head,
            "",
            f"- machine: {machine()}",
            f"- Python {platform.python_version()}, "
            + ", ".join(f"{name} {version(name)}" for name in packages),
            "",
            "| workload | who | figure | ratio | asked |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| {r.workload} | {r.who} | {r.figure} | {r.ratio} | {r.asked} |" for r in self.rows
        ]
        return "\n".join(lines) + "\n"


def machine() -> str:
    """Cores and processor, as far as the system tells."""
    model = platform.processor() or platform.machine()
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), model)
    return f"{os.cpu_count()} cores, {model}, {platform.system()}"


def best_of(runs: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The shortest time of each, in seconds; all take their turn before one is measured again."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(repeats):
        for name, run in runs.items():
            gc.collect()
            start = CLOCK()
            result = run()
            best[name] = min(best[name], CLOCK() - start)
            del result
    return best


def told_ratio(ratio: float, least: float = 1) -> str:
    """A ratio of the peer's figure to ours, in bold where it is a loss."""
    return f"{ratio:.2f}" if ratio >= least else f"**{ratio:.2f}**"


def told_times(times: float, most: float) -> str:
    """How many times as long something takes, in bold where that is more than is asked for."""
    return f"{times:.2f} times" if times <= most else f"**{times:.2f} times**"


def exponent(sizes: Sequence[float], figures: Sequence[float]) -> str:
    """By which power of the size a figure grows, from the slope of their logarithms."""
    slope = np.polyfit(np.log(sizes), np.log(figures), 1)[0]
    return f"n^{slope:.2f}"


def compare(
    report: Report,
    workload: str,
    runs: Mapping[str, Callable[[], object]],
    asked: Mapping[str, float],
    repeats: int = 7,
) -> None:
    """Measure ours beside the peers and report each ratio beside what it has to reach."""
    best = best_of(runs, repeats)
    for name, seconds in best.items():
        ratio = "" if name == OURS else told_ratio(seconds / best[OURS])
        wanted = f"at least {asked[name]:g}" if name in asked else ""
        report.add(Row(workload, name, f"{seconds * 1e3:.1f} ms", ratio, wanted))
