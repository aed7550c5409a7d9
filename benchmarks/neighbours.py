"""Nearest neighbours beside scikit-learn's brute force, with two threads each."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, compare

ROWS, QUERIES, K, LEVELS = 100_000, 10_000, 10, 10


def run(report: Report) -> None:
    """Numbers alone, then numbers and symbols."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    numbers = rng.random((ROWS + QUERIES, 20))
    symbols = rng.integers(0, LEVELS, (ROWS + QUERIES, 10))
    labels = rng.integers(0, 3, ROWS)
    _numeric(report, numbers, labels)
    _mixed(report, numbers[:, :10], symbols, labels)


def _numeric(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    from satsuma import KNN

    held, asked = numbers[:ROWS], numbers[ROWS:]
    ours, theirs = KNN(k=K).fit(held, labels), _brute().fit(held, labels)
    peer = "scikit-learn brute, 2 jobs"
    compare(
        report,
        "kNN, 1e5 rows x 1e4 queries, 20 numbers",
        {OURS: lambda: ours.predict(asked), peer: lambda: theirs.predict(asked)},
        {peer: 2},
        5,
    )


def _mixed(report: Report, numbers: np.ndarray, symbols: np.ndarray, labels: np.ndarray) -> None:
    from satsuma import KNN, Domain, Table, Variable

    values = tuple(map(str, range(LEVELS)))
    variables = [Variable(f"x{j}") for j in range(10)]
    variables += [Variable(f"s{j}", "sym", values) for j in range(10)]
    columns = [*numbers.T, *symbols.T.astype(np.int32)]
    target = Variable("y", "sym", ("0", "1", "2"), "target")
    held = Table(
        Domain([*variables, target]), [*(c[:ROWS] for c in columns), labels.astype(np.int32)]
    )
    asked = Table(Domain(variables), [c[ROWS:] for c in columns])
    # Two columns differ where a symbol does: by the root of a half each, they add up to 1.
    eye = np.eye(LEVELS) * np.sqrt(0.5)
    hot = np.hstack([numbers, *(eye[symbols[:, j]] for j in range(10))])
    ours, theirs = KNN(k=K)(held), _brute().fit(hot[:ROWS], labels)
    peer = "scikit-learn brute on one-hot, 2 jobs"
    compare(
        report,
        "kNN, the same, 10 numbers and 10 symbols",
        {OURS: lambda: ours(asked), peer: lambda: theirs.predict(hot[ROWS:])},
        {peer: 4},
        5,
    )


def _brute():
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(K, algorithm="brute", n_jobs=2)
