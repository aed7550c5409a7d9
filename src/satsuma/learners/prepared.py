"""Prepared: a learner behind a step that is learned from the same rows, inside every fold."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from satsuma.data.columns import Array, Floats
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.learners.capabilities import Takes, check_domain
from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.queries import fitted
from satsuma.prepare.intervals import Intervals


class _Behind:
    """A model that is asked about rows once they are prepared.

    Parameters
    ----------
    model
        What was learned from the rows that were prepared.
    cuts
        By the name of a column of numbers that became one of intervals.
    """

    def __init__(self, model: Model, cuts: Mapping[str, Floats]) -> None:
        self.model, self.cuts = model, dict(cuts)

    def prepared(self, batch: Table) -> Table:
        """The rows as the model inside knows them."""
        attributes = [v.name for v in self.model.domain.attributes]
        kept = batch.select(attributes) if attributes else batch
        return fitted(Intervals(self.cuts)(kept), self.model.domain)

    def __str__(self) -> str:
        told = [repr(Intervals(self.cuts))] if self.cuts else []
        return "\n\n".join([*told, str(self.model)])


class PreparedClassifier(_Behind, Classifier):
    """A model of classes behind a step."""

    def probabilities(self, batch: Table) -> Floats:
        """What the model inside says."""
        return cast("Classifier", self.model).probabilities(self.prepared(batch))

    def codes(self, batch: Table) -> Array:
        """What the model inside says."""
        return cast("Classifier", self.model).codes(self.prepared(batch))


class PreparedRegressor(_Behind, Regressor):
    """A model of numbers behind a step."""

    def numbers(self, batch: Table) -> Floats:
        """What the model inside says."""
        return cast("Regressor", self.model).numbers(self.prepared(batch))


@dataclass(frozen=True)
class Step:
    """What is done to rows: some attributes are kept, and some of these are cut."""

    names: tuple[str, ...]
    cuts: Mapping[str, Floats]

    def __call__(self, table: Table) -> Table:
        """The rows, prepared; columns of other roles stay as they are."""
        kept = [v.name for v in table.domain if v.role != "x" or v.name in self.names]
        return Intervals(self.cuts)(table.select(kept))


@dataclass(frozen=True)
class State:
    """How far learning has come: the step, then what the learner behind it knows."""

    domain: Domain
    step: Step | None = None
    inner: Any = None
    model: Model | None = None
    done: bool = False


def takes_behind(inner: Any, **changed: Any) -> Takes:
    """What a learner takes with a step before it: one round more, unless it must have all rows."""
    known: Takes = inner.takes if isinstance(inner, Learner) else Takes()
    rounds = changed.pop("rounds", "many" if known.rounds != "rows" else "rows")
    return replace(known, rounds=rounds, **changed)


@dataclass(kw_only=True, eq=False)
class Prepared(RoundsLearner):
    """A learner that learns a step in its first round, and then another learner behind it."""

    learner: Learner

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
            raise ParameterError(
                f"The 'learner' parameter of {type(self).__name__} must be a learner. "
                f"Got {inner!r} instead."
            )
        inner.check()

    def learn(self, data: Any) -> Model:
        """In rounds; all at once where the learner must have all rows."""
        if self.takes.rounds != "rows":
            return super().learn(data)
        step = self.step(self.looked_at(data))
        return self._model(self.learner(step(data)), step)

    def start(self, domain: Domain) -> State:
        """Before the step is known."""
        return State(domain)

    def tally(self, state: State, batch: Table) -> Any:
        """What the step is learned from, and then what the learner asks for."""
        if state.step is None:
            return self.looked_at(batch)
        inner: Any = self.learner
        more = () if isinstance(inner, TallyLearner) else (state.inner,)
        return inner.tally(*more, state.step(batch))

    def advance(self, state: State, tally: Any) -> State:
        """One round on."""
        inner: Any = self.learner
        if state.step is None:
            step = self.step(tally)
            domain = step(_no_rows(tally.domain)).domain
            check_domain(inner.takes, type(inner).__name__, domain)
            begun = None if isinstance(inner, TallyLearner) else inner.start(domain)
            state = replace(state, domain=domain, step=step, inner=begun)
        elif isinstance(inner, TallyLearner):
            return replace(state, model=cast("Any", inner).concluded(tally), done=True)
        else:
            state = replace(state, inner=inner.advance(state.inner, tally))
        return replace(state, done=begun_and_done(state.inner))

    def conclude(self, state: State) -> Model:
        """The model of the learner, behind the step."""
        assert state.step is not None
        model = state.model or cast("Any", self.learner).conclude(state.inner)
        if not hasattr(model, "domain"):
            model.domain = state.domain
        model.learner = replace(cast("Any", self.learner))
        return self._model(model, state.step)

    def _model(self, model: Model, step: Step) -> Model:
        kind = PreparedClassifier if isinstance(model, Classifier) else PreparedRegressor
        return kind(model, step.cuts)


def begun_and_done(inner: Any) -> bool:
    """Whether a learner of several rounds has come to its end."""
    return inner is not None and bool(inner.done)


def _no_rows(domain: Domain) -> Table:
    import numpy as np

    kinds: dict[str, Any] = {"num": np.float64, "sym": np.int32, "text": np.object_}
    return Table(domain, [np.zeros(0, kinds[v.kind]) for v in domain], check=False)
