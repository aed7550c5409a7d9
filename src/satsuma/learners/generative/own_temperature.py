"""The temperature of a generative model, from rows that its tally has kept a sample of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.calibration.temperature_round import Losses, losses_of
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Floats, Integers
from satsuma.tallies.composite import Composite
from satsuma.tallies.held_out import by_name, held_out
from satsuma.tallies.row_sample import RowSample

if TYPE_CHECKING:
    from satsuma.learners.generative.block_learner import BlockLearner
    from satsuma.learners.generative.blocks import Assignment


class Calibration(NamedTuple):
    """All it takes to calibrate a model by a temperature.

    Parameters
    ----------
    learner
        What concludes from tallies.
    tally
        Of all rows, without the sample.
    sample
        Some of these rows, or all.
    """

    learner: "BlockLearner"
    tally: Composite
    sample: RowSample

    def temperature(self) -> float:
        """The temperature of rows in which every cell is known.

        The sample is dealt into folds, and each fold is predicted by what follows from the tally
        without it. The temperature has the least log loss; see `heat_of` for missing cells.
        """
        width, target = len(self.tally.domain.attributes), self.tally.domain.target
        assert target is not None, "the learner has checked that there is a target"
        labels = self.sample.rows.column(target.name)
        if width < 2 or len(np.unique(labels)) < 2:
            return 1.0
        kind = self.learner.assignment.unsampled()
        classes = by_name(labels, target.values)
        held = held_out(self.sample.hashes, classes, self.sample.weight).T
        found = [self._losses(kind, at, weight) for at, weight in enumerate(held) if weight.any()]
        return sum(found[1:], found[0]).best

    def _losses(self, kind: "Assignment", fold: int, weight: Floats) -> Losses:
        """The losses of rows of which some weight is held out, by a model of the rest."""
        model: Any = self.learner.model_without(self._rest(kind, weight), self.sample, fold)
        rows = self.sample.weighing(weight)
        asked = fitted(rows, model.domain, model.unseen)
        joint, right = model.log_joint(asked), rows.column(model.target.name)
        # What is impossible at any temperature says nothing of it.
        some = np.flatnonzero(np.isfinite(joint[np.arange(len(rows)), right]))
        known = known_cells(asked, model.evidence)[some]
        share = np.maximum(known - 1.0, 0.0) / (width_of(asked.domain, model.evidence) - 1)
        weights = rows.weights
        assert weights is not None
        return losses_of(joint[some], right[some], weights[some], share)

    def _rest(self, kind: "Assignment", weight: Floats) -> Composite:
        """The tally of all rows without what is held out; of the sample's where that fails."""
        if not self.sample.complete:
            try:
                return self.tally - kind.of(self.sample.weighing(weight))
            except SatsumaError:  # too few digits would be left
                pass
        return kind.of(self.sample.weighing(self.sample.weight - weight))


def heat_of(temperature: float, width: int) -> float:
    """What each known cell but the first adds to a temperature of 1.

    What a single column says is believed as it is. What columns repeat of each other grows with how
    many are known, so that a row of which half is missing is cooler.

    Examples
    --------
    >>> heat_of(4.0, 4)
    1.0
    """
    return (temperature - 1) / (width - 1) if width > 1 else 0.0


def indicators(evidence: Sequence[Any]) -> int:
    """How many columns there are of missing cells: whether a cell is missing is always known."""
    return sum(len(getattr(each, "informative", ())) for each in evidence)


def width_of(domain: Domain, evidence: Sequence[Any]) -> int:
    """How many cells of a row may be known: its attributes, and whether some are missing."""
    return len(domain.attributes) + indicators(evidence)


def known_cells(batch: Table, evidence: Sequence[Any]) -> Integers:
    """How many of these are known in each row."""
    found = np.full(len(batch), indicators(evidence), np.int64)
    for variable in batch.domain.attributes:
        found += ~batch.missing(variable.name)
    return found
