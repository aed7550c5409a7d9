"""Select: feature selection before a learner, by a measure of each attribute."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import ParameterError, check_choice, check_number
from satsuma.learners.takes import Takes, TakesBy
from satsuma.learners.wrappers.preprocessing import Preprocessed, Step, takes_after_step
from satsuma.measures.attribute_scores import (
    COUNTED,
    MEASURES,
    MEASURES_OF_NUMBERS,
    USUAL,
    AttributeScores,
    score_attributes,
    scores_of,
    target_kind,
)


def _takes(learner: Any) -> Takes:
    known = takes_after_step(learner.learner)
    measure = learner.measure
    of_numbers = measure in MEASURES_OF_NUMBERS and measure != "relief"
    target = "classes" if measure in MEASURES else "number" if of_numbers else known.target
    counted = measure in MEASURES or (measure is None and target == "classes")
    rounds = known.rounds if counted else "rows"
    weights = known.weights and measure != "mutual_information"
    return replace(known, target=target, rounds=rounds, weights=weights)


@dataclass(frozen=True)
class _Scored:
    """What is known once all rows were looked at, where a measure needs them all."""

    domain: Any
    scores: AttributeScores


@dataclass(kw_only=True, eq=False)
class Select(Preprocessed):
    """Feature selection: a learner learns from the best attributes by a measure.

    They are chosen from the rows that the learner learns from, so inside each fold of a
    cross-validation: there is no leakage. At least one is kept. Text is not scored, and kept.

    Parameters
    ----------
    learner
        Any learner that predicts something; it may stand first, without its name.
    measure
        As in `satsuma.measures.score_attributes`: the usual one of the target unless given.
    n
        How many to keep.
    threshold
        Keep those that score as much. At least one of the two is to be given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import NaiveBayes, Select
    >>> model = Select(NaiveBayes(), n=2)(satsuma.load("iris"))
    >>> [v.name for v in model.model.domain.attributes]
    ['Petal.Length', 'Petal.Width']
    """

    measure: str | None = None
    n: int | None = None
    threshold: float | None = None

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner, a known measure, and how many to keep."""
        super().check()
        if self.measure is not None:
            check_choice(self, "measure", [*MEASURES, *MEASURES_OF_NUMBERS])
        if self.n is None and self.threshold is None:
            raise ParameterError(
                "Select needs to know how many attributes to keep, or how much each must score: "
                "Select(learner, n=10), Select(learner, threshold=0.01)."
            )
        if self.n is not None:
            check_number(self, "n", low=1, whole=True)
        if self.threshold is not None:
            check_number(self, "threshold")

    def _measure(self, domain: Domain) -> str:
        return self.measure or USUAL[target_kind(domain)]

    def looked_at(self, batch: Table) -> Any:
        """Counts and values; the scores themselves where a measure needs all rows."""
        if self._measure(batch.domain) in MEASURES:
            return COUNTED.of(batch)
        return _Scored(batch.domain, score_attributes(batch, self.measure))

    def step(self, tally: Any) -> Step:
        """The best attributes, in the order of the columns."""
        if isinstance(tally, _Scored):
            scores = tally.scores
        else:
            scores = scores_of(tally, self._measure(tally.domain))
        best = scores.best(self.n, self.threshold) or scores.best(1)
        known = tally.domain.attributes
        kept = tuple(v.name for v in known if v.name in best or v.kind == "text")
        return Step(kept, {})
