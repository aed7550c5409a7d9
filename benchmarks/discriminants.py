"""LDA and QDA: learning, predicting and cross-validating beside scikit-learn's solvers."""

import warnings
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import OURS, Report, compare

N, WIDTH, CLASSES = 1_000_000, 20, 3


def run(report: Report) -> None:
    """A long table of numbers; each solver that can do the same is a peer of its own."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES, N)
    numbers = rng.normal(size=(N, WIDTH)) + labels[:, None] * 0.1
    _fits(report, numbers, labels)
    _predictions(report, numbers, labels)
    _folds(report, numbers, labels)


def _peers(which: str) -> dict[str, Any]:
    from sklearn.discriminant_analysis import (
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )

    kind = LinearDiscriminantAnalysis if which == "LDA" else QuadraticDiscriminantAnalysis
    solvers = ("svd", "lsqr", "eigen") if which == "LDA" else ("svd", "eigen")
    return {f"scikit-learn, {solver}": partial(kind, solver=solver) for solver in solvers}


def _ours(which: str) -> Any:
    import satsuma

    return getattr(satsuma, which)


def _fits(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    for which, asked in (("LDA", 10), ("QDA", 6)):
        kinds = {OURS: _ours(which), **_peers(which)}
        runs = {name: lambda kind=kind: kind().fit(numbers, labels) for name, kind in kinds.items()}
        asks = dict.fromkeys(list(runs)[1:], asked)
        compare(report, f"{which}, fit, 1e6 x 20", runs, asks, 5)


def _predictions(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    for which, asked in (("LDA", None), ("QDA", 6)):
        kinds = {OURS: _ours(which), "scikit-learn": next(iter(_peers(which).values()))}
        fitted = {name: kind().fit(numbers, labels) for name, kind in kinds.items()}
        for verb in ("predict", "predict_proba"):
            runs = {name: partial(getattr(each, verb), numbers) for name, each in fitted.items()}
            asks = {"scikit-learn": asked} if asked and verb == "predict" else {}
            compare(report, f"{which}, {verb}, 1e6 x 20", runs, asks, 3)


def _folds(report: Report, numbers: np.ndarray, labels: np.ndarray) -> None:
    from sklearn.model_selection import cross_val_score

    from satsuma import Domain, Table, Variable, cross_validate

    variables = [Variable(f"x{j}") for j in range(WIDTH)]
    variables.append(Variable("y", "sym", ("0", "1", "2"), "target"))
    columns = [numbers[:, j] for j in range(WIDTH)]
    table = Table(Domain(variables), [*columns, labels.astype(np.int32)])
    for which, asked in (("LDA", 40), ("QDA", 15)):
        kind = _ours(which)
        runs = {OURS: lambda kind=kind: cross_validate([kind()], table, folds=10).scores("CA")}
        for name, peer in _peers(which).items():
            for jobs in (1, 2):
                runs[f"{name}, {jobs} job{'s' * (jobs > 1)}"] = partial(
                    cross_val_score, peer(), numbers, labels, cv=10, n_jobs=jobs
                )
        asks = dict.fromkeys(list(runs)[1:], asked)
        compare(report, f"{which}, 10-fold cross-validation, 1e6 x 20", runs, asks, 2)
