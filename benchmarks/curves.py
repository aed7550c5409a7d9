"""Numbers by kernel densities, loess and intervals, beside Gaussians."""

from functools import partial

import numpy as np

from benchmarks.harness import Report, Row, best_of

N, WIDTH, CLASSES = 100_000, 10, 3
MOST = 20


def run(report: Report) -> None:
    """Learning and predicting 1e5 x 10: no more than so many times what Gaussians take."""
    from satsuma import NaiveBayes

    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES, N)
    numbers = rng.normal(size=(N, WIDTH)) + labels[:, None] * 0.1
    kinds = ("gaussian", "kde", "loess", "mdl")
    models = {kind: NaiveBayes(number=kind).fit(numbers, labels) for kind in kinds}
    fit = {k: partial(NaiveBayes(number=k).fit, numbers, labels) for k in kinds}
    _against_gaussian(report, "naive Bayes, 1e5 x 10, fit", fit)
    predict = {k: partial(models[k].predict_proba, numbers) for k in kinds}
    _against_gaussian(report, "naive Bayes, 1e5 x 10, predict_proba", predict)


def _against_gaussian(report: Report, workload: str, runs: dict[str, partial[object]]) -> None:
    best = best_of(runs, 15)
    for kind, seconds in best.items():
        ratio = "" if kind == "gaussian" else f"1/{seconds / best['gaussian']:.1f}"
        wanted = f"at most 1/{MOST}" if kind in ("kde", "loess") else ""
        report.add(Row(workload, f"number={kind!r}", f"{seconds * 1e3:.1f} ms", ratio, wanted))
