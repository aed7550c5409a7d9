"""The same numbers in other types and orders, beside doubles row by row."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from benchmarks.harness import OURS, Report, Row, best_of, told_ratio

ROWS, COLUMNS = 200_000, 33

PLAIN, LEAST = "doubles, row by row", 0.67


def run(report: Report) -> None:
    """Naive Bayes; a ratio is what doubles row by row take, over what these take."""
    from satsuma import NaiveBayes

    model = NaiveBayes()
    forms = _forms()
    fits = {name: partial(model.fit, *form) for name, form in forms.items()}
    _compare(report, "fit", fits)
    model.fit(*forms[PLAIN])
    _compare(report, "predict", {name: partial(model.predict, X) for name, (X, _) in forms.items()})


def _compare(report: Report, what: str, runs: Mapping[str, Callable[[], object]]) -> None:
    best = best_of(runs, 5)
    for name, seconds in best.items():
        figure, workload = f"{seconds * 1e3:.1f} ms", f"naive Bayes, {what}, {name}"
        ratio = told_ratio(best[PLAIN] / seconds, LEAST)
        report.add(Row(workload, OURS, figure, ratio, f"at least {LEAST}"))


def _forms() -> dict[str, tuple[object, np.ndarray]]:
    import pandas as pd
    import polars as pl

    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    apart = np.empty((ROWS, 2 * COLUMNS))
    apart[:, ::2] = X
    names = [f"x{at}" for at in range(COLUMNS)]
    return {
        PLAIN: (X, y),
        "doubles, column by column": (np.asfortranarray(X), y),
        "every second of more columns": (apart[:, ::2], y),
        "single precision": (X.astype(np.float32), y),
        "whole numbers": ((X * 10).astype(int), y),
        "labels that are words": (X, np.array(["a", "b", "c"])[y]),
        "pandas": (pd.DataFrame(X, columns=names), y),
        "polars": (pl.DataFrame(X, schema=names), y),
    }
