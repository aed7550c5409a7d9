"""Discretized: discretization before a learner, which gets numbers as intervals."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from satsuma.data.table import Table
from satsuma.errors import refuse
from satsuma.learners.takes import Takes, TakesBy
from satsuma.learners.wrappers.preprocessing import Preprocessed, Step, takes_after_step
from satsuma.prepare.discretizers import MDL, Discretizer


def _takes(learner: Any) -> Takes:
    known = takes_after_step(learner.learner)
    kinds = tuple(k for k in ("num", "sym", "text") if k != "text" or k in known.kinds)
    by_class = getattr(learner.way, "by_class", False)  # of what is no method, `check` tells
    return replace(known, kinds=kinds, target="classes" if by_class else known.target)


@dataclass(kw_only=True, eq=False)
class Discretized(Preprocessed):
    """Numbers are cut into intervals, and a learner learns from those as from symbols.

    The cuts are learned from the rows that the learner learns from, so inside each fold of a
    cross-validation: there is no leakage. A missing number stays missing.

    Parameters
    ----------
    learner
        Any learner that takes symbols; it may stand first, without its name.
    method
        `MDL`, `ChiMerge`, `EqualWidth` or `EqualFrequency`; the first two cut by classes. None
        stands for ``MDL()``.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Discretized, NaiveBayes
    >>> iris = satsuma.load("iris")
    >>> model = Discretized(NaiveBayes(m=0))(iris)
    >>> model(iris[100])
    'virginica'
    >>> model.cuts["Petal.Width"]
    array([0.8 , 1.75])
    """

    method: Discretizer | None = None

    takes: ClassVar[Any] = TakesBy(_takes)

    @property
    def way(self) -> Discretizer:
        """The way of cutting that is used."""
        return MDL() if self.method is None else self.method

    def check(self) -> None:
        """A learner, and a way of cutting."""
        super().check()
        way: Any = self.way
        if not isinstance(way, Discretizer):
            known = "MDL(), ChiMerge(), EqualWidth() or EqualFrequency()"
            raise refuse(self, "method", known)
        way.check()

    def looked_at(self, batch: Table) -> Any:
        """What the way of cutting asks for."""
        return self.way.tally(batch)

    def step(self, tally: Any) -> Step:
        """All attributes, the numbers among them cut."""
        names = tuple(v.name for v in tally.domain.attributes)
        return Step(names, self.way.intervals(tally).cuts)
