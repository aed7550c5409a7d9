"""Target rows: the rows of a batch that can be learned from, with what they are to predict."""

from typing import NamedTuple

import numpy as np

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats, Hashes
from satsuma.tallies.content_hashes import training_hashes


class Rows(NamedTuple):
    """The rows of a batch that are learned from, with what they are to predict and weights."""

    batch: Table
    variable: Variable
    target: Array
    weights: Floats | None

    def hashes(self) -> Hashes:
        """A number for each row that depends on what is in it alone."""
        return training_hashes(self.batch)


def rows_of(batch: Table, seen: Array | None = None) -> Rows:
    """The rows with a target and a weight; classes as places among those that were seen."""
    variable, weights = batch.domain.target, batch.weights
    assert variable is not None, "the learner has checked that there is a target"
    keep = ~batch.missing(variable.name)
    if weights is not None:
        keep &= weights > 0
    if not keep.all():
        at = np.flatnonzero(keep)
        batch, weights = batch[at], None if weights is None else weights[at]
    target: Array = batch.column(variable.name)
    if seen is not None and variable.kind == "sym":
        place = np.zeros(len(variable.values), np.intp)
        place[seen] = np.arange(len(seen))
        target = place[target]
    return Rows(batch, variable, target, weights)
