"""Naive Bayes, and Generative: classifiers made of what each block of columns says of the class."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from functools import lru_cache, partial
from importlib import import_module
from operator import attrgetter
from typing import Any, ClassVar, Literal, cast

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, SatsumaError, check_choice, check_number, refuse
from satsuma.learners.estimator.sparse_rows import in_blocks
from satsuma.learners.generative.blocks import Assignment, BlockColumns
from satsuma.learners.generative.left_out import generative_left_out
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.own_prior import check_prior, estimated_prior, own_prior
from satsuma.learners.generative.own_temperature import Calibration
from satsuma.learners.generative.threshold import Scored, check_two_classes
from satsuma.learners.learner import TallyLearner
from satsuma.learners.left_out import LeftOut
from satsuma.learners.parameters import parameter_names
from satsuma.learners.takes import Takes
from satsuma.likelihoods.block import PriorBlock, SampleBlock
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.gaussian import Gaussian
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.composite import Composite
from satsuma.tallies.row_sample import RowSample

#: What numbers can be called, and where it is: imported when it is asked for.
NUMBERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "gaussian": ("gaussian", "Gaussian", {}),
    "kde": ("kde", "KDE", {}),
    "loess": ("loess", "Loess", {}),
    "mdl": ("binned", "Binned", {"method": "mdl"}),
    "auto": ("best_fit", "BestFit", {}),
    "any": ("best_fit", "BestFit", {"densities": True}),
}


#: What a block makes of rows that are kept, of some columns.
Sampled = Callable[[SampleBlock, tuple[str, ...]], Any]


@lru_cache(maxsize=64)
def _parameters(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What gives all parameters of a learner at once."""
    names = parameter_names(kind)
    if len(names) > 1:
        return attrgetter(*names)
    return lambda learner: tuple(getattr(learner, name) for name in names)


# Kept by class and parameters, of which it is a function: each batch of a stream asks for it.
@lru_cache(maxsize=256)
def _assignment(kind: type["BlockLearner"], parameters: tuple[Any, ...]) -> Assignment:
    made = kind(**dict(zip(parameter_names(kind), parameters, strict=True))).assign()
    made.check()  # what is refused is not kept: m=True equals m=1, which is fine
    return made


