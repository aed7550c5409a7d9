"""Learner: the contract. A learner is a set of parameters; it is called with data."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from inspect import Signature, signature
from typing import Any, ClassVar, Generic, Self, TypeGuard, TypeVar, cast

from satsuma.data.table import Table
from satsuma.engines import Source, is_source, reduce
from satsuma.errors import DomainError, ParameterError, hint
from satsuma.learners.checked_source import Checked, refuse_source
from satsuma.learners.estimator.api import Verbs
from satsuma.learners.model import Model
from satsuma.learners.takes import Takes, check_domain, check_rows, check_total
from satsuma.tallies.base import Tally

T = TypeVar("T", bound=Tally)


def _on_the_way(learn: Callable[[Any, Any], Model]) -> Callable[[Any, Any], Model]:
    """A `learn` that checks the rows of a source as they come."""

    @wraps(learn)
    def checking(self: "Learner", data: Any) -> Model:
        tables = self.takes.rounds == "stream" and not is_source(data)  # one after the other
        return learn(self, data if isinstance(data, Table) or tables else Checked.of(self, data))

    return checking


class _Callable(ABCMeta):
    """``Learner(data, **parameters)`` beside ``Learner(**parameters)(data)``.

    A learner in the place of the data is the parameter `learner`, and a list the parameter
    `learners`.
    """

    def __call__(cls, data: Any = None, /, **parameters: Any) -> Any:
        kind: Any = cls
        known = [each.name for each in fields(kind)] if is_dataclass(kind) else []
        if isinstance(data, Learner) and "learner" in known:  # the learner inside this one
            data, parameters = None, {"learner": data, **parameters}
        if isinstance(data, list) and "learners" in known:
            data, parameters = None, {"learners": data, **parameters}
        for name in parameters:
            if name not in known:
                raise ParameterError(
                    f"{cls.__name__} has no parameter {name!r}. {hint(name, known)}"
                )
        learner = super().__call__(**parameters)
        return learner if data is None else learner(data)

    @property
    def __signature__(cls) -> Signature:
        # The parameters alone: scikit-learn takes whatever it finds here for one.
        known = signature(cls.__init__).parameters.values()
        return Signature([each for each in known if each.name != "self"])


class Learner(Verbs, metaclass=_Callable):
    """Something that learns a model from a table.

    A learner of your own is a dataclass (``@dataclass(kw_only=True, eq=False)``) whose fields
    are its parameters, with a `learn` that takes a table, or better one of `TallyLearner` and
    `RoundsLearner`, which learn from anything that can be reduced in batches. It says in `takes`
    what it takes, and checks its parameters in `check`.

    Examples
    --------
    A learner that remembers the first row, and says the same of every other:

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from satsuma.learners.model import Classifier
    >>> class First(Classifier):
    ...     def __init__(self, code):
    ...         self.code = code
    ...
    ...     def probabilities(self, batch):
    ...         return np.eye(len(self.classes))[np.full(len(batch), self.code)]
    >>> @dataclass(kw_only=True, eq=False)
    ... class Stubborn(Learner):
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

    #: The rounds of a class whose `takes` does not say.
    rounds_unless_said: ClassVar[str] = "rows"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if isinstance(vars(cls).get("takes"), Takes):
            cls.takes = cls.takes.within(cls)
        if "learn" in vars(cls):
            type.__setattr__(cls, "learn", _on_the_way(vars(cls)["learn"]))

    def __call__(self, data: Table | Source) -> Any:
        """Learn; the same as `learn`, with everything checked first."""
        if isinstance(data, Table) or not is_source(data):
            self.check_data(data)  # a source is checked on the way
        if isinstance(data, Table):
            check_total(type(self).__name__, data)
        return self._bound(self.learn(data), data)

    @abstractmethod
    def learn(self, data: Any) -> Model:
        """Learn a model from rows that have been checked."""

    def check(self) -> None:
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""

    def check_data(self, data: Table | Source) -> None:
        """Raise if the parameters are wrong, or if this cannot be learned from, and say why."""
        self.check()
        given: Any = data
        if not (isinstance(given, Table) or is_source(given)):
            raise DomainError(
                f"{type(self).__name__} learns from a table or a source of rows, not from a "
                f"{type(given).__name__}. Make a table of it: satsuma.read(…, target=…)."
            )
        check_domain(self.takes, type(self).__name__, data.domain)
        if isinstance(data, Table):
            check_rows(self.takes, type(self).__name__, data)
        else:
            refuse_source(self)

    def _bound(self, model: Model, data: Table | Source) -> Model:
        if not hasattr(model, "domain"):
            model.domain = data.domain
        model.learner = self._alike()
        if isinstance(data, Table):
            model.keep_sample(data)
        return model

    def _alike(self) -> Self:
        # A learner can be given other parameters later; those of a model must not change.
        return replace(cast("Any", self))


