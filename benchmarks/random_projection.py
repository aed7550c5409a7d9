"""RP0 beside scikit-learn's k-means, and how close the rows of its clusters are."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, Row, compare
from benchmarks.tables import tables

ROWS, COLUMNS = 1_000_000, 16


def run(report: Report) -> None:
    """A million rows to clusters of at most 64; then the clusters of every shared table."""
    warnings.simplefilter("ignore")
    _speed(report)
    _closeness(report)


def _speed(report: Report) -> None:
    from sklearn.cluster import KMeans

    from satsuma import RP0

    X = np.random.default_rng(0).random((ROWS, COLUMNS))
    theirs = KMeans(32, init=X[:32].copy(), n_init=1, max_iter=20, tol=0, algorithm="lloyd")
    peer = "scikit-learn KMeans(32), 20 steps"
    compare(
        report,
        "RP0, 1e6 x 16, clusters of at most 64",
        {OURS: lambda: RP0().fit(X), peer: lambda: theirs.fit(X)},
        {peer: 2},
        5,
    )


def _closeness(report: Report) -> None:
    ratios = {name: closeness(table) for name, table in tables()}
    if not ratios:
        return
    middle, worst = np.median(list(ratios.values())), max(ratios, key=ratios.__getitem__)
    report.add(
        Row(
            f"RP0, distance in a cluster over that at random, {len(ratios)} tables",
            OURS, f"{middle:.2f}", f"{ratios[worst]:.2f}", f"below 1; most: {worst}",
        )
    )  # fmt: skip


def closeness(table) -> float:
    """The median over rows of how far they are from their cluster, over how far from all rows."""
    from satsuma import RP0

    model = RP0(M=32 if len(table) > 128 else 4)(table)
    groups, cells = model.clusters(table), model.distance.cells(table)
    ratios = []
    for row in np.random.default_rng(0).permutation(len(table))[:100]:
        mates = np.flatnonzero(groups == groups[row])
        if len(mates) > 1:
            every = model.distance.matrix((cells[0][[row]], cells[1][[row]]), cells)[0]
            every[row] = 0.0
            ratios.append(every[mates].sum() / (len(mates) - 1) / (every.sum() / (len(table) - 1)))
    return float(np.median(ratios))
