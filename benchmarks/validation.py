"""Cross-validation of naive Bayes beside scikit-learn's cross_val_score."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, compare
from benchmarks.learning import TEXTBOOK, textbook


def run(report: Report) -> None:
    """Ten folds: a long table and a wide one."""
    warnings.simplefilter("ignore")
    _folds(report, 1_000_000, 20, 50)
    _folds(report, 200_000, 50, 25)


def _folds(report: Report, rows: int, width: int, asked: float) -> None:
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.naive_bayes import GaussianNB

    from satsuma import Domain, NaiveBayes, Table, Variable, cross_validate

    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, rows)
    numbers = rng.normal(size=(rows, width)) + labels[:, None] * 0.1
    variables = [Variable(f"x{j}") for j in range(width)]
    variables.append(Variable("y", "sym", ("0", "1", "2"), "target"))
    codes = labels.astype(np.int32)
    block = [numbers[:, j] for j in range(width)]
    # As a file is read: each column in an array of its own.
    apart = [column.copy() for column in block]
    tables = [Table(Domain(variables), [*columns, codes]) for columns in (block, apart)]

    def ours(table: Table, learner: NaiveBayes) -> object:
        return cross_validate([learner], table, folds=10).scores("CA")

    runs = {
        OURS: lambda: ours(tables[0], NaiveBayes()),
        f"{OURS}, columns apart": lambda: ours(tables[1], NaiveBayes()),
        TEXTBOOK: lambda: ours(tables[0], textbook()),
    }
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for jobs in (1, 2):
        runs[f"scikit-learn, {jobs} job{'s' * (jobs > 1)}"] = lambda jobs=jobs: cross_val_score(
            GaussianNB(), numbers, labels, cv=folds, n_jobs=jobs
        )
    asks = dict.fromkeys(list(runs)[3:], asked)
    compare(report, f"10-fold cross-validation, {rows:.0e} x {width}", runs, asks, 5)
