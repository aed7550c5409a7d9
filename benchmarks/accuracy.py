"""Accuracy beside peers: of models that can be read, then of the classics.

The same five folds for all, of all tables of the shared data with enough rows, chosen before
looking. A row is a table; the last rows are means. An explainable boosting machine (InterpretML)
runs with its defaults.
"""

import time
from typing import Any

import numpy as np

from benchmarks import accuracy_classics
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
    return f"{HEAD}\n\n{readable()}\n{accuracy_classics.markdown()}"


def readable() -> str:
    """The tables of models that can be read, beside an explainable boosting machine."""
    classes = _of_kind("Log loss of classes (less is better)", CLASSES, classes=True)
    numbers = _of_kind(
        "Error of numbers, as a share of the standard deviation (NRMSE)", NUMBERS, classes=False
    )
    return "\n".join([READABLE, "", *classes, "", *numbers, ""])


HEAD = """# Accuracy beside peers

By `make bench-accuracy`: five folds, the same for all."""
READABLE = """## Models that can be read

`EBM` is InterpretML's explainable boosting machine with its defaults. Behind a slash stand seconds
for all folds."""


def _learners(*, classes: bool) -> dict[str, Any]:
    from satsuma import Additive, AnDE, Forest, Logistic, NaiveBayes, RegressionTree, Ridge, Tree

    if classes:
        found: dict[str, Any] = {
            "Additive": Additive(), "AnDE": AnDE(), "NaiveBayes": NaiveBayes(number="mdl"),
            "Logistic": Logistic(), "Tree": Tree(mdl_prune=True), "Forest": Forest(),
        }  # fmt: skip
    else:
        found = {
            "Additive": Additive(), "Ridge": Ridge(), "RegressionTree": RegressionTree(max_depth=5),
            "Forest": Forest(),
        }  # fmt: skip
    return found


def _of_kind(title: str, tables: tuple[str, ...], *, classes: bool) -> list[str]:
    import satsuma

    learners = _learners(classes=classes)
    names = [*learners, "EBM"]
    lines = [f"### {title}", "", f"| table | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    every: list[list[float]] = []
    for path in tables:
        file = shared(path)
        table = satsuma.read(file, marks=True if "moot" in path else None)
        table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
        fold = np.random.default_rng(0).permutation(len(table)) % FOLDS
        cells, scores = [], []
        for learner in [*learners.values(), None]:
            start = time.perf_counter()
            scores.append(_score(learner, table, fold, classes=classes))
            cells.append(f"{scores[-1]:.4f} / {time.perf_counter() - start:.1f}")
        every.append(scores)
        lines.append(f"| {file.stem} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    lines.append(f"| **mean** | {' | '.join(f'**{m:.4f}**' for m in np.mean(every, axis=0))} |")
    print(lines[-1], flush=True)
    return lines


def _score(learner: Any, table: Any, fold: Any, *, classes: bool) -> float:
    from satsuma import GetProbabilities

    truth, lost = table.column(table.domain.target.name), []
    for k in range(FOLDS):
        train, test = (np.flatnonzero(each) for each in (fold != k, fold == k))
        if learner is None:
            found = _boosted(table, train, test, classes=classes)
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


def _boosted(table: Any, train: Any, test: Any, *, classes: bool) -> Any:
    """What an explainable boosting machine predicts: probabilities by code, or numbers."""
    import pandas as pd
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    columns, kinds = {}, []
    for v in table.domain.attributes:
        cells = table.column(v.name)
        number = v.kind == "num"
        kinds.append("continuous" if number else "nominal")
        columns[v.name] = cells if number else np.where(cells < 0, None, cells.astype(str))
    frame, truth = pd.DataFrame(columns), table.column(table.domain.target.name)
    kind = ExplainableBoostingClassifier if classes else ExplainableBoostingRegressor
    model = kind(feature_types=kinds, random_state=0, n_jobs=1)
    model.fit(frame.iloc[train], truth[train])
    if not classes:
        return model.predict(frame.iloc[test])
    found = np.zeros((len(test), len(table.domain.target.values)))
    found[:, model.classes_.astype(int)] = model.predict_proba(frame.iloc[test])
    return found
