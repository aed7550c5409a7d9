"""Generative: a classifier made of what each block of columns says about the class."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, cast

import numpy as np

from satsuma.data.columns import Floats
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.learners.blocks_kind import BlocksKind
from satsuma.learners.capabilities import Takes
from satsuma.learners.claims import Claim, claim, settled
from satsuma.learners.generative_model import GenerativeModel, refuse_infinite_cells
from satsuma.learners.learner import TallyLearner
from satsuma.likelihoods.block import PriorBlock
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.gaussian import Gaussian
from satsuma.measures.estimates import relative
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.moments import Moments
from satsuma.tallies.together import Together


class Blockwise(TallyLearner[Together]):
    """What learners that are made of blocks share: a recipe says which blocks these are."""

    @abstractmethod
    def claims(self) -> list[Claim]:
        """The blocks, and the columns that each is to speak for."""

    @property
    def takes(self) -> Takes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What its blocks take."""
        claims = self.claims()
        kinds = [kind for kind in ("num", "sym", "text") if any(kind in c.kinds for c in claims)]
        by_rows = any(each.by_rows for each in claims)
        return Takes(kinds=tuple(kinds), rounds="rows" if by_rows else "one")

    @property
    def tally_kind(self) -> BlocksKind:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Learners that differ in what they conclude, and not in what they tally, share it."""
        return BlocksKind(self.claims())

    @property
    def finds_infinite(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether all blocks that take numbers refuse an infinite one."""
        return all(
            getattr(each.block, "finds_infinite", False) or "num" not in each.kinds
            for each in self.claims()
        )

    def check(self) -> None:
        """The parameters of every block are what they can be."""
        for each in self.claims():
            if hasattr(each.block, "check"):
                each.block.check()

    def tally(self, batch: Table) -> Together:
        """A tally for each block."""
        made = self.tally_kind.of(batch)
        for part in made.parts:
            if isinstance(part, Moments) and _has_infinite(part):
                refuse_infinite_cells(batch)
        return made

    def conclude(self, tally: Together) -> GenerativeModel:
        """The share of each class, and what each block says."""
        prior = self._prior(tally)
        claims = settled(self.claims(), tally.domain)
        pairs = zip(claims, tally.parts, strict=False)
        return GenerativeModel(prior, [_said(each.block, part, prior) for each, part in pairs])

    def _prior(self, tally: Together) -> Floats:
        weight = next(part.class_weight for part in tally.parts if isinstance(part, ByClass))
        if not weight.sum() > 0:
            raise DomainError(
                f"{type(self).__name__} was given no row of a known class whose weight is not "
                f"zero. Give some rows a class and a weight."
            )
        return relative(weight)

    def __repr__(self) -> str:
        """A parameter that is marked ``repr=False`` is told where it is not the default."""
        told = [
            f"{each.name}={getattr(self, each.name)!r}"
            for each in fields(cast("Any", self))
            if each.repr or each.default is MISSING or getattr(self, each.name) != each.default
        ]
        return f"{type(self).__name__}({', '.join(told)})"


@dataclass(kw_only=True, eq=False, repr=False)
class Generative(Blockwise):
    """Bayes' rule, with what you say of each column or block of columns.

    Blocks are independent given the class. A missing value says nothing.

    Parameters
    ----------
    blocks
        What each is, and for which columns. One that names no columns takes all of its kinds that
        no other names; the first of several does.

    Examples
    --------
    >>> days = Table.of([(30, "hot", "no"), (20, "mild", "yes")], ["heat", "temp", "play"])
    >>> model = Generative(blocks=[Gaussian(), Categorical(m=1)])(days)
    >>> model(days[0])
    'no'
    """

    blocks: Sequence[Any] = (Gaussian(), Categorical())

    def claims(self) -> list[Claim]:
        """The blocks, and the columns that each is to speak for."""
        return [claim(each, self) for each in self.blocks]


def _said(block: Any, tally: Any, prior: Floats) -> Any:
    return block.conclude(tally, prior) if isinstance(block, PriorBlock) else block.conclude(tally)


def _has_infinite(moments: Moments) -> bool:
    return bool((moments.hi == np.inf).any() or (moments.lo == -np.inf).any())
