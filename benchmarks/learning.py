"""Naive Bayes: learning and predicting beside scikit-learn, mixed-naive-bayes, river and Orange."""

import warnings
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import OURS, Report, Row, best_of, compare

N, WIDTH, CLASSES, LEVELS = 1_000_000, 20, 3, 10

#: What the peers learn: Gaussians alone, and probabilities as they come.
TEXTBOOK = f"{OURS}, Gaussians alone"


def textbook() -> Any:
    """Naive Bayes as the peers have it."""
    from satsuma import NaiveBayes

    return NaiveBayes(number="gaussian", calibrate=False)


def run(report: Report) -> None:
    """Numbers, symbols, both at once, a batch, and another tool's table."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES, N)
    numbers = rng.normal(size=(N, WIDTH)) + labels[:, None] * 0.1
    symbols = rng.integers(0, LEVELS, (N, WIDTH))
    _limit(report, numbers)
    _numeric(report, numbers, labels)
    _symbolic(report, symbols, labels)
    _mixed(report, rng, numbers[:, :10], symbols[:, :10], labels)
    _batch(report, numbers, labels)
    _orange(report, numbers, labels)


def _limit(report: Report, numbers: np.ndarray) -> None:
    seconds = best_of({"read": numbers.sum}, 5)["read"]
    report.add(Row("reading 1e6 x 20 numbers once", "numpy, sum", f"{seconds * 1e3:.1f} ms"))


def _numeric(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    from sklearn.naive_bayes import GaussianNB

    from satsuma import NaiveBayes

    ours, theirs = NaiveBayes().fit(numbers, labels), GaussianNB().fit(numbers, labels)
    plain = textbook().fit(numbers, labels)
    peer = "scikit-learn GaussianNB"
    compare(
        report,
        "naive Bayes, numbers, fit",
        {
            OURS: lambda: NaiveBayes().fit(numbers, labels),
            TEXTBOOK: lambda: textbook().fit(numbers, labels),
            peer: lambda: GaussianNB().fit(numbers, labels),
        },
        {peer: 15},
        5,
    )
    compare(
        report,
        "naive Bayes, numbers, predict_proba",
        {
            OURS: partial(ours.predict_proba, numbers),
            TEXTBOOK: partial(plain.predict_proba, numbers),
            peer: partial(theirs.predict_proba, numbers),
        },
        {peer: 10},
        5,
    )


def _symbolic(report: Report, symbols: np.ndarray, labels: np.ndarray) -> None:
    from sklearn.naive_bayes import CategoricalNB

    from satsuma import NaiveBayes

    table = _symbol_table(symbols, labels)
    model, theirs = NaiveBayes()(table), CategoricalNB().fit(symbols, labels)
    peer = "scikit-learn CategoricalNB"
    compare(
        report,
        "naive Bayes, symbols, learn",
        {OURS: lambda: NaiveBayes()(table), peer: lambda: CategoricalNB().fit(symbols, labels)},
        {peer: 40},
        3,
    )
    compare(
        report,
        "naive Bayes, symbols, probabilities",
        {
            OURS: lambda: model.probabilities(table),
            peer: lambda: theirs.predict_proba(symbols),
        },
        {peer: 15},
        3,
    )


def _symbol_table(
    symbols: np.ndarray, labels: np.ndarray, numbers: np.ndarray | None = None
) -> Any:
    from satsuma import Domain, Table, Variable

    values = tuple(map(str, range(LEVELS)))
    variables = [Variable(f"s{j}", "sym", values) for j in range(symbols.shape[1])]
    columns = [np.ascontiguousarray(symbols[:, j], np.int32) for j in range(symbols.shape[1])]
    if numbers is not None:
        variables += [Variable(f"x{j}") for j in range(numbers.shape[1])]
        columns += [numbers[:, j] for j in range(numbers.shape[1])]
    variables.append(Variable("y", "sym", tuple(map(str, range(CLASSES))), "target"))
    return Table(Domain(variables), [*columns, labels.astype(np.int32)])


def _mixed(
    report: Report,
    rng: np.random.Generator,
    numbers: np.ndarray,
    symbols: np.ndarray,
    labels: np.ndarray,
) -> None:
    from mixed_naive_bayes import MixedNB

    from satsuma import NaiveBayes

    sparse = numbers.copy()
    sparse[rng.random(sparse.shape) < 0.05] = np.nan
    missing = np.where(rng.random(symbols.shape) < 0.05, -1, symbols)
    table = _symbol_table(missing, labels, sparse)
    both = np.hstack([symbols, numbers])
    peer = "mixed-naive-bayes, nothing missing"
    named = list(range(symbols.shape[1]))
    compare(
        report,
        "naive Bayes, 10 + 10 columns, learn",
        {OURS: lambda: NaiveBayes()(table), peer: lambda: MixedNB(named).fit(both, labels)},
        {peer: 50},
        3,
    )


def _batch(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    import pandas as pd
    from river.naive_bayes import GaussianNB

    from satsuma import NaiveBayes

    # In the form that each of them wants.
    pieces = [slice(at, at + 20_000) for at in range(0, 1_000_000, 20_000)]
    batches = iter([(numbers[piece].copy(), labels[piece].copy()) for piece in pieces])
    frames = iter(
        [(pd.DataFrame(numbers[p]).rename(columns=str), pd.Series(labels[p])) for p in pieces]
    )
    peer = "river GaussianNB.learn_many"
    ours, plain, theirs = NaiveBayes(), textbook(), GaussianNB()
    (first, frame), calls = (next(batches), next(frames)), range(100)
    compare(
        report,
        "naive Bayes, one batch of 20,000 rows, 100 times",
        {
            OURS: lambda: [ours.partial_fit(*first, classes=[0, 1, 2]) for _ in calls],
            TEXTBOOK: lambda: [plain.partial_fit(*first, classes=[0, 1, 2]) for _ in calls],
            peer: lambda: [theirs.learn_many(*frame) for _ in calls],
        },
        {peer: 30},
        5,
    )
    # Batches that no cache has seen.
    ours, theirs = NaiveBayes(), GaussianNB()
    compare(
        report,
        "naive Bayes, ten new batches of 20,000 rows",
        {
            OURS: lambda: [ours.partial_fit(*next(batches), classes=[0, 1, 2]) for _ in range(10)],
            peer: lambda: [theirs.learn_many(*next(frames)) for _ in range(10)],
        },
        {},
        len(pieces) // 10 - 1,
    )


def _orange(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    import Orange.classification
    import Orange.data

    from satsuma import NaiveBayes

    columns = [Orange.data.ContinuousVariable(f"x{j}") for j in range(numbers.shape[1])]
    target = Orange.data.DiscreteVariable("y", values=tuple(map(str, range(CLASSES))))
    table = Orange.data.Table.from_numpy(Orange.data.Domain(columns, target), numbers, labels)
    learner = Orange.classification.NaiveBayesLearner()
    peer = "Orange 3 NaiveBayesLearner"
    compare(
        report,
        "naive Bayes, numbers, fit",
        {OURS: lambda: NaiveBayes().fit(numbers, labels), peer: lambda: learner(table)},
        {peer: 40},
        2,
    )