class TallyLearner(Learner, Generic[T]):
    """A learner of one round: all it needs to know of the rows is one tally.

    Write `tally` and `conclude`; the rest follows: learning from tables, files and clusters,
    exact cross-validation in one pass, weights, `partial_fit`.

    Examples
    --------
    The shares of the classes, whatever the row:

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from satsuma.learners.model import Classifier
    >>> from satsuma.tallies import ClassCounts
    >>> class Shares(Classifier):
    ...     def __init__(self, shares):
    ...         self.shares = shares
    ...
    ...     def probabilities(self, batch):
    ...         return np.tile(self.shares, (len(batch), 1))
    >>> @dataclass(kw_only=True, eq=False)
    ... class Sharing(TallyLearner):
    ...     def tally(self, batch):
    ...         return ClassCounts.of(batch)
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
    rounds_unless_said: ClassVar[str] = "one"

    #: What makes the tally, where `tally` is no more than its `of`: then all folds of a
    #: cross-validation are tallied in one pass, and learners with an equal kind share it. It says
    #: nothing of a subclass that has a `tally` of its own.
    tally_kind: ClassVar[Any] = None

    @abstractmethod
    def tally(self, batch: Table) -> T:
        """All that is to be known of a batch of rows."""

    @abstractmethod
    def conclude(self, tally: T) -> Model:
        """The model that follows from a tally."""

    def learn(self, data: Table | Source) -> Model:
        """Reduce the rows to a tally, and conclude.

        A subclass with a `learn` of its own is one that does not learn from a tally alone.
        """
        return self._model_of(reduce(data, self.tally), data)

    def _model_of(self, tally: T, data: Table | Source) -> Model:  # noqa: ARG002 - for subclasses
        return self.concluded(tally)

    def concluded(self, tally: T) -> Model:
        """The model that follows from a tally, with its columns and its learner set."""
        model = self.conclude(tally)
        model.domain = tally.domain
        model.learner = self._alike()
        return model

    def in_one_round(self) -> bool:
        """Whether a tally is all it needs, as its parameters are and as its class learns."""
        kind: Any = type(self)
        plain = kind.learn is TallyLearner.learn and kind.__call__ is Learner.__call__
        return plain and self.takes.rounds == "one"


def learns_in_one_round(learner: Learner) -> TypeGuard[TallyLearner[Any]]:
    """Whether all that a learner, with the parameters that it has, needs of rows is one tally."""
    return isinstance(learner, TallyLearner) and learner.in_one_round()


class RoundsLearner(Learner):
    """A learner of several rounds: each one tallies all rows, given what the last one found.

    A state has an attribute `done`. Write `start`, `tally`, `advance` and `conclude`.

    Examples
    --------
    Half of the range of a number, found in two rounds: first the least, then how far the
    others are above it.

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from satsuma.learners.model import Regressor
    >>> from satsuma.tallies import Num
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
    >>> @dataclass(kw_only=True, eq=False)
    ... class Middling(RoundsLearner):
    ...     takes = Takes(target="number", rounds="many")
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
    rounds_unless_said: ClassVar[str] = "many"

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
        state = self.start(data.domain)
        while not state.done:
            before = state
            state = self.advance(before, reduce(data, lambda batch: self.tally(before, batch)))
        return self.conclude(state)
