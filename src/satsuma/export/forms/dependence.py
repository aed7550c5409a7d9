"""AnDE: what columns say given the class and a parent, averaged over the parents."""

import numpy as np

from satsuma.errors import SatsumaError
from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    HOPELESS,
    IMPOSSIBLE,
    Expression,
    Number,
    Place,
    Program,
    case,
    compared,
    difference,
    exponent,
    greatest,
    logarithm,
    lookup,
    product,
    quotient,
    total,
)
from satsuma.export.forms.bayes import of_tables
from satsuma.export.softmax import classified, softmax, unless_hopeless
from satsuma.learners.calibration.probability_maps import FLOOR
from satsuma.learners.generative.dependence import Dependence
from satsuma.learners.generative.dependence_model import AnDEModel


def averaged_dependence(model: AnDEModel) -> Program:
    """The average over the parents that a row has; without any, as naive Bayes."""
    if model.n > 1:
        raise SatsumaError(
            "AnDE with two parents has a table for each three columns, and is not written down. "
            "Learn AnDE(n=1)."
        )
    written = _Written(model)
    found = written.without_parents()
    if model.n and len(written.codes):
        found = written.by_parents(found)
    if model.temperature != 1:
        least = [greatest([each, Number(FLOOR)]) for each in found]
        found = softmax([product(1 / model.temperature, logarithm(each)) for each in least])
    return classified(model.classes, found)


class _Written:
    """The scores of each parent.

    Parameters
    ----------
    model
        What was learned.
    """

    def __init__(self, model: AnDEModel) -> None:
        self.model, self.levels = model, model.tally.levels
        self.classes = len(model.classes)
        columns = Columns(model.domain)
        self.codes: list[Expression] = [
            columns.code(v.name)
            if v.kind == "sym"
            else columns.interval(v.name, model.tally.cuts[v.name])
            for v in model.tally.variables
        ]

    def without_parents(self) -> list[Expression]:
        """The probabilities by the class and each column alone; the prior if all is impossible."""
        (alone,) = self.model.dependences(0)
        terms = self._children(alone)
        scores = [
            total(Number(_finite(float(base))), *more)
            for base, more in zip(alone.base[0], terms, strict=True)
        ]
        return unless_hopeless(scores, softmax(scores), self.model.prior.tolist())

    def by_parents(self, fallback: list[Expression]) -> list[Expression]:
        """The average over parents; what stands for a row that none has a say about."""
        pairs = zip(self.model.dependences(1), self.model.weights, strict=True)
        logs = [self._scores(each, float(weight)) for each, weight in pairs if weight > 0]
        top = greatest([score for scores in logs for score in scores])
        joint = [
            total(*(exponent(difference(scores[c], top)) for scores in logs))
            for c in range(self.classes)
        ]
        whole, orphan = total(*joint), compared(top, "<=", Number(HOPELESS))
        return [
            case((orphan, other), otherwise=quotient(each, whole))
            for each, other in zip(joint, fallback, strict=True)
        ]

    def _scores(self, each: Dependence, weight: float) -> list[Expression]:
        """What one parent says of each class; impossible where it has no say."""
        (parent,) = each.parents
        base = np.where(each.enough[:-1, None], each.base + np.log(weight), IMPOSSIBLE)
        return [
            total(
                lookup(self.codes[parent], [_finite(b) for b in base[:, c].tolist()], IMPOSSIBLE),
                *more,
            )
            for c, more in enumerate(self._children(each))
        ]

    def _children(self, each: Dependence) -> list[list[Expression]]:
        tables = [(self._place(each, at), table) for at, table in each.children.items()]
        return of_tables(tables, self.classes)

    def _place(self, each: Dependence, at: int) -> Expression:
        places = (*each.parents, at)
        if len(places) == 1:
            return self.codes[at]
        return Place(tuple(self.codes[i] for i in places), tuple(self.levels[i] for i in places))


def _finite(log: float) -> float:
    return max(log, IMPOSSIBLE)
