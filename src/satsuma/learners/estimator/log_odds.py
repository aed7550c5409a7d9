"""LogOdds: `decision_function`, of learners whose models are sums of scores."""

from typing import Any, cast

import numpy as np

from satsuma.learners.estimator.available_if import available_if
from satsuma.learners.estimator.sorts import has_classes
from satsuma.learners.estimator.sparse_rows import in_blocks
from satsuma.numerics.arrays import Floats


class LogOdds:
    """A part of learners whose models have `log_scores`."""

    @available_if(has_classes, "it predicts numbers")
    @in_blocks
    def decision_function(self, X: Any) -> Floats:
        """The log-odds that `predict` goes by, once fitted.

        With two classes, those of the second against the first: above 0, it is predicted. With
        more, rows by classes: logarithms of the probabilities, but for a constant in each row.
        """
        model, table = cast("Any", self).asked_rows(X)
        return between(model.log_scores(table))


def between(scores: Floats) -> Floats:
    """With two columns, the second less the first; else all of them.

    Examples
    --------
    >>> between(np.array([[1.0, 3.0], [0.0, -np.inf]]))
    array([  2., -inf])
    """
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def among_all(scores: Floats, seen: Any, classes: int) -> Floats:
    """Scores of the classes that were seen in learning, as such of all: others are impossible.

    Examples
    --------
    >>> among_all(np.array([[1.0, 2.0]]), np.array([0, 2]), 3)
    array([[  1., -inf,   2.]])
    """
    if len(seen) == classes:
        return scores
    found = np.full((len(scores), classes), -np.inf)
    found[:, seen] = scores
    return found
