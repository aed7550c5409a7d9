"""Accuracy beside peers: of models that can be read, of boosted trees, then of the classics.

The same five folds for all, of all tables of the shared data with enough rows, chosen before
looking. A row is a table; the last rows are means. An explainable boosting machine (InterpretML)
runs with its defaults.
"""

import time
from typing import Any

import numpy as np

from benchmarks import (
    accuracy_classics,
    advice,
    averaged_dependence,
    boosting_accuracy,
    calibration,
    explainable_boosting,
    many_rows,
    mgcv_shapes,
    model_trees,
    number_estimates,
    readable_trees,
)
from benchmarks.tables import shared

#: Tables of classes, and of numbers.
CLASSES = (
    "orange/adult_sample.tab", "orange/heart_disease.tab", "orange/titanic.tab",
    "orange/voting.tab",
    "moot/classify/credit.g.csv", "moot/classify/diabetes.csv", "moot/classify/kr.vs.kp.csv",
)  # fmt: skip
NUMBERS = (
    "orange/auto-mpg.tab", "orange/housing.tab", "orange/imports-85.tab",
    "moot/regression/abalone.csv", "moot/regression/fishcatch.csv", "moot/regression/servo.csv",
    "moot/regression/sleep.csv",
)  # fmt: skip
FOLDS = 5


def write() -> str:
    """All parts, as Markdown."""
    parts = (
        readable(),
        mgcv_shapes.markdown(),
        boosting_accuracy.markdown(),
        readable_trees.markdown(),
        many_rows.markdown(),
        model_trees.markdown(),
        accuracy_classics.markdown(),
        number_estimates.markdown(),
        calibration.markdown(),
        averaged_dependence.markdown(),
        advice.markdown(),
    )
    return "\n".join([HEAD, "", *parts])


def readable() -> str:
    """The tables of models that can be read, beside an explainable boosting machine."""
    classes = _of_kind("Log loss of classes (less is better)", CLASSES, classes=True)
    numbers = _of_kind(
        "Error of numbers, as a share of the standard deviation (NRMSE)", NUMBERS, classes=False
    )
    return "\n".join([READABLE, "", *classes, "", *numbers, "", *_large(), ""])


HEAD = """# Accuracy beside peers

By `make bench-accuracy`: five folds, the same for all."""
READABLE = """## Models that can be read

`EBM` is InterpretML's explainable boosting machine (interpret-core 0.7.8) with its defaults, on the
same folds; its figures are kept in `explainable_boosting.json`, as it takes minutes for a table.
Behind a slash stand processor seconds for all folds."""


def _learners(*, classes: bool) -> dict[str, Any]:
    from satsuma import Additive, AnDE, Forest, Logistic, NaiveBayes, RegressionTree, Ridge, Tree

    if classes:
        found: dict[str, Any] = {
            "Additive": Additive(), "AnDE": AnDE(), "NaiveBayes": NaiveBayes(),
            "Logistic": Logistic(), "Tree": Tree(), "Forest": Forest(),
        }  # fmt: skip
    else:
        found = {
            "Additive": Additive(), "Ridge": Ridge(), "RegressionTree": RegressionTree(max_depth=5),
            "Forest": Forest(),
        }  # fmt: skip
    return found


def read(path: str) -> tuple[Any, Any]:
    """The rows of a table whose target is known, and the fold of each."""
    import satsuma

    table = satsuma.read(shared(path), marks=True if "moot" in path else None)
    table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
    return table, np.random.default_rng(0).permutation(len(table)) % FOLDS


def _of_kind(title: str, tables: tuple[str, ...], *, classes: bool) -> list[str]:
    learners = _learners(classes=classes)
    names = [*learners, "EBM"]
    lines = [f"### {title}", "", f"| table | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    every: list[list[float]] = []
    for path in tables:
        table, fold = read(path)
        figures = []
        for learner in learners.values():
            start = time.process_time()
            figures.append(
                (score(learner, table, fold, classes=classes), time.process_time() - start)
            )
        figures.append(explainable_boosting.kept(path))
        every.append([each for each, _ in figures])
        cells = [f"{each:.4f} / {seconds:.1f}" for each, seconds in figures]
        lines.append(f"| {shared(path).stem} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    lines.append(f"| **mean** | {' | '.join(f'**{m:.4f}**' for m in np.mean(every, axis=0))} |")
    print(lines[-1], flush=True)
    return lines


def _large() -> list[str]:
    """How long it takes to learn from 100,000 rows of 20 numbers."""
    import satsuma

    lines = ["### Processor seconds to learn from 100,000 rows of 20 numbers", ""]
    lines += ["| target | Additive | EBM | ratio |", "|---|---|---|---|"]
    for name in ("numbers", "classes"):
        x, truth = explainable_boosting.large(classes=name == "classes")
        columns = {f"x{at}": x[:, at] for at in range(x.shape[1])}
        table = satsuma.read({**columns, "y": truth}, target="y")
        start = time.process_time()
        satsuma.Additive()(table)
        ours, theirs = time.process_time() - start, explainable_boosting.kept(f"large, {name}")[1]
        lines.append(f"| {name} | {ours:.1f} | {theirs:.1f} | {theirs / ours:.0f} |")
        print(lines[-1], flush=True)
    return lines


def score(learner: Any, table: Any, fold: Any, *, classes: bool) -> float:
    """The log loss or the error of all folds; of an explainable boosting machine, if None."""
    from satsuma import GetProbabilities

    truth, lost = table.column(table.domain.target.name), []
    for k in range(FOLDS):
        train, test = (np.flatnonzero(each) for each in (fold != k, fold == k))
        if learner is None:
            found = explainable_boosting.predicted(table, train, test, classes=classes)
        else:
            model = learner(table[train])
            found = model(table[test], GetProbabilities) if classes else model(table[test])
        if classes:
            right = found[np.arange(len(test)), truth[test]]
            lost.append(float(-np.log(right.clip(1e-9)).mean()))
        else:
            lost.append(float(np.sum((truth[test] - found) ** 2)))
    if classes:
        return float(np.mean(lost))
    return float(np.sqrt(np.sum(lost) / np.sum((truth - truth.mean()) ** 2)))
