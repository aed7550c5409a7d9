"""Leave-one-out in one pass: what each row is predicted to be by all others, from one model."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from satsuma.data.table import Table
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model
from satsuma.learners.predictions import numbers_of, probabilities_of, redefines
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Bools, Floats

#: Rows that may be learned without one by one, as a share of all; of more, nothing is gained.
_FEW = 0.1

#: What says how a learner learns: one that has it anew is not known to learn as this file thinks.
_METHODS = ("__call__", "learn", "tally", "conclude", "concluded")


class LeftOut(NamedTuple):
    """What rows are predicted to be by what was learned from all others.

    Parameters
    ----------
    model
        What was learned from all of them.
    found
        Rows by classes, probabilities; or a number for each row.
    unsure
        Rows for which this is not exact enough, as the models without them differ too much.
    """

    model: Model
    found: Floats
    unsure: Bools


@runtime_checkable
class PredictsLeftOut(Protocol):
    """A learner that predicts each row by all others, having learned once."""

    def left_out(self, rows: Table) -> LeftOut | None:
        """What is predicted of rows that all count; None where it has to learn for each anew.

        What it chooses by all rows, as a temperature or a number of neighbours, may stay as it is.
        """
        ...


def left_out(learner: Learner, rows: Table) -> LeftOut | None:
    """The same of any learner; rows that are not sure are predicted by a model of all others.

    Parameters
    ----------
    learner
        What learns.
    rows
        Of known targets and weights above 0.

    Examples
    --------
    >>> from satsuma import Ridge
    >>> rows = Table.of([(float(x), 2.0 * x) for x in range(20)], ["x", "y"])
    >>> found = left_out(Ridge(l2=0), rows)
    >>> found.found[:3].round(6).tolist()
    [0.0, 2.0, 4.0]
    """
    if not isinstance(learner, PredictsLeftOut):
        return None
    if any(redefines(learner, each, "left_out") for each in _METHODS):
        return None
    found = learner.left_out(rows)
    if found is None or found.unsure.sum() > _FEW * len(rows):
        return None
    for row in np.flatnonzero(found.unsure):
        others = np.flatnonzero(np.arange(len(rows)) != row)
        found.found[row] = _predicted(learner(rows[others]), rows[row : row + 1])
    return found


def _predicted(model: Any, row: Table) -> Any:
    asked = fitted(row, model.domain, model.unseen)
    some = isinstance(model, Classifier)
    return probabilities_of(model, asked)[0] if some else numbers_of(model, asked)[0]