class BlockLearner(TallyLearner[Composite]):
    """What learners that are made of blocks share: `block_columns` says which blocks these are.

    Such a learner is a dataclass with ``eq=False, repr=False``. It may also have the parameters
    `prior`, `adjust_threshold` and `calibrate` of `Generative`.
    """

    # Without a type: what has one is a parameter of every class below this one.
    prior = cast("Any", None)
    adjust_threshold = False
    calibrate = False

    #: What the models are.
    model_kind: ClassVar[type[GenerativeModel]] = GenerativeModel

    @in_blocks
    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Rows by classes: the logarithm of the prior, and what the columns add to it.

        It is as the model believes, before probabilities are calibrated.
        """
        model, table = self.asked_rows(X)
        return cast("GenerativeModel", model).log_joint(table)

    @abstractmethod
    def block_columns(self) -> list[BlockColumns]:
        """The blocks, and the columns that each is to take."""

    def assign(self) -> Assignment:
        """What follows from the blocks, made anew."""
        rounds, blocks = "many" if self.adjust_threshold else "one", self.block_columns()
        sampled = self._calibrates(blocks) or any(isinstance(b.block, SampleBlock) for b in blocks)
        return Assignment(blocks, rounds, sampled=sampled)

    def _calibrates(self, blocks: Sequence[BlockColumns]) -> bool:
        """Whether models are calibrated, by rows that are kept."""
        # Where classes are more frequent than among the rows, other probabilities are right.
        own = isinstance(self.prior, Mapping)
        return bool(self.calibrate) and not own and not any(each.by_rows for each in blocks)

    @property
    def assignment(self) -> Assignment:
        """Which block takes which columns; kept for parameters that cannot change."""
        kind = type(self)
        try:
            return _assignment(kind, _parameters(kind)(self))
        except TypeError:  # one without a hash, such as a list, could change; one may be wrong
            return self.assign()

    @property
    def takes(self) -> Takes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What its blocks take; an adjusted threshold takes one round more."""
        return self.assignment.takes

    @property
    def tally_kind(self) -> Assignment:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Learners that differ in what they conclude, and not in what they tally, share it."""
        return self.assignment

    @property
    def finds_infinite(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether all blocks that take numbers refuse an infinite one."""
        return self.assignment.finds_infinite

    def check(self) -> None:
        """The parameters of every block are what they can be."""
        self.assignment.check()
        check_prior(self)
        check_choice(self, "adjust_threshold", (False, True))
        check_choice(self, "calibrate", (False, True))

    def check_data(self, data: Table | Source) -> None:
        """Raise if the parameters are wrong, or if this cannot be learned from, and say why."""
        super().check_data(data)
        self.assignment.check_columns(data.domain)
        if self.adjust_threshold:
            check_two_classes(self, data.domain)

    def _model_of(self, tally: Composite, data: Table | Source) -> Any:
        """The model that follows from a tally, or from the rows where these are needed too."""
        if self.takes.rounds == "one":
            return self.concluded(tally)
        model = self._model(tally, data if isinstance(data, Table) else None)
        model.domain = tally.domain
        if self.adjust_threshold:
            model.threshold = reduce(data, partial(Scored.of, model)).best()
        return model

    def conclude(self, tally: Composite) -> GenerativeModel:
        """The probability of each class, and what each block says."""
        if self.takes.rounds != "one":
            raise SatsumaError(f"{self!r} needs the rows, not a tally of them alone.")
        return self._model(tally, None)

    def model_without(self, tally: Composite, sample: RowSample, fold: int) -> GenerativeModel:
        """The model that follows from a tally without the rows of a fold, not calibrated."""

        def sampled(block: SampleBlock, columns: tuple[str, ...]) -> Any:
            return block.of_sample(sample, columns, fold)

        model = self._concluded(tally, None, sampled)
        model.domain = tally.domain
        return model

    def model_as(self, tally: Composite, before: Sequence[Any]) -> GenerativeModel:
        """The model that follows from a tally alone; what followed from a sample stays as it is."""

        def sampled(block: SampleBlock, columns: tuple[str, ...]) -> Any:
            mine = (each for each in before if isinstance(each, block.sampled_kinds))
            return [each for each in mine if {*each.names} <= {*columns}]

        model = self._concluded(tally, None, sampled)
        model.domain, model.learner = tally.domain, self._alike()
        return model

    def concluded_alike(self, tally: Composite, before: GenerativeModel) -> GenerativeModel | None:
        """The model that follows from a tally, with what another one of such rows has chosen.

        That is what followed from a sample of rows, its temperature too. None where there is no
        sample, or other values or classes are known.
        """
        if tally.get(RowSample) is None or tally.domain is not before.domain:
            return None
        model = self.model_as(tally.without(RowSample), before.evidence)
        model.keep_temperature_of(before)
        return model

    def _model(self, tally: Composite, table: Table | None) -> GenerativeModel:
        sample, rest = tally.get(RowSample), tally.without(RowSample)

        def sampled(block: SampleBlock, columns: tuple[str, ...]) -> Any:
            return [] if sample is None else block.of_sample(sample, columns)

        model = self._concluded(rest, table, sampled)
        if sample is not None:
            model.keep(
                Calibration(self, rest, sample), calibrate=self._calibrates(self.assignment.blocks)
            )
        return model

    def _concluded(
        self, tally: Composite, table: Table | None, sampled: Sampled
    ) -> GenerativeModel:
        prior, parts = self._estimated_prior(tally), iter(tally.parts)
        found: list[Any] = []
        for each in self.assignment.within(tally.domain):
            if each.by_rows:
                assert table is not None, "a source is refused"
                evidence = each.block.learn(each.within(table))
            elif isinstance(each.block, SampleBlock):
                mine = sampled(each.block, each.columns or ())
                evidence: Any = each.block.conclude(next(parts), mine)
            else:
                evidence = _said(each.block, next(parts), prior)
            if not isinstance(evidence, list):
                if not hasattr(evidence, "names"):
                    evidence.names = each.columns
                evidence = [evidence]
            found += evidence
        return self.model_kind(self._own_prior(tally.domain, prior), found, tally)

    def left_out(self, rows: Table) -> LeftOut | None:
        """What is predicted of rows by all others; see `PredictsLeftOut`."""
        if self.takes.rounds != "one":
            return None
        model = cast("GenerativeModel", self(rows))

        def prior_of(weight: Floats) -> Floats:
            return self._own_prior(rows.domain, self._estimated(weight))

        return generative_left_out(model, self.assignment, prior_of, rows)

    def _own_prior(self, domain: Domain, estimated: Floats) -> Floats:
        return own_prior(self.prior, domain, estimated)

    def _estimated_prior(self, tally: Composite) -> Floats:
        return self._estimated(
            next(part.class_weight for part in tally.parts if isinstance(part, ByClass))
        )

    def _estimated(self, weight: Floats) -> Floats:
        if not weight.sum() > 0:
            raise DomainError(
                f"{type(self).__name__} was given no row of a known class whose weight is not "
                f"zero. Give some rows a class and a weight."
            )
        return estimated_prior(self.prior, weight)


