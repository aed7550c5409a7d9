"""Learner: the contract. A learner is a set of parameters; it is called with data."""

from abc import abstractmethod
from typing import Any, ClassVar, Generic, Self, TypeGuard, TypeVar

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.weights import with_weights
from satsuma.engines import Source, is_source, reduce
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import ContractError, DomainError, described
from satsuma.learners.checked_source import Checked, refuse_source
from satsuma.learners.estimator.api import EstimatorAPI
from satsuma.learners.model import Model
from satsuma.learners.parameters import LearnerMeta, parameter_values, parameters_text
from satsuma.learners.takes import Takes, check_domain, check_rows, check_total
from satsuma.tallies.base import Tally

T = TypeVar("T", bound=Tally)


class Learner(EstimatorAPI, metaclass=LearnerMeta):
    """Something that learns a model from a table.

    A learner of your own is a class whose fields are its parameters (it becomes a keyword-only
    dataclass by itself, unless it has an `__init__` of its own), with a `learn` that takes a
    table, or better one of `TallyLearner` and `RoundsLearner`, which learn from anything that can
    be reduced in batches. It says in `takes` what it takes, and checks its parameters in `check`.

    Examples
    --------
    A learner that remembers the first row, and says the same of every other:

    >>> import numpy as np
    >>> from satsuma import Learner, Table
    >>> from satsuma.extend import Classifier
    >>> class First(Classifier):
    ...     def __init__(self, code):
    ...         self.code = code
    ...
    ...     def probabilities(self, batch):
    ...         return np.eye(len(self.classes))[np.full(len(batch), self.code)]
    >>> class Stubborn(Learner):
    ...     def learn(self, data):
    ...         return First(data.column(data.domain.target.name)[0])
    >>> days = Table.of([("hot", "no"), ("mild", "yes")], ["temp", "play"])
    >>> Stubborn(days)({"temp": "mild"})
    'no'
    """

    takes: ClassVar[Takes] = Takes(rounds="rows")

    #: Whether learning and predicting refuse an infinite number by themselves. If not, the verbs
    #: look for one first, which reads the array once more.
    finds_infinite: ClassVar[bool] = False

    #: Whether its model can be read on a page: `print` shows all that it knows.
    readable: ClassVar[bool] = False

    #: The rounds of a class whose `takes` does not say.
    default_rounds: ClassVar[str] = "rows"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        takes = vars(cls).get("takes")
        if isinstance(takes, Takes):
            cls.takes = takes.within(cls)
        elif takes is not None and not hasattr(takes, "__get__"):
            raise ContractError(
                f'{cls.__name__}.takes is {described(takes)}. Make it Takes(kinds=("sym",)), or '
                f"what else it takes."
            )

    def __call__(self, data: Table | Source, *, weights: Any = None) -> Any:
        """Learn from a table, or from a source whose rows are checked as they come.

        Parameters
        ----------
        data
            The rows.
        weights
            What the rows of a table weigh: a number for each, or the name of a column.
        """
        data = data if weights is None else self._weighted(data, weights)
        data = self.with_time_features(data)
        if isinstance(data, Table):
            self.check_data(data)
            check_total(type(self).__name__, data)
            return self._bound(self.learn(data), data)
        source = Checked.of(self, data)
        return self._bound(self.learn(source), source)

    @abstractmethod
    def learn(self, data: Any) -> Model:
        """Learn a model from rows that are checked. Write it; call the learner to learn."""

    def check(self) -> None:
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""

    def check_data(self, data: Table | Source) -> None:
        """Raise if the parameters are wrong, or if this cannot be learned from, and say why."""
        self.check()
        given: Any = data
        if not (isinstance(given, Table) or is_source(given)):
            raise DomainError(
                f"{type(self).__name__} learns from a table or a source of rows, not from "
                f"{described(given)}. Make a table of it: satsuma.read(…, target=…). "
                f"Parameters are given by name."
            )
        check_domain(self.takes, type(self).__name__, data.domain)
        if isinstance(data, Table):
            check_rows(self.takes, type(self).__name__, data)
        else:
            refuse_source(self)

    def with_time_features(self, data: Any) -> Any:
        """What is learned from: features of times instead of times, of the kinds that it takes."""
        known = isinstance(data, Checked) or not (isinstance(data, Table) or is_source(data))
        if known:
            return data
        takes = self.takes
        unlabelled = takes.unlabelled or takes.target == "nothing"
        return with_time_features(data, takes.kinds, unlabelled=unlabelled)

    def _weighted(self, data: Any, weights: Any) -> Table:
        if not self.takes.weights:
            raise DomainError(
                f"{type(self).__name__} does not take weights. Leave weights= out, or use another "
                f"learner."
            )
        if not isinstance(data, Table):
            raise DomainError(
                "weights= goes with a table. A source has a column of weights: "
                "satsuma.scan(…, roles={'w': 'weight'})."
            )
        return with_weights(data, weights)

    def _bound(self, model: Model, data: Table | Source) -> Model:
        self._check_model("learn", model)
        if not hasattr(model, "domain"):
            model.domain = data.domain
        model.learner = self._alike()
        if isinstance(data, Table):
            model.keep_sample(data)
        return model

    def _check_model(self, method: str, model: object) -> None:
        if not isinstance(model, Model):
            raise ContractError(
                f"{type(self).__name__}.{method} returned {described(model)}, not a model. Return "
                f"an instance of a Classifier, a Regressor or a Clusterer."
            )

    def _alike(self) -> Self:
        # A learner can be given other parameters later; those of a model must not change.
        return type(self)(**parameter_values(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({parameters_text(self)})"

    def _repr_html_(self) -> str:
        from satsuma.data.grids import grid_html

        about = (type(self).__doc__ or "").strip().split("\n")[0]
        lines = [[name, repr(value)] for name, value in parameter_values(self).items()]
        head = f"{type(self).__name__}: {about}" if about else type(self).__name__
        return grid_html(head, [["parameter", "value"], *lines], (0, 1))


class TallyLearner(Learner, Generic[T]):
    """A learner of one round: all it needs to know of the rows is one tally.

    Name the kind of tally in `tally_kind`, and write `conclude`; the rest follows: learning from
    tables, files and clusters, exact cross-validation in one pass, weights, `partial_fit`. Where
    no kind will do, write `tally` instead.

    Examples
    --------
    The shares of the classes, whatever the row:

    >>> import numpy as np
    >>> from satsuma import Table, TallyLearner
    >>> from satsuma.extend import ClassCounts, Classifier
    >>> class Shares(Classifier):
    ...     def __init__(self, shares):
    ...         self.shares = shares
    ...
    ...     def probabilities(self, batch):
    ...         return np.tile(self.shares, (len(batch), 1))
    >>> class Sharing(TallyLearner):
    ...     tally_kind = ClassCounts
    ...
    ...     def conclude(self, tally):
    ...         return Shares(tally.class_weight / tally.class_weight.sum())
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], ["temp", "play"])
    >>> Sharing(days)(days[0])
    'no'
    >>> Sharing().partial_fit([["hot"]], ["no"]).partial_fit([["mild"]], ["no"]).predict([["hot"]])
    array(['no'], dtype='<U2')
    """

    takes: ClassVar[Takes] = Takes(rounds="one")
    default_rounds: ClassVar[str] = "one"

    #: What makes the tally: a class of tallies, or anything with their `zero`, `of` and `by_fold`.
    #: All folds of a cross-validation are tallied by it in one pass, and learners of an equal kind
    #: share it.
    tally_kind: ClassVar[Any] = None

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        own = vars(cls)
        if "tally" in own and "tally_kind" in own:
            raise ContractError(
                f"{cls.__name__} defines `tally` and `tally_kind`. Write one of them: the kind "
                f"alone makes the tally."
            )
        kind = own.get("tally_kind")
        if kind is not None and not hasattr(kind, "of") and not hasattr(kind, "__get__"):
            raise ContractError(
                f"{cls.__name__}.tally_kind is {described(kind)}. Name a class of tallies, such as "
                f"ClassCounts, or several together: Composite.of_kinds(ClassCounts, Moments)."
            )
        if "tally_kind" in own:  # whatever `tally` an ancestor has written
            type.__setattr__(cls, "tally", TallyLearner.tally)

    def tally(self, batch: Table) -> T:
        """All that is to be known of a batch of rows."""
        if self.tally_kind is None:
            raise ContractError(
                f"{type(self).__name__} has no tally. Name its kind, as in tally_kind = "
                f"ClassCounts, or write a method `tally`."
            )
        return self.tally_kind.of(batch)

    @abstractmethod
    def conclude(self, tally: T) -> Model:
        """The model that follows from a tally."""

    def learn(self, data: Table | Source) -> Model:
        """Reduce the rows to a tally, and conclude.

        A subclass with a `learn` of its own is one that does not learn from a tally alone.
        """
        return self._model_of(reduce(data, self.checked_tally), data)

    @property
    def shared_kind(self) -> Any:
        """`tally_kind`, unless the class writes a `tally`, which may do anything."""
        return self.tally_kind if type(self).tally is TallyLearner.tally else None

    def checked_tally(self, batch: Table) -> T:
        """The tally of a batch, once it is sure that there is one."""
        tally: Any = self.tally(batch)
        if tally is None:
            raise ContractError(
                f"{type(self).__name__}.tally returned None. Return a tally of the batch, such as "
                f"ClassCounts.of(batch)."
            )
        return tally

    def _model_of(self, tally: T, data: Table | Source) -> Model:  # noqa: ARG002 - for subclasses
        return self.concluded(tally)

    def concluded(self, tally: T) -> Model:
        """The model that follows from a tally, with its columns and its learner set."""
        model = self.conclude(tally)
        self._check_model("conclude", model)
        model.domain = tally.domain
        model.learner = self._alike()
        return model

    def in_one_round(self, domain: Domain | None = None) -> bool:  # noqa: ARG002 - for subclasses
        """Whether a tally is all it needs, as its parameters are and as its class learns.

        Parameters
        ----------
        domain
            The columns of the rows, where that depends on them; any that it takes unless given.
        """
        kind: Any = type(self)
        plain = kind.learn is TallyLearner.learn and kind.__call__ is Learner.__call__
        return plain and self.takes.rounds == "one"

    def check_one_round(self, domain: Domain) -> None:
        """Raise if a tally of rows with such columns is not all it needs."""
        if not self.in_one_round(domain):
            raise DomainError(f"{self!r} needs all rows to learn anew, not a tally of some.")


def learns_in_one_round(
    learner: Learner, domain: Domain | None = None
) -> TypeGuard[TallyLearner[Any]]:
    """Whether all that a learner, with the parameters that it has, needs of rows is one tally.

    Parameters
    ----------
    learner
        What learns.
    domain
        The columns of the rows; any that it takes unless given.
    """
    return isinstance(learner, TallyLearner) and learner.in_one_round(domain)


class RoundsLearner(Learner):
    """A learner of several rounds: each one tallies all rows, given what the last one found.

    A state has an attribute `done`. Write `start`, `tally`, `advance` and `conclude`.

    Examples
    --------
    Half of the range of a number, found in two rounds: first the least, then how far the
    others are above it.

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from satsuma import RoundsLearner, Table
    >>> from satsuma.extend import Num, Regressor
    >>> from satsuma.extend import Takes
    >>> @dataclass
    ... class State:
    ...     low: float | None = None
    ...     above: float | None = None
    ...
    ...     @property
    ...     def done(self):
    ...         return self.above is not None
    >>> class Middle(Regressor):
    ...     def __init__(self, middle):
    ...         self.middle = middle
    ...
    ...     def numbers(self, batch):
    ...         return np.full(len(batch), self.middle)
    >>> class Middling(RoundsLearner):
    ...     takes = Takes(target="number")
    ...
    ...     def start(self, domain):
    ...         return State()
    ...
    ...     def tally(self, state, batch):
    ...         numbers = batch.column(batch.domain.target.name)
    ...         return Num().add(numbers if state.low is None else numbers - state.low)
    ...
    ...     def advance(self, state, tally):
    ...         return State(tally.lo) if state.low is None else State(state.low, tally.hi)
    ...
    ...     def conclude(self, state):
    ...         return Middle(state.low + state.above / 2)
    >>> Middling(Table.of([(1, 10), (2, 20), (3, 12)], ["x", "y"]))({"x": 5})
    15.0
    """

    takes: ClassVar[Takes] = Takes(rounds="many")
    default_rounds: ClassVar[str] = "many"

    @abstractmethod
    def start(self, domain: Any) -> Any:
        """The state before the first round."""

    @abstractmethod
    def tally(self, state: Any, batch: Table) -> Any:
        """All that this round is to know of a batch of rows."""

    @abstractmethod
    def advance(self, state: Any, tally: Any) -> Any:
        """The state after a round."""

    @abstractmethod
    def conclude(self, state: Any) -> Model:
        """The model that follows from the last state."""

    def learn(self, data: Table | Source) -> Model:
        """Go on in rounds until the state is done, and conclude."""
        state = self._state("start", self.start(data.domain))
        while not state.done:
            before = state
            tally = reduce(data, lambda batch: self.tally(before, batch))
            state = self._state("advance", self.advance(before, tally))
        return self.conclude(state)

    def _state(self, method: str, state: Any) -> Any:
        if not hasattr(state, "done"):
            raise ContractError(
                f"{type(self).__name__}.{method} returned {described(state)}. Return a state: "
                f"an object whose attribute `done` says whether it was the last round."
            )
        return state
