"""Blockwise: what learners that are made of blocks share."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, cast

from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, SatsumaError
from satsuma.errors.parameters import check_choice, refuse
from satsuma.learners.generative.blocks import BlocksKind, Claim, Recipe, claim
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
from satsuma.tallies.composite import Together

#: Recipes by what they follow from: each batch of a stream asks for them several times.
_RECIPES: dict[tuple[Any, ...], Recipe] = {}
MOST_RECIPES = 256


@lru_cache(maxsize=64)
def _parameters(kind: type) -> Callable[[Any], Any]:
    """What gives all parameters of a learner at once."""
    return attrgetter(*(each.name for each in fields(cast("Any", kind))))


class Blockwise(TallyLearner[Together]):
    """What learners that are made of blocks share: a recipe says which blocks these are.

    A recipe is a dataclass with ``eq=False, repr=False`` that has `claims`. It may also have the
    parameters `prior` and `adjust_threshold` of `Generative`.
    """

    prior: Any = None
    adjust_threshold: bool = False

    @abstractmethod
    def claims(self) -> list[Claim]:
        """The blocks, and the columns that each is to speak for."""

    def recipe(self) -> Recipe:
        """What follows from the claims, remembered by the parameters where these cannot change."""
        rounds = "many" if self.adjust_threshold else "one"
        key = (type(self), _parameters(type(self))(self))
        try:
            found = _RECIPES.get(key)
        except TypeError:  # a parameter that cannot be a key could change
            return Recipe(self.claims(), rounds)
        if found is None:
            if len(_RECIPES) >= MOST_RECIPES:
                _RECIPES.clear()
            found = _RECIPES[key] = Recipe(self.claims(), rounds)
        return found

    @property
    def takes(self) -> Takes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What its blocks take; an adjusted threshold takes one round more."""
        return self.recipe().takes

    @property
    def tally_kind(self) -> BlocksKind:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Learners that differ in what they conclude, and not in what they tally, share it."""
        return self.recipe().tally_kind

    @property
    def finds_infinite(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether all blocks that take numbers refuse an infinite one."""
        return self.recipe().finds_infinite

    def check(self) -> None:
        """The parameters of every block are what they can be."""
        for each in self.recipe().claims:
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
        self.recipe().settled(data.domain)
        if self.adjust_threshold:
            check_two_classes(self, data.domain)

    def _model_of(self, tally: Together, data: Table | Source) -> Any:
        """The model that follows from a tally, or from the rows where these are needed too."""
        if self.takes.rounds == "one":
            return self.concluded(tally)
        model = self._model(tally, data if isinstance(data, Table) else None)
        model.domain = tally.domain
        if self.adjust_threshold:
            model.threshold = reduce(data, partial(Scored.of, model)).best()
        return model

    def conclude(self, tally: Together) -> GenerativeModel:
        """The probability of each class, and what each block says."""
        if self.takes.rounds != "one":
            raise SatsumaError(f"{self!r} needs the rows, not a tally of them alone.")
        return self._model(tally, None)

    def _model(self, tally: Together, table: Table | None) -> GenerativeModel:
        prior, parts = self._prior(tally), iter(tally.parts)
        found: list[Any] = []
        for each in self.recipe().settled(tally.domain):
            if each.by_rows:
                assert table is not None, "a source is refused"
                evidence = each.block.learn(each.within(table))
            else:
                evidence = _concluded(each.block, next(parts), prior)
            if not hasattr(evidence, "names"):
                evidence.names = each.columns
            found.append(evidence)
        return GenerativeModel(prior, found, tally)

    def _prior(self, tally: Together) -> Floats:
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
class Generative(Blockwise):
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

    def claims(self) -> list[Claim]:
        """The blocks, and the columns that each is to speak for."""
        return [claim(each, self, "blocks") for each in self.blocks]
