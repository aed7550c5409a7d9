"""One row at a time: learned from as it comes, and predicted, beside scikit-learn and river."""

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
