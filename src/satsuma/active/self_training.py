"""SelfTraining: semi-supervised learning from pseudo-labels that a model is sure of."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.active.semi_supervised import Learned, SemiSupervised, labels_of, with_labels
from satsuma.data.table import Table
from satsuma.errors import check_number
from satsuma.learners.queries import fitted


@dataclass(kw_only=True, eq=False)
class SelfTraining(SemiSupervised):
    """A model learns from the pseudo-labels that it is sure of, too (Yarowsky 1995).

    That is repeated with the new model until it is sure of no other row. Labels are never taken
    back. Missing cells are left to the learner.

    Parameters
    ----------
    learner
        Any learner of classes; it may stand first, without its name.
    folds
        Into how many parts known labels are dealt, to be held back in turn and found again.
    seed
        Where chance starts from in dealing.
    threshold
        How probable a class must be for a row to be labelled with it.
    steps
        How often rows are labelled, at most.

    Examples
    --------
    >>> from satsuma import NaiveBayes, SelfTraining, Table
    >>> few = [(1.0, "a"), (1.2, None), (0.9, "a"), (5.1, "b"), (5.0, None), (4.8, "b")]
    >>> model = SelfTraining(NaiveBayes(), folds=2)(Table.of(few, ["x", "y"]))
    >>> model({"x": 1.1}), model.spread.spread
    ('a', 2)
    """

    threshold: float = 0.9
    steps: int = 10

    def check(self) -> None:
        """A learner of classes, a threshold and a number of steps."""
        super().check()
        check_number(self, "threshold", low=0, high=1)
        check_number(self, "steps", low=1, whole=True)

    def spread(self, rows: Table, seen: Any) -> Learned:
        """Rows are labelled as long as the model is sure of some."""
        del seen
        codes = labels_of(rows).copy()
        model = self.learner(rows[np.flatnonzero(codes >= 0)])
        for _ in range(int(self.steps)):
            bare = np.flatnonzero(codes < 0)
            if not len(bare):
                break
            probabilities = model.probabilities(fitted(rows[bare], model.domain, model.unseen))
            sure = probabilities.max(axis=1) >= self.threshold
            if not sure.any():
                break
            codes[bare[sure]] = model.chosen(probabilities[sure])
            model = self.learner(with_labels(rows, codes)[np.flatnonzero(codes >= 0)])
        return Learned(model, codes)
