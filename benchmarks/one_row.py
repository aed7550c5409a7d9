"""One row at a time: learned from as it comes, and predicted, beside scikit-learn and river.

Rows of arrays go through scikit-learn's verbs, and rows as dicts through river's.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.harness import OURS, Report, compare

ROWS, TIMES = 2_000, 200


def run(report: Report) -> None:
    """Ten numbers and two classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 10))
    y = (X[:, 0] > 0).astype(int)
    _streamed(report, X, y)
    _dicts(report, X, y)
    for name, ours, theirs in _pairs():
        each = {OURS: ours.fit(X, y), "scikit-learn": theirs.fit(X, y)}
        runs = {who: partial(_predict, one, X) for who, one in each.items()}
        compare(report, f"{name}, predict one row, {TIMES} times", runs, {"scikit-learn": 1}, 3)


def _predict(model: object, X: np.ndarray) -> None:
    for at in range(TIMES):
        model.predict(X[at : at + 1])


def _streamed(report: Report, X: np.ndarray, y: np.ndarray) -> None:
    from sklearn.naive_bayes import GaussianNB

    from satsuma import NaiveBayes

    def learner(kind: type):
        one = kind().partial_fit(X, y, classes=[0, 1])

        def learn() -> None:
            for at in range(ROWS):
                one.partial_fit(X[at : at + 1], y[at : at + 1])
            one.predict(X[:1])

        return learn

    runs = {OURS: learner(NaiveBayes), "scikit-learn": learner(GaussianNB)}
    asked = {"scikit-learn": 4}
    try:
        from river.naive_bayes import GaussianNB as RiverBayes
    except ImportError:
        pass
    else:
        records = [dict(enumerate(row)) for row in X.tolist()]
        model = RiverBayes()

        def learn_one() -> None:
            for record, label in zip(records, y.tolist(), strict=True):
                model.learn_one(record, label)

        runs["river, learn_one"] = learn_one
        asked["river, learn_one"] = 1
    compare(report, f"naive Bayes, learn {ROWS:,} rows one by one", runs, asked, 3)


def _dicts(report: Report, X: np.ndarray, y: np.ndarray) -> None:
    """Dicts: all learned, then all asked; and each asked before it is learned."""
    try:
        from river.naive_bayes import GaussianNB as RiverBayes
    except ImportError:
        return
    from satsuma import NaiveBayes, Online

    names = [f"x{at}" for at in range(X.shape[1])]
    rows = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    made = {OURS: lambda: Online(NaiveBayes()), "river": RiverBayes}
    known = {who: _learned(make(), rows, y) for who, make in made.items()}
    asked = {"river": 1}
    runs = {who: partial(_learned, make(), rows, y) for who, make in made.items()}
    compare(report, f"naive Bayes, learn_one of {ROWS:,} dicts", runs, asked, 3)
    for verb in ("predict_one", "predict_proba_one"):
        runs = {who: partial(_asked, getattr(one, verb), rows) for who, one in known.items()}
        compare(report, f"naive Bayes, {verb} of {ROWS:,} dicts", runs, asked, 3)
    some = rows[:TIMES]
    runs = {who: partial(_asked_then_learned, one, some, y) for who, one in known.items()}
    compare(report, f"naive Bayes, predict_one and then learn_one, {TIMES} dicts", runs, asked, 3)


def _learned(model: object, rows: list[dict[str, float]], y: np.ndarray) -> object:
    for row, label in zip(rows, y.tolist(), strict=False):
        model.learn_one(row, label)
    model.predict_one(rows[0])  # what waits is learned now
    return model


def _asked(verb: Callable[[dict[str, float]], object], rows: list[dict[str, float]]) -> None:
    for row in rows:
        verb(row)


def _asked_then_learned(model: object, rows: list[dict[str, float]], y: np.ndarray) -> None:
    for row, label in zip(rows, y.tolist(), strict=False):
        model.predict_one(row)
        model.learn_one(row, label)


def _pairs() -> list[tuple[str, object, object]]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    from satsuma import KNN, LDA, Forest, Logistic, NaiveBayes, Tree

    return [
        ("naive Bayes", NaiveBayes(), GaussianNB()),
        ("LDA", LDA(), LinearDiscriminantAnalysis()),
        ("logistic regression", Logistic(), LogisticRegression()),
        ("tree", Tree(), DecisionTreeClassifier()),
        ("forest of 20", Forest(trees=20), RandomForestClassifier(20)),
        ("kNN", KNN(), KNeighborsClassifier()),
    ]
