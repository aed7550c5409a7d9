"""Trees and forests on tables that are not kind: missing values, noise, many classes, one row.

Each group stands beside scikit-learn or LightGBM at the same work, or beside ours on the same rows
without missing values.
"""

import warnings
from functools import partial

import numpy as np

from benchmarks.harness import OURS, Report, Row, best_of, compare, told_times

THREADS = 2


def run(report: Report) -> None:
    """Missing values, noise, classes, small forests, and one row at a time."""
    warnings.simplefilter("ignore")
    _missing(report)
    _missing_numbers(report)
    _noise(report)
    _classes(report)
    _small_forests(report)
    _one_row(report)


def _rows(n: int, width: int, classes: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, classes and numbers: three columns tell something, and half of it is noise."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, width))
    signal = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=n)
    cuts = np.quantile(signal, np.arange(1, classes) / classes) if classes > 3 else [-1, 1]
    return x, np.digitize(signal, cuts), signal


def _missing(report: Report) -> None:
    """The time with missing values over that without, learning and predicting."""
    from satsuma import BoostedTrees, Forest, RegressionForest, RegressionTree, Tree

    x, labels, numbers = _rows(20_000, 20)
    learners = {
        "Tree": (Tree(), labels),
        "RegressionTree": (RegressionTree(), numbers),
        "Forest of 10": (Forest(trees=10), labels),
        "RegressionForest of 10": (RegressionForest(trees=10), numbers),
        "BoostedTrees": (BoostedTrees(), labels),
    }
    for name, (learner, y) in learners.items():
        plain = [0.0, 0.0]
        for part, most in ((0.0, 1.0), (0.1, 1.5), (0.3, 2.0)):
            gaps = x.copy()
            gaps[np.random.default_rng(1).random(x.shape) < part] = np.nan
            runs = {
                "fit": partial(learner.fit, gaps, y),
                "predict": partial(learner.predict, gaps),
            }
            best = best_of(runs, 3)
            plain = plain if part else list(best.values())
            for (verb, seconds), before in zip(best.items(), plain, strict=True):
                times = told_times(seconds / before, most) if part else ""
                asked = f"at most {most:g} times" if part else ""
                workload = f"{name}, 2e4 x 20, {part:.0%} missing, {verb}"
                report.add(Row(workload, OURS, f"{seconds * 1e3:.1f} ms", times, asked))


def _missing_numbers(report: Report) -> None:
    """Discriminant analysis: the time with missing values over that without."""
    from satsuma import LDA, QDA

    x, labels, _ = _rows(50_000, 20)
    for learner in (LDA(), QDA()):
        plain = dict[str, float]()
        for part in (0.0, 0.1, 0.3):
            gaps = x.copy()
            gaps[np.random.default_rng(1).random(x.shape) < part] = np.nan
            verbs = {
                "fit": partial(learner.fit, gaps, labels),
                "predict": partial(learner.predict, gaps),
                "predict_proba": partial(learner.predict_proba, gaps),
            }
            best = best_of(verbs, 5)
            plain = plain or best
            for verb, seconds in best.items():
                most = 4 if part == 0.1 else np.inf
                times = told_times(seconds / plain[verb], most) if part else ""
                asked = f"at most {most:g} times" if np.isfinite(most) and part else ""
                workload = f"{type(learner).__name__}, 5e4 x 20, {part:.0%} missing, {verb}"
                report.add(Row(workload, OURS, f"{seconds * 1e3:.1f} ms", times, asked))


def _noise(report: Report) -> None:
    """A tree as it is by default, beside LightGBM's first round with as many leaves."""
    from lightgbm import LGBMClassifier

    from satsuma import Tree

    x, y, _ = _rows(300_000, 25)
    leaves = max(2, Tree().fit(x, y).model_.leaves)
    one = {"n_estimators": 1, "num_leaves": leaves, "min_child_samples": 2, "n_jobs": THREADS}
    theirs = "LightGBM, one round, as many leaves"
    runs = {
        OURS: lambda: Tree().fit(x, y),
        theirs: lambda: LGBMClassifier(verbose=-1, **one).fit(x, y),
    }
    compare(report, f"tree, noisy 3e5 x 25, {leaves} leaves", runs, {theirs: 3}, 2)


def _classes(report: Report) -> None:
    from sklearn.tree import DecisionTreeClassifier

    from satsuma import Tree

    theirs = "scikit-learn"
    for classes in (3, 10, 100):
        x, y, _ = _rows(20_000, 20, classes)
        runs = {
            OURS: partial(Tree().fit, x, y),
            theirs: partial(DecisionTreeClassifier().fit, x, y),
        }
        compare(report, f"tree, {classes} classes, 2e4 x 20", runs, {theirs: 4}, 3)


def _small_forests(report: Report) -> None:
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

    from satsuma import Forest

    theirs = "scikit-learn, 2 jobs"
    jobs = {"n_jobs": THREADS, "random_state": 0}
    for n in (1_000, 10_000):
        x, y, _ = _rows(n, 10)
        best, random = Forest(), Forest(cuts="random")
        peer, extra = RandomForestClassifier(100, **jobs), ExtraTreesClassifier(100, **jobs)
        runs = {OURS: partial(best.fit, x, y), theirs: partial(peer.fit, x, y)}
        compare(report, f"forest of 100 trees, {n} x 10", runs, {theirs: 8}, 5)
        runs = {OURS: partial(random.fit, x, y), theirs: partial(extra.fit, x, y)}
        compare(report, f"extremely randomised trees, {n} x 10", runs, {theirs: 1}, 3)


def _one_row(report: Report) -> None:
    """One row through scikit-learn's verbs, a hundred times."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    from satsuma import KNN, LDA, BoostedTrees, Forest, Logistic, NaiveBayes, Tree

    x, y, _ = _rows(2_000, 10)
    pairs = (
        (Tree(), DecisionTreeClassifier()),
        (Forest(), RandomForestClassifier(100)),
        (BoostedTrees(), HistGradientBoostingClassifier()),
        (Logistic(), LogisticRegression()),
        (KNN(), KNeighborsClassifier()),
        (NaiveBayes(), GaussianNB()),
        (LDA(), LinearDiscriminantAnalysis()),
    )
    for ours, theirs in pairs:
        models = {OURS: ours.fit(x, y), "scikit-learn": theirs.fit(x, y)}
        runs = {who: partial(_again, model.predict, x[:1]) for who, model in models.items()}
        name = f"{type(ours).__name__}, one row a hundred times"
        compare(report, name, runs, {"scikit-learn": 1}, 3)


def _again(predict: object, row: np.ndarray) -> None:
    for _ in range(100):
        predict(row)
