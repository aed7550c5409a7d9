"""Generative: a classifier made of what each block of columns says about the class."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from satsuma.learners.generative.blockwise import Blockwise
from satsuma.learners.generative.claims import Claim, claim
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.gaussian import Gaussian


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
