"""k-means and mini-batch k-means beside scikit-learn's, with two threads each."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, Row, compare

ROWS, COLUMNS, K, STEPS = 1_000_000, 16, 32, 20


def run(report: Report) -> None:
    """Rows around centres, and rows without any; then one pass over batches."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    centres = 3 * rng.normal(size=(K, COLUMNS))
    grouped = centres[rng.integers(0, K, ROWS)] + rng.normal(size=(ROWS, COLUMNS))
    _kmeans(report, "rows around centres", grouped, 1.8)
    _kmeans(report, "rows without groups", rng.random((ROWS, COLUMNS)), None)
    for batch, asked, repeats in ((1024, 20, 2), (16_384, 4, 3)):
        _mini_batch(report, grouped, batch, asked, repeats)


def _kmeans(report: Report, data: str, X: np.ndarray, asked: float | None) -> None:
    from sklearn import cluster

    from satsuma import KMeans

    start = X[:K].copy()
    ours = KMeans(k=K, init=start, scale=None, steps=STEPS, tolerance=0.0)
    theirs = cluster.KMeans(K, init=start, n_init=1, max_iter=STEPS, tol=0.0, algorithm="lloyd")
    workload, peer = f"k-means, 1e6 x 16, k = 32, {data}", "scikit-learn Lloyd"
    asked_of = {} if asked is None else {peer: asked}
    compare(report, workload, {OURS: lambda: ours.fit(X), peer: lambda: theirs.fit(X)}, asked_of, 3)
    apart = abs(ours.model_.inertia / theirs.inertia_ - 1)
    report.add(Row(workload, "inertia, relative", f"{apart:.1g}", "", "at most 1e-9 apart"))


def _mini_batch(report: Report, X: np.ndarray, batch: int, asked: float, repeats: int) -> None:
    from sklearn import cluster
    from threadpoolctl import threadpool_limits

    from satsuma import MiniBatchKMeans

    start = X[:K].copy()
    ours = MiniBatchKMeans(k=K, batch=batch, init=start, scale=None)
    theirs = cluster.MiniBatchKMeans(
        K, init=start, n_init=1, max_iter=1, batch_size=batch, max_no_improvement=None
    )

    def one_thread() -> None:
        with threadpool_limits(1):
            theirs.fit(X)

    peer, alone = "scikit-learn", "scikit-learn, 1 thread"
    runs = {OURS: lambda: ours.fit(X), peer: lambda: theirs.fit(X), alone: one_thread}
    compare(report, f"mini-batch k-means, one epoch of {batch}", runs, {peer: asked}, repeats)
