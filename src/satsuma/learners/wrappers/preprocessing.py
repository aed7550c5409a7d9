"""Preprocessing before a learner, learned from the same rows, so inside every fold (no leakage)."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import ByName, FloatArray, Instance
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import ReadError, refuse
from satsuma.learners.explanation import Explanation
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model, Query, Regressor, Scale
from satsuma.learners.queries import fitted
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import DTYPES, Array, Floats
from satsuma.prepare.intervals import Intervals


class _AfterStep:
    """A model that is asked about rows once they are preprocessed.

    Parameters
    ----------
    model
        What was learned from the rows that were preprocessed.
    cuts
        By the name of a column of numbers that became one of intervals.
    """

    schema: ClassVar[Schema] = Schema(
        "cuts", model=Instance(Model), cuts=ByName(FloatArray("cuts"))
    )

    def check_cuts(self) -> None:
        """Raise a `ReadError` unless the cuts of each column are in order."""
        if any((np.diff(cuts) <= 0).any() for cuts in self.cuts.values()):
            raise ReadError("the cuts of a column are not in order")

    def __init__(self, model: Model, cuts: Mapping[str, Floats]) -> None:
        self.model, self.cuts = model, dict(cuts)

    def preprocessed(self, batch: Table) -> Table:
        """The rows as the model inside knows them."""
        attributes = [v.name for v in self.model.domain.attributes]
        kept = batch.select(attributes) if attributes else batch
        return fitted(Intervals(self.cuts)(kept), self.model.domain)

    @property
    def terms_of(self) -> Scale | None:
        """What those of the model inside sum to."""
        return self.model.terms_of

    def __str__(self) -> str:
        told = [repr(Intervals(self.cuts))] if self.cuts else []
        return "\n\n".join([*told, str(self.model)])


class PreprocessedClassifier(_AfterStep, Classifier):
    """A model of classes after a preprocessing step."""

    def check_state(self) -> None:
        """The model inside predicts the same classes."""
        super().check_state()
        self.check_inside(self.model)
        self.check_cuts()

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """The explanation of the model inside, where its terms are exact.

        The parameters are those of `Classifier.explain`.
        """
        if self.terms_of is None:
            return super().explain(query, value, against)
        row = self.preprocessed(self._rows(query))[0]
        return cast("Classifier", self.model).explain(row, value, against)

    def probabilities(self, batch: Table) -> Floats:
        """What the model inside says."""
        return cast("Classifier", self.model).probabilities(self.preprocessed(batch))

    def codes(self, batch: Table) -> Array:
        """What the model inside says."""
        return cast("Classifier", self.model).codes(self.preprocessed(batch))

    def chosen(self, probabilities: Floats) -> Array:
        """What the model inside says."""
        return cast("Classifier", self.model).chosen(probabilities)


class PreprocessedRegressor(_AfterStep, Regressor):
    """A model of numbers after a preprocessing step."""

    def check_state(self) -> None:
        """The model inside predicts numbers, too."""
        super().check_state()
        self.check_inside(self.model)
        self.check_cuts()

    def explain(self, query: Query) -> Explanation:
        """The explanation of the model inside, where its terms are exact."""
        if self.terms_of is None:
            return super().explain(query)
        return cast("Regressor", self.model).explain(self.preprocessed(self._rows(query))[0])

    def numbers(self, batch: Table) -> Floats:
        """What the model inside says."""
        return cast("Regressor", self.model).numbers(self.preprocessed(batch))


@dataclass(frozen=True)
class Step:
    """A preprocessing step: some attributes are kept, and some of these are cut."""

    names: tuple[str, ...]
    cuts: Mapping[str, Floats]

    def __call__(self, table: Table) -> Table:
        """The rows, prepared; columns of other roles stay as they are."""
        kept = [v.name for v in table.domain if v.role != "x" or v.name in self.names]
        return Intervals(self.cuts)(table.select(kept))


class PreprocessedSource:
    """A source whose batches are prepared on their way.

    Parameters
    ----------
    source
        Where the batches come from.
    step
        What is done to each.
    domain
        The columns that come of it.
    """

    def __init__(self, source: Source, step: Step, domain: Domain) -> None:
        self._source, self._step, self._domain = source, step, domain

    @property
    def domain(self) -> Domain:
        """The columns of every batch, prepared."""
        return self._domain

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, prepared, added up."""
        step = self._step  # the source itself does not go along to where the batches are
        return self._source.reduce(lambda batch: tally(step(batch)))


def takes_after_step(inner: Any) -> Takes:
    """What a learner takes with a step before it: one round more, unless it must have all rows."""
    known: Takes = inner.takes if isinstance(inner, Learner) else Takes(rounds="rows")
    return known if known.rounds == "rows" else replace(known, rounds="many")


@dataclass(kw_only=True, eq=False)
class Preprocessed(Learner):
    """A learner that learns a step from all rows first, and then another learner behind it."""

    learner: Learner

    #: A model is read as the one inside is.
    readable: ClassVar[Any] = property(lambda self: getattr(self.learner, "readable", False))

    @abstractmethod
    def looked_at(self, batch: Table) -> Any:
        """The tally that the step is learned from."""

    @abstractmethod
    def step(self, tally: Any) -> Step:
        """The step that follows from the tally of all rows."""

    def check(self) -> None:
        """The learner is one, with right parameters."""
        inner: Any = self.learner
        if not isinstance(inner, Learner):
            raise refuse(self, "learner", "a learner")
        inner.check()

    def learn(self, data: Table | Source) -> Model:
        """The step in one round, then the learner in as many as it takes."""
        step = self.step(reduce(data, self.looked_at))
        if isinstance(data, Table):
            model = self.learner(step(data))
        else:
            model = self.learner(
                PreprocessedSource(data, step, step(empty_table(data.domain)).domain)
            )
        kind = PreprocessedClassifier if isinstance(model, Classifier) else PreprocessedRegressor
        return kind(model, step.cuts)


def empty_table(domain: Domain) -> Table:
    """A table of some columns and no rows."""
    return Table(domain, [np.zeros(0, DTYPES[v.kind]) for v in domain], check=False)
