"""Weighted sums: logistic regression, ridge regression, the lasso."""

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    Expression,
    Known,
    Number,
    Operation,
    Program,
    case,
    difference,
    is_missing,
    lookup,
    product,
    total,
)
from satsuma.export.softmax import classified, softmax
from satsuma.learners.linear.logistic_model import LogisticModel, directions
from satsuma.learners.linear.ridge import RidgeModel
from satsuma.learners.matrix_learner import Encoded
from satsuma.numerics.arrays import Floats
from satsuma.tallies.features import attributes_of, levels_of


def logistic(model: LogisticModel) -> Program:
    """The probabilities that go with the log odds; 0 for a class that was not seen."""
    by_class = directions(len(model.seen), sparse=model.l1 > 0) @ model.found
    scores = _Sums(model).of(by_class[:, 0], by_class[:, 1:])
    return among_all(model.classes, model.seen.tolist(), softmax(scores))


def among_all(classes: tuple[str, ...], seen: list[int], found: list[Expression]) -> Program:
    """The probabilities of the classes that were seen in learning; 0 for the others."""
    each: list[Expression] = [Number(0.0) for _ in classes]
    for code, one in zip(seen, found, strict=True):
        each[code] = one
    return classified(classes, each)


def ridge(model: RidgeModel) -> Program:
    """The weighted sum."""
    (found,) = _Sums(model).of(np.array([model.middle]), model.slopes[None])
    return Program(found)


class _Sums:
    """Weighted sums of the columns of the matrix that a model makes of rows.

    Parameters
    ----------
    model
        Whose encoding it is.
    """

    def __init__(self, model: Encoded) -> None:
        self.model, self.columns = model, Columns(model.domain)

    def of(self, constants: Floats, slopes: Floats) -> list[Expression]:
        """A sum for each row of slopes (sums, columns of the matrix)."""
        found: list[list[Expression]] = [[Number(float(each))] for each in constants]
        first = 0
        levels = levels_of(self.model.domain)
        for variable, level in zip(attributes_of(self.model.domain), levels, strict=True):
            width = 1 if level is None else level
            mine = slice(first, first + width)
            for terms, each in zip(found, slopes[:, mine], strict=True):
                terms.append(self._term(variable.name, mine, each))
            first += width
        for at, name in enumerate(self.model.informative, first):
            for terms, slope in zip(found, slopes[:, at], strict=True):
                terms.append(self._of_missing(name, at, float(slope)))
        return [total(*terms) for terms in found]

    def _term(self, name: str, mine: slice, slopes: Floats) -> Expression:
        mean, scale = self.model.mean[mine], self.model.scale[mine]
        if self.model.domain[name].kind == "num":
            if not np.isfinite(scale[0]) or not slopes[0]:
                return Number(0.0)
            away = difference(self.columns.number(name), Number(float(mean[0])))
            scaled = Operation("quotient", (away, Number(float(scale[0]))))
            return Known(product(float(slopes[0]), scaled), 0.0)
        seen = np.isfinite(scale)  # a value that was not there in learning is missing
        beside = float((slopes * mean)[seen].sum())
        return lookup(self.columns.code(name), np.where(seen, slopes - beside, 0.0).tolist())

    def _of_missing(self, name: str, at: int, slope: float) -> Expression:
        """What it adds that a column is missing, rather than of a value that was not seen."""
        numeric = self.model.domain[name].kind == "num"
        cell = self.columns.number(name) if numeric else self.columns.code_or_unseen(name)
        mean, scale = float(self.model.mean[at]), float(self.model.scale[at])
        lost, there = (slope * ((value - mean) / scale) for value in (1.0, 0.0))
        return case((is_missing(cell), Number(lost)), otherwise=Number(there))
