"""Anomaly beside scikit-learn's isolation forest: how well planted rows are found."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, Row
from benchmarks.planted_outliers import planted
from benchmarks.tables import tables

#: Tables of numbers alone, where an isolation forest needs no encoding, and the three that must be.
NUMERIC = ("classify/diabetes", "classify/letter", "orange/housing", "optimize/Wine_quality")
MIXED = ("classify/hypothyroid", "classify/mushroom", "optimize/auto93", "regression/auto93")

#: Copies of a table, and of one that has few planted rows, or one.
COPIES, MORE = 5, 20
PEER = "scikit-learn IsolationForest"


def run(report: Report) -> None:
    """The area under the curve, the mean over copies; cells from ranges, then from other rows."""
    warnings.simplefilter("ignore")
    for name, table in tables():
        if name in NUMERIC + MIXED:
            for how in ("ranges", "mixed"):
                _one(report, name, table, how)


def _one(report: Report, name: str, table, how: str) -> None:
    from sklearn.ensemble import IsolationForest
    from sklearn.metrics import roc_auc_score

    from satsuma import Anomaly

    ours, theirs = [], []
    for seed in range(COPIES if len(table) > 1000 else MORE):
        copy, is_outlier = planted(table, seed, how=how)
        ours.append(roc_auc_score(is_outlier, Anomaly()(copy)(copy)))
        X = encoded(copy)
        theirs.append(
            roc_auc_score(is_outlier, -IsolationForest(random_state=0).fit(X).score_samples(X))
        )
    asked = "at least 0.9" if how == "ranges" and name in MIXED else ""
    what = f"AUC of 1 % planted rows, {how}, {name}"
    report.add(Row(what, OURS, f"{np.mean(ours):.3f}", "", asked))
    report.add(Row(what, PEER, f"{np.mean(theirs):.3f}"))


def encoded(table) -> np.ndarray:
    """Numbers, imputed by the median, and symbols one-hot encoded."""
    parts = []
    for variable in table.domain.attributes:
        column = table.column(variable.name)
        if variable.kind == "sym":
            parts.append((column[:, None] == np.arange(len(variable.values))).astype(float))
        elif not np.isnan(column).all():
            filled = np.where(np.isnan(column), np.nanmedian(column), column)
            parts.append(filled[:, None])
    return np.hstack(parts)
