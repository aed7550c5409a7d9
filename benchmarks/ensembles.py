"""Bagging and boosting of naive Bayes beside scikit-learn's."""

import warnings
from functools import partial

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
    bagging = Bagging(NaiveBayes(), t=10).fit(X, y)
    bags = BaggingClassifier(GaussianNB(), 10, n_jobs=2, random_state=0).fit(X, y)
    boosting = Boosting(NaiveBayes(), t=6)
    adaptive = AdaBoostClassifier(GaussianNB(), n_estimators=6)
    jobs, plain = "scikit-learn, 2 jobs", "scikit-learn"
    measured = {
        ("bagging of 10 naive Bayes, 2e5 x 20", jobs): (bagging.fit, bags.fit, (X, y)),
        ("the same, predicting", jobs): (bagging.predict, bags.predict, (X,)),
        ("boosting of 6 naive Bayes, 2e5 x 20", plain): (boosting.fit, adaptive.fit, (X, y)),
    }
    for (workload, peer), (ours, theirs, given) in measured.items():
        runs = {OURS: partial(ours, *given), peer: partial(theirs, *given)}
        compare(report, workload, runs, {peer: 3}, 3)
