"""Logistic and LinearSVM beside scikit-learn: classes, columns, values of symbols, long tables.

Objectives are compared, too: a peer that stops early has not done the same work.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np

from benchmarks.harness import OURS, Report, Row, best_of

#: Whether scikit-learn stops as it usually does, or comes as near to the best as ours.
USUAL, NEAR = "scikit-learn, tol=1e-4", "scikit-learn, tol=1e-8"


class Shape(NamedTuple):
    """What a table is like: how many rows, numbers, classes, symbols, and values of each symbol."""

    rows: int
    numbers: int
    classes: int
    symbols: int = 0
    values: int = 0

    @property
    def name(self) -> str:
        """For a line of the results."""
        symbols = f", {self.symbols} symbols of {self.values:,}" if self.symbols else ""
        return f"{self.rows:,} x {self.numbers}{symbols}, {self.classes} classes"


#: Of each, one number grows; the rest is what it grows in.
GROWING = {
    "classes": [Shape(4000, 20, classes) for classes in (2, 10, 40, 100)],
    "numbers": [Shape(4000, numbers, 3) for numbers in (20, 80, 320, 1000)],
    "values": [Shape(20_000, 2, 3, 3, values) for values in (400, 5000)],
    "rows": [Shape(rows, 20, 2) for rows in (100_000, 1_000_000)],
}


def run(report: Report) -> None:
    """Each kind of growth, with its exponent; then the machines."""
    warnings.simplefilter("ignore")
    for what, shapes in GROWING.items():
        times = [_logistic(report, shape) for shape in shapes]
        sizes = [getattr(shape, what) for shape in shapes]
        for who in times[0]:
            spent = [each[who] for each in times]
            slope = np.polyfit(np.log(sizes), np.log(spent), 1)[0]
            report.add(Row(f"Logistic, growth in {what}", who, f"exponent {slope:.2f}"))
    for shape in (Shape(8000, 20, 3), Shape(20_000, 20, 10)):
        _linear_svm(report, shape)


class _Drawn(NamedTuple):
    table: Any
    matrix: Any
    labels: Any


def _drawn(shape: Shape) -> _Drawn:
    """Classes whose log odds are sums: a table, and the same as a matrix, sparse with symbols."""
    from scipy import sparse
    from sklearn.preprocessing import OneHotEncoder

    from satsuma import Domain, Table, Variable

    rng = np.random.default_rng(0)
    x = rng.normal(size=(shape.rows, shape.numbers))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    codes = rng.integers(0, max(shape.values, 1), (shape.rows, shape.symbols)).astype(np.int32)
    scores = x @ rng.normal(size=(shape.numbers, shape.classes)) * 1.5 / np.sqrt(shape.numbers)
    for column in codes.T:
        scores += rng.normal(size=(shape.values, shape.classes))[column]
    labels = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1).astype(np.int32)
    values = tuple(map(str, range(shape.values)))
    variables = [Variable(f"x{at}") for at in range(shape.numbers)]
    variables += [Variable(f"s{at}", "sym", values) for at in range(shape.symbols)]
    variables.append(Variable("y", "sym", tuple(map(str, range(shape.classes))), "target"))
    columns = [np.ascontiguousarray(each) for each in (*x.T, *codes.T)]
    table = Table(Domain(variables), [*columns, labels])
    if shape.symbols:
        x = sparse.hstack([sparse.csr_matrix(x), OneHotEncoder().fit_transform(codes)]).tocsr()
    return _Drawn(table, x, labels)


def _logistic(report: Report, shape: Shape) -> dict[str, float]:
    from sklearn.linear_model import LogisticRegression

    from satsuma import Logistic

    drawn, found = _drawn(shape), {}

    def ours() -> None:
        found[OURS] = Logistic()(drawn.table)

    def theirs(tol: float, who: str) -> None:
        peer = LogisticRegression(tol=tol, max_iter=10_000)
        found[who] = peer.fit(drawn.matrix, drawn.labels)

    runs = {OURS: ours, USUAL: lambda: theirs(1e-4, USUAL), NEAR: lambda: theirs(1e-8, NEAR)}
    best = best_of(runs, 3)
    model = found.pop(OURS)
    least = _objective(model.probabilities(drawn.table), drawn.labels, model.found[:, 1:])
    workload = f"Logistic, {shape.name}"
    report.add(Row(workload, OURS, f"{best[OURS] * 1e3:.1f} ms"))
    asked = 5 if shape.rows >= 1_000_000 else 1
    for who, peer in found.items():
        reached = _objective(peer.predict_proba(drawn.matrix), drawn.labels, peer.coef_)
        figure = f"{best[who] * 1e3:.1f} ms, {reached / least - 1:.0e} above"
        wanted = f"at least {asked}" if who == NEAR else ""
        report.add(Row(workload, who, figure, f"{best[who] / best[OURS]:.2f}", wanted))
    return best


def _objective(chances: Any, labels: Any, slopes: Any) -> float:
    right = chances[np.arange(len(labels)), labels]
    return float((slopes**2).sum() / 2 - np.log(right).sum())


def _linear_svm(report: Report, shape: Shape) -> None:
    """The peer without probabilities, and with those that folds calibrate, as ours has them."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    from satsuma import LinearSVM

    drawn = _drawn(shape)
    alone, calibrated = "scikit-learn LinearSVC", "the same, calibrated by five folds"
    runs = {
        OURS: lambda: LinearSVM()(drawn.table),
        alone: lambda: LinearSVC().fit(drawn.matrix, drawn.labels),
        calibrated: lambda: CalibratedClassifierCV(LinearSVC(), ensemble=False, cv=5).fit(
            drawn.matrix, drawn.labels
        ),
    }
    best = best_of(runs, 3)
    for who, seconds in best.items():
        ratio = "" if who == OURS else f"{seconds / best[OURS]:.2f}"
        wanted = "" if who == OURS else "at least 1"
        report.add(Row(f"LinearSVM, {shape.name}", who, f"{seconds * 1e3:.1f} ms", ratio, wanted))