def concluded_alike(learner: Any, tally: Any, before: Any) -> GenerativeModel | None:
    """What `BlockLearner.concluded_alike` says; None of any other learner, or of one's own."""
    if not isinstance(learner, BlockLearner):
        return None
    if type(learner).conclude is not BlockLearner.conclude:
        return None
    return learner.concluded_alike(tally, before)


def _said(block: Any, tally: Any, prior: Floats) -> Any:
    return block.conclude(tally, prior) if isinstance(block, PriorBlock) else block.conclude(tally)


@dataclass(kw_only=True, eq=False, repr=False)
class Generative(BlockLearner):
    """Bayes' rule, with what you say of each column or block of columns.

    Blocks are independent given the class. A missing value says nothing.

    Parameters
    ----------
    blocks
        What each is, and for which columns. One that names no columns takes all of its kinds that
        no other names; the first of several does.
    prior
        The probability of each class by name, as ``{"yes": 0.1, "no": 0.9}``, where classes are
        not as frequent as among these rows; or how it is estimated from what their rows weigh:
        `RelativeFrequency` unless given, or `Laplace` or `MEstimate`.
    adjust_threshold
        Whether to predict the second of two classes from that probability on which has most of the
        rows right that are learned from, rather than from a half on. This takes a second round.
    calibrate
        Whether probabilities are calibrated, so that they are right as often as they say: columns
        repeat each other, and log-odds are divided by a temperature (Guo et al. 2017). The same
        classes are predicted, and what a single column says stays as it is. The temperature is
        found by up to 1,000 rows, each predicted by a model that has not seen it, when
        probabilities are first asked for. False is the naive Bayes of textbooks. A model with a
        block that needs all rows is not calibrated, nor one whose `prior` is given by name.

    Examples
    --------
    >>> from satsuma import Categorical, Gaussian, Generative, Table
    >>> days = Table.of([(30, "hot", "no"), (20, "mild", "yes")], ["heat", "temp", "play"])
    >>> model = Generative(blocks=[Gaussian(), Categorical(m=1)])(days)
    >>> model(days[0])
    'no'
    """

    blocks: Sequence[Any] = (Gaussian(), Categorical())
    prior: Any = field(default=None, repr=False)
    adjust_threshold: bool = field(default=False, repr=False)
    calibrate: bool = field(default=True, repr=False)

    def block_columns(self) -> list[BlockColumns]:
        """The blocks, and the columns that each names."""
        return [BlockColumns.of(each, self, "blocks") for each in self.blocks]


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayes(BlockLearner):
    """Bayes' rule, taking columns as independent given the class.

    A missing value says nothing: it is skipped in counting and in predicting. So does a value that
    was never seen in learning, and a number in a class that has no known number in its column.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows spread over all values of its column:
        P(value | class) = (rows of the class with the value + m / values) / (rows of the class
        where the column is known + m) (Cestnik 1990). At 0, a value that was not seen with a class
        vetoes it; a row that is vetoed for every class gets the prior.
    number
        What numbers are to a class: ``gaussian``, ``kde`` (a sum of kernels), ``loess`` (a smooth
        curve of the probability of the class), ``mdl`` (intervals that tell classes apart; Fayyad
        and Irani 1993), ``auto`` (for each column a Gaussian or such intervals, whichever is least
        wrong about rows that were not learned from), ``any`` (the same, with ``kde`` among them; it
        takes longer to learn), or a block. ``gaussian`` is the naive Bayes of textbooks.
    symbol
        The block for symbols; ``Categorical(m=m)`` unless given.
    columns
        A block for single columns, by name.
    prior
        The probability of each class by name, as ``{"yes": 0.1, "no": 0.9}``, where classes are
        not as frequent as among these rows; or how it is estimated from what their rows weigh:
        `RelativeFrequency` unless given, or `Laplace` or `MEstimate`.
    adjust_threshold
        Whether to predict the second of two classes from that probability on which has most of the
        rows right that are learned from, rather than from a half on. This takes a second round.
    calibrate
        Whether probabilities are calibrated, so that they are right as often as they say: columns
        repeat each other, and log-odds are divided by a temperature (Guo et al. 2017). The same
        classes are predicted, and what a single column says stays as it is. The temperature is
        found by up to 1,000 rows, each predicted by a model that has not seen it, when
        probabilities are first asked for. False is the naive Bayes of textbooks. A model with a
        block that needs all rows is not calibrated, nor one whose `prior` is given by name.

    Notes
    -----
    ``symbol=Categorical(rows="all")`` divides by all rows of the class, also those where the value
    is missing. See `Gaussian` for the spread of numbers. Up to 1,000 rows are kept in learning, to
    choose between Gaussians and intervals and to calibrate by; of more, the Gaussians are those of
    all rows, and the intervals those of the rows that are kept. Fewer than 30 rows have Gaussians,
    and a column that is better not believed at all says nothing.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Table
    >>> days = Table.of([("hot", "no"), ("mild", "yes")], ["temp", "play"])
    >>> model = NaiveBayes(m=1)(days)
    >>> model(days[0])
    'no'
    >>> model.likelihood("temp", "hot", given="no")
    0.75
    """

    m: float = 2.0
    number: Literal["gaussian", "kde", "loess", "mdl", "auto", "any"] | Any = field(
        default="auto", repr=False
    )
    symbol: Any = field(default=None, repr=False)
    columns: Mapping[str, Any] | None = field(default=None, repr=False)
    prior: Any = field(default=None, repr=False)
    adjust_threshold: bool = field(default=False, repr=False)
    calibrate: bool = field(default=True, repr=False)
    readable: ClassVar[bool] = True

    def block_columns(self) -> list[BlockColumns]:
        """A block for single columns, for the rest of the numbers, and for that of the symbols."""
        symbol = Categorical(m=self.m) if self.symbol is None else self.symbol
        return [
            *self._named(),
            self._of_kind(self._number(), "number", "num"),
            self._of_kind(symbol, "symbol", "sym"),
        ]

    def _number(self) -> Any:
        """The block for numbers, by its name or as it is given."""
        if not isinstance(self.number, str):
            return self.number
        if self.number not in NUMBERS:
            raise refuse(self, "number", f"one of {', '.join(map(repr, NUMBERS))}, or a block")
        module, name, parameters = NUMBERS[self.number]
        return getattr(import_module(f"satsuma.likelihoods.{module}"), name)(**parameters)

    def _of_kind(self, block: Any, parameter: str, kind: str) -> BlockColumns:
        made = BlockColumns.of(_anywhere(block), self, parameter)
        if kind not in made.kinds:
            raise refuse(self, parameter, f"a block that takes columns of kind {kind!r}")
        return BlockColumns(made.block, None, (kind,))

    def _named(self) -> list[BlockColumns]:
        """Columns that have equal blocks go to one."""
        found: list[tuple[BlockColumns, list[str]]] = []
        given: Any = self.columns
        if not isinstance(given, Mapping | None):
            raise refuse(self, "columns", "a block by column, as {'age': KDE()}")
        for name, block in (self.columns or {}).items():
            made = BlockColumns.of(_anywhere(block), self, "columns")
            names = next((names for each, names in found if each == made), None)
            if names is None:
                found.append((made, [name]))
            else:
                names.append(name)
        return [BlockColumns(each.block, tuple(names), each.kinds) for each, names in found]

    def check(self) -> None:
        """The weight of the prior is a number from 0 on, and there are blocks for the rest."""
        check_number(self, "m", low=0)
        super().check()


def _anywhere(block: Any) -> Any:
    """The same block without columns of its own: others say what its columns are."""
    if is_dataclass(block) and not isinstance(block, type) and getattr(block, "columns", None):
        return replace(cast("Any", block), columns=None)
    return block
