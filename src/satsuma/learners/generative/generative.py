"""Generative: a classifier made of what each block of columns says about the class."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, cast

from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, SatsumaError
from satsuma.errors.parameter_checks import check_choice, refuse
from satsuma.learners.generative.blocks import Assignment, BlockColumns
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.threshold import Scored, check_two_classes
from satsuma.learners.learner import TallyLearner
from satsuma.learners.takes import Takes
from satsuma.likelihoods.block import PriorBlock
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.gaussian import Gaussian
from satsuma.measures.estimates import relative
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.composite import Composite


def _names(kind: type) -> list[str]:
    return [each.name for each in fields(cast("Any", kind)) if each.init]


@lru_cache(maxsize=64)
def _parameters(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What gives all parameters of a learner at once."""
    names = _names(kind)
    if len(names) > 1:
        return attrgetter(*names)
    return lambda learner: tuple(getattr(learner, name) for name in names)


# Kept by class and parameters, of which it is a function: each batch of a stream asks for it.
@lru_cache(maxsize=256)
def _assignment(kind: type["BlockLearner"], parameters: tuple[Any, ...]) -> Assignment:
    return kind(**dict(zip(_names(kind), parameters, strict=True))).assign()


class BlockLearner(TallyLearner[Composite]):
    """What learners that are made of blocks share: `block_columns` says which blocks these are.

    Such a learner is a dataclass with ``eq=False, repr=False``. It may also have the parameters
    `prior` and `adjust_threshold` of `Generative`.
    """

    prior: Any = None
    adjust_threshold: bool = False

    @abstractmethod
    def block_columns(self) -> list[BlockColumns]:
        """The blocks, and the columns that each is to take."""

    def assign(self) -> Assignment:
        """What follows from the blocks, made anew."""
        return Assignment(self.block_columns(), "many" if self.adjust_threshold else "one")

    @property
    def assignment(self) -> Assignment:
        """Which block takes which columns; kept for parameters that cannot change."""
        kind = type(self)
        try:
            return _assignment(kind, _parameters(kind)(self))
        except TypeError:  # a parameter without a hash, such as a list, could change
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
        for each in self.assignment.blocks:
            if hasattr(each.block, "check"):
                each.block.check()
        if self.prior is not None:
            if not hasattr(self.prior, "of_classes"):
                raise refuse(self, "prior", "RelativeFrequency(), Laplace() or MEstimate(m)")
            self.prior.check()
        check_choice(self, "adjust_threshold", (False, True))

    def check_data(self, data: Table | Source) -> None:
        """Raise if the parameters are wrong, or if this cannot be learned from, and say why."""
        super().check_data(data)
        self.assignment.within(data.domain)
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

    def _model(self, tally: Composite, table: Table | None) -> GenerativeModel:
        prior, parts = self._prior(tally), iter(tally.parts)
        found: list[Any] = []
        for each in self.assignment.within(tally.domain):
            if each.by_rows:
                assert table is not None, "a source is refused"
                evidence = each.block.learn(each.within(table))
            else:
                evidence = _concluded(each.block, next(parts), prior)
            if not hasattr(evidence, "names"):
                evidence.names = each.columns
            found.append(evidence)
        return GenerativeModel(prior, found, tally)

    def _prior(self, tally: Composite) -> Floats:
        weight = next(part.class_weight for part in tally.parts if isinstance(part, ByClass))
        if not weight.sum() > 0:
            raise DomainError(
                f"{type(self).__name__} was given no row of a known class whose weight is not "
                f"zero. Give some rows a class and a weight."
            )
        return relative(weight) if self.prior is None else self.prior.of_classes(weight)

    def __repr__(self) -> str:
        """A parameter that is marked ``repr=False`` is told where it is not the default."""
        told = [
            f"{each.name}={getattr(self, each.name)!r}"
            for each in fields(cast("Any", self))
            if each.repr or each.default is MISSING or getattr(self, each.name) != each.default
        ]
        return f"{type(self).__name__}({', '.join(told)})"


def _concluded(block: Any, tally: Any, prior: Floats) -> Any:
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
        How the probability of a class is estimated from what its rows weigh: `RelativeFrequency`
        unless given, or `Laplace` or `MEstimate`.
    adjust_threshold
        Whether to predict the second of two classes from that probability on which has most of the
        rows right that are learned from, rather than from a half on. This takes a second round.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([(30, "hot", "no"), (20, "mild", "yes")], ["heat", "temp", "play"])
    >>> model = Generative(blocks=[Gaussian(), Categorical(m=1)])(days)
    >>> model(days[0])
    'no'
    """

    blocks: Sequence[Any] = (Gaussian(), Categorical())
    prior: Any = field(default=None, repr=False)
    adjust_threshold: bool = field(default=False, repr=False)

    def block_columns(self) -> list[BlockColumns]:
        """The blocks, and the columns that each names."""
        return [BlockColumns.of(each, self, "blocks") for each in self.blocks]
