"""The temperature of a generative model, from rows that its tally has kept a sample of."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.calibration.margins import held_out
from satsuma.learners.calibration.temperature_round import TRIED, Losses
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats, Integers
from satsuma.tallies.composite import Composite
from satsuma.tallies.row_sample import RowSample

if TYPE_CHECKING:
    from satsuma.learners.generative.blocks import Assignment
    from satsuma.learners.generative.naive_bayes import BlockLearner

#: How far a class can be shifted.
_FARTHEST = 30.0


class Tempering(NamedTuple):
    """By what the evidence of all columns is divided, and what is added to it then.

    Parameters
    ----------
    temperature
        Of rows of which all cells are known.
    shift
        By class, for such rows.
    """

    temperature: float
    shift: Floats


class Calibration(NamedTuple):
    """All it takes to calibrate a model.

    The sample is dealt into folds, and each fold is predicted by what follows from the tally
    without it. At each temperature classes are shifted so that the evidence says nothing on average
    over the rows: without that, what is said of rare classes would be too much or too little. The
    temperature is that of the least log loss.

    A row of which some cells are missing has a temperature nearer to 1, and a smaller shift, by the
    cells that are known beside the first: what a single column says is believed as it is, and where
    nothing is known the prior is left.

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

    def found(self) -> Tempering:
        """The temperature and the shifts."""
        domain, labels = self.tally.domain, np.zeros(0, np.int32)
        if domain.target is not None:
            labels = self.sample.rows.column(domain.target.name)
        nothing = Tempering(1.0, np.zeros(len(domain.target.values if domain.target else ())))
        if len(domain.attributes) < 2 or len(np.unique(labels)) < 2:
            return nothing
        kind = self.learner.assignment.uncalibrated()
        held = held_out(self.sample.hashes, labels, self.sample.weight).T
        rows = _Rows.joined([self._predicted(kind, weight) for weight in held if weight.any()])
        return rows.tempering() if len(rows.right) else nothing

    def _predicted(self, kind: "Assignment", weight: Floats) -> "_Rows":
        """Rows of which some weight is held out, by a model of the rest."""
        model: Any = self.learner.model_without(self._rest(kind, weight))
        rows = self.sample.weighing(weight)
        asked = fitted(rows, model.domain, model.unseen)
        said, right = model.log_evidence(asked), rows.column(model.target.name)
        with np.errstate(divide="ignore"):
            prior = np.broadcast_to(np.log(model.prior), said.shape)
        weights, known = rows.weights, known_cells(asked)
        assert weights is not None
        share = np.maximum(known - 1.0, 0.0) / (len(asked.domain.attributes) - 1)
        # What is impossible at any temperature says nothing of it.
        some = np.isfinite(said + prior)[np.arange(len(rows)), right]
        return _Rows(*(each[some] for each in (said, prior, right, weights, share)))

    def _rest(self, kind: "Assignment", weight: Floats) -> Composite:
        """The tally of all rows without what is held out; of the sample's where that fails."""
        if not self.sample.complete:
            try:
                return self.tally - kind.of(self.sample.weighing(weight))
            except SatsumaError:  # too few digits would be left
                pass
        return kind.of(self.sample.weighing(self.sample.weight - weight))


class _Rows(NamedTuple):
    """What models say of rows that they have not seen.

    Parameters
    ----------
    said, prior
        Rows by classes: the logarithms of evidence and prior.
    right
        The class of each row, as a code.
    weights
        What the rows weigh.
    share
        How much of the temperature, beyond 1, and of the shifts is that of the row.
    """

    said: Floats
    prior: Floats
    right: Array
    weights: Floats
    share: Floats

    @classmethod
    def joined(cls, parts: "list[_Rows]") -> "_Rows":
        """Those of several models."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    def tempering(self) -> Tempering:
        """The temperature of the least loss, and its shifts."""
        # Evidence as the logarithm of its ratio to that of all classes together.
        both = self.said + self.prior
        top = both.max(axis=1, keepdims=True)
        ratio = self.said - top - np.log(np.exp(both - top).sum(axis=1, keepdims=True))
        rows = self._replace(said=ratio)
        found = Losses(np.array([rows.loss(each) for each in np.exp(TRIED).tolist()])).best
        return Tempering(found, rows.shift(rows.heated(found)))

    def heated(self, temperature: float) -> Floats:
        """What is said at a temperature."""
        return self.said / (1 + (temperature - 1) * self.share)[:, None]

    def shift(self, heated: Floats) -> Floats:
        """By class, what has the evidence say nothing on average."""
        counts = np.isfinite(self.prior) * self.weights[:, None]
        mean = (counts * np.exp(heated)).sum(axis=0) / np.maximum(counts.sum(axis=0), 1e-300)
        share = float(self.weights @ self.share) / float(self.weights.sum())
        with np.errstate(divide="ignore"):
            shift = -np.log(np.where(counts.any(axis=0), mean, 1.0)) / max(share, 1e-300)
        return np.clip(shift, -_FARTHEST, _FARTHEST)

    def loss(self, temperature: float) -> float:
        """The log loss at a temperature."""
        heated = self.heated(temperature)
        scores = self.prior + heated + self.share[:, None] * self.shift(heated)
        top = scores.max(axis=1)
        total = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        return float(self.weights @ (total - scores[np.arange(len(scores)), self.right]))


def known_cells(batch: Table) -> Integers:
    """How many attributes of each row are known."""
    found = np.zeros(len(batch), np.int64)
    for variable in batch.domain.attributes:
        found += ~batch.missing(variable.name)
    return found
