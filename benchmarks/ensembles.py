"""Bagging and boosting of naive Bayes beside scikit-learn's."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, compare

ROWS = 200_000


def run(report: Report) -> None:
    """Ten models of 20 numbers and three classes: learned, asked, and boosted."""
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
    from sklearn.naive_bayes import GaussianNB

    from satsuma import Bagging, Boosting, NaiveBayes

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, ROWS)
    X = rng.normal(size=(ROWS, 20)) + 0.3 * y[:, None]
    ours = Bagging(NaiveBayes(), t=10).fit(X, y)
    theirs = BaggingClassifier(GaussianNB(), 10, n_jobs=2, random_state=0).fit(X, y)
    peer = "scikit-learn, 2 jobs"
    compare(
        report,
        "bagging of 10 naive Bayes, 2e5 x 20",
        {OURS: lambda: ours.fit(X, y), peer: lambda: theirs.fit(X, y)},
        {peer: 3},
        3,
    )
    compare(
        report,
        "the same, predicting",
        {OURS: lambda: ours.predict(X), peer: lambda: theirs.predict(X)},
        {peer: 3},
        3,
    )
    boosting, adaptive = (
        Boosting(NaiveBayes(), t=6),
        AdaBoostClassifier(GaussianNB(), n_estimators=6),
    )
    peer = "scikit-learn"
    compare(
        report,
        "boosting of 6 naive Bayes, 2e5 x 20",
        {OURS: lambda: boosting.fit(X, y), peer: lambda: adaptive.fit(X, y)},
        {peer: 3},
        3,
    )
