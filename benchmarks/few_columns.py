"""Nearest neighbours in few columns beside the best of scikit-learn's trees, learning included."""

import numpy as np

from benchmarks.harness import OURS, Report, Row, best_of, exponent, told_ratio

SIZES, QUERIES, K = (25_000, 100_000, 200_000), 5_000, 10


def run(report: Report) -> None:
    """Three columns of numbers, and ever more rows."""
    rng, spent = np.random.default_rng(0), list[float]()
    for rows in SIZES:
        X, asked = rng.normal(size=(rows, 3)), rng.normal(size=(QUERIES, 3))
        y = (X[:, 0] + rng.normal(size=rows) > 0).astype(int)
        spent.append(_compare(report, X, y, asked))
    growth = exponent(SIZES, spent)
    report.add(Row("kNN, 3 numbers, growth in rows", OURS, growth, "", "at most n^1.15"))


def _compare(report: Report, X: np.ndarray, y: np.ndarray, asked: np.ndarray) -> float:
    from sklearn.neighbors import KNeighborsClassifier

    from satsuma import KNN

    ours = KNN(k=K, weights="uniform", m=0)
    peers = {
        f"scikit-learn {name}": KNeighborsClassifier(K, algorithm=name, n_jobs=2)
        for name in ("kd_tree", "ball_tree")
    }
    each = {OURS: ours, **peers}
    runs = {n: (lambda one=one: one.fit(X, y).predict_proba(asked)) for n, one in each.items()}
    best = best_of(runs, 5)
    workload = f"kNN, {len(X):,} rows x {QUERIES:,} queries, 3 numbers"
    for name, seconds in best.items():
        told = ("", "") if name == OURS else (told_ratio(seconds / best[OURS]), "at least 1")
        report.add(Row(workload, name, f"{seconds * 1e3:.1f} ms", *told))
    return best[OURS]
