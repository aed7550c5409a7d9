"""Each row predicted by what was learned from all others, beside scikit-learn's LeaveOneOut."""

import warnings

import numpy as np

from benchmarks.harness import OURS, Report, Row, best_of, compare, exponent

ROWS, GROWING, COLUMNS = 1_000, (1_000, 4_000, 10_000), 10


def run(report: Report) -> None:
    """Learners whose tallies rows are taken out of, and how their time grows with the rows."""
    from sklearn.discriminant_analysis import (
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )
    from sklearn.model_selection import LeaveOneOut, cross_val_score
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    from satsuma import KNN, LDA, QDA, NaiveBayes, leave_one_out

    warnings.simplefilter("ignore")
    pairs = (
        (NaiveBayes(), GaussianNB()),
        (LDA(), LinearDiscriminantAnalysis()),
        (QDA(), QuadraticDiscriminantAnalysis()),
        (KNN(), KNeighborsClassifier()),
    )
    for ours, theirs in pairs:
        name, (table, X, y) = type(ours).__name__, _rows(ROWS)
        runs = {
            OURS: lambda ours=ours, table=table: leave_one_out(ours, table),
            "scikit-learn": lambda theirs=theirs, X=X, y=y: cross_val_score(
                theirs, X, y, cv=LeaveOneOut()
            ),
        }
        compare(report, f"leaving one out, {name}, {ROWS:,} x {COLUMNS}", runs, {}, 2)
        spent = []
        for rows in GROWING:
            table = _rows(rows)[0]
            spent += best_of({OURS: lambda one=ours, t=table: leave_one_out(one, t)}, 2).values()
        growth = f"leaving one out, {name}, growth to {GROWING[-1]:,} rows"
        told = f"{exponent(GROWING, spent)}, {spent[-1] * 1e3:.0f} ms"
        asked = "" if name == "KNN" else "at most n^1.15"  # all pairs of rows are compared
        report.add(Row(growth, OURS, told, "", asked))


def _rows(rows: int) -> tuple[object, np.ndarray, np.ndarray]:
    from satsuma import Domain, Table, Variable

    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, COLUMNS))
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=rows), [-1, 1])
    variables = [Variable(f"x{at}") for at in range(COLUMNS)]
    variables.append(Variable("y", "sym", ("0", "1", "2"), "target"))
    return Table(Domain(variables), [*X.T.copy(), y.astype(np.int32)]), X, y
