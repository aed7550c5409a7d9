"""Discretized: a learner that gets numbers as intervals."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from satsuma.data.table import Table
from satsuma.errors.parameters import refuse
from satsuma.learners.capabilities import TakesBy
from satsuma.learners.prepared import Prepared, Step, takes_behind
from satsuma.prepare.cutting import Cutting
from satsuma.prepare.mdl import MDL


def _takes(learner: Any) -> Any:
    kinds = {"num", "sym", *learner.learner.takes.kinds}
    told: dict[str, Any] = {"kinds": tuple(k for k in ("num", "sym", "text") if k in kinds)}
    if learner.method.by_class:
        told["target"] = "classes"
    return takes_behind(learner.learner, **told)


@dataclass(kw_only=True, eq=False)
class Discretized(Prepared):
    """Numbers are cut into intervals, and a learner learns from those as from symbols.

    The cuts are learned from the rows that the learner learns from, so inside each fold of a
    cross-validation. A missing number stays missing.

    Parameters
    ----------
    learner
        Any learner that takes symbols; it may stand first, without its name.
    method
        `MDL`, `ChiMerge`, `EqualWidth` or `EqualFrequency`. The first two cut by classes.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import NaiveBayes
    >>> iris = satsuma.load("iris")
    >>> model = Discretized(NaiveBayes(m=0))(iris)
    >>> model(iris[100])
    'virginica'
    >>> model.cuts["Petal.Width"]
    array([0.8 , 1.75])
    """

    method: Cutting = field(default_factory=MDL)

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner, and a way of cutting."""
        super().check()
        method: Any = self.method
        if not isinstance(method, Cutting):
            known = "MDL(), ChiMerge(), EqualWidth() or EqualFrequency()"
            raise refuse(self, "method", known)
        method.check()

    def looked_at(self, batch: Table) -> Any:
        """What the way of cutting asks for."""
        return self.method.tally(batch)

    def step(self, tally: Any) -> Step:
        """All attributes, the numbers among them cut."""
        names = tuple(v.name for v in tally.domain.attributes)
        return Step(names, self.method.intervals(tally).cuts)
