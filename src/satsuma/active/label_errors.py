"""Label errors: labels that a model of the other rows doubts, to be asked about again."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.engines import check_rows
from satsuma.errors import DomainError
from satsuma.evaluate.cross_validation import cross_validate
from satsuma.evaluate.results_display import aligned, grid_html
from satsuma.learners.learner import Learner
from satsuma.numerics.arrays import Floats

#: Suspicious rows that are printed.
_SHOWN = 20

#: A number this many typical errors from what is predicted is doubted.
FAR = 3.0

#: The median of the absolute errors, as a share of their standard deviation where they are normal.
_MEDIAN = 0.6745


@dataclass(frozen=True)
class Suspicions:
    """Labelled rows, the most doubtful first.

    Parameters
    ----------
    rows
        Their numbers.
    doubt
        How much more probable another class is than the label, as log odds; above 0 another class
        is the more probable one. Of numbers, how far the label is from the prediction, in typical
        errors of the other rows, less `FAR`; above 0 it is farther than that.
    label, guess
        What was said, and what a model of the other rows says.
    numeric
        Whether labels are numbers.
    """

    rows: npt.NDArray[np.intp]
    doubt: Floats
    label: list[str] | list[float]
    guess: list[str] | list[float]
    numeric: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    def _cells(self) -> list[list[str]]:
        told = zip(self.rows[:_SHOWN], self.label, self.guess, self.doubt, strict=False)
        if self.numeric:
            heads = ["row", "label", "predicted", "errors away"]
            lines = [
                [f"{row}", f"{said:.5g}", f"{other:.5g}", f"{doubt + FAR:.2f}"]
                for row, said, other, doubt in told
            ]
            return [heads, *lines]
        lines = [
            [f"{row}", str(said), str(other), f"{doubt:.2f}"] for row, said, other, doubt in told
        ]
        return [["row", "label", "more likely", "log odds"], *lines]

    def _title(self) -> str:
        doubted = int((self.doubt > 0).sum())
        labels = "1 label is" if doubted == 1 else f"{doubted:,} labels are"
        if self.numeric:
            return f"{labels} {FAR:g} typical errors or more from the prediction, of {len(self):,}"
        return f"{labels} less likely than another, of {len(self):,}"

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())


def suspicious(learner: Learner, table: Table, *, folds: int = 10, seed: int = 0) -> Suspicions:
    """Probable label errors: labels that a model of the other rows doubts, most doubtful first.

    Each row is judged by a model that has not seen it (cross-validation), so that a wrong label
    does not speak for itself (Brodley and Friedl 1999). A number is doubted by how far it is from
    the prediction, in typical errors: the median of all, which few wrong labels do not move.

    Parameters
    ----------
    learner
        What judges.
    table
        Rows with labels; those without are passed over.
    folds
        How many parts the rows are dealt into; no more than there are labelled rows.
    seed
        Where chance starts from.

    Examples
    --------
    >>> from satsuma import Table, suspicious
    >>> rows = [("red", "yes")] * 9 + [("blue", "no")] * 9 + [("red", "no")]
    >>> from satsuma import NaiveBayes
    >>> found = suspicious(NaiveBayes(), Table.of(rows, ["colour", "sweet"]), folds=3)
    >>> int(found.rows[0]), found.label[0], found.guess[0]
    (18, 'no', 'yes')
    """
    check_rows("suspicious takes a learner and", table, sources=False)
    target = table.domain.target
    if target is None or target.kind not in ("sym", "num"):
        raise DomainError("suspicious needs a table whose target is a class or a number.")
    codes = table.column(target.name)
    known = np.flatnonzero(~table.missing(target.name))
    if len(known) < 4:
        raise DomainError(f"suspicious needs four labels or more; there are {len(known)}.")
    results = cross_validate(
        {"judge": learner}, table[known], folds=min(folds, len(known) // 2), seed=seed
    )
    if target.kind == "num":
        return _far_numbers(known, codes[known], results.predictions("judge"))
    probabilities = results.probabilities("judge")
    own = probabilities[np.arange(len(known)), codes[known]]
    others = probabilities.copy()
    others[np.arange(len(known)), codes[known]] = -1.0
    other = others.argmax(axis=1)
    with np.errstate(divide="ignore"):
        doubt = np.log(others.max(axis=1)) - np.log(own)
    order = np.argsort(-doubt, kind="stable")
    names: Any = target.values
    return Suspicions(
        known[order].astype(np.intp),
        doubt[order],
        [names[codes[known[at]]] for at in order],
        [names[other[at]] for at in order],
    )


def _far_numbers(rows: npt.NDArray[np.intp], said: Floats, guess: Floats) -> Suspicions:
    """Labels that are numbers, those farthest from their predictions first."""
    off = np.abs(said - guess)
    typical = float(np.median(off)) / _MEDIAN
    if not typical:  # most predictions are exact: what is not is judged by the mean
        typical = float(off.mean()) or 1.0
    order = np.argsort(-off, kind="stable")
    return Suspicions(
        rows[order].astype(np.intp),
        off[order] / typical - FAR,
        said[order].tolist(),
        guess[order].tolist(),
        numeric=True,
    )
