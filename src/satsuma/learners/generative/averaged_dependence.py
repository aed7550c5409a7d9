"""AnDE: averaged dependence estimators, which let columns depend on one another."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, check_choice, check_number, refuse
from satsuma.learners.baselines import shares_of
from satsuma.learners.calibration.temperature_round import temperature_of
from satsuma.learners.generative.dependence_model import AnDEModel, parent_weights
from satsuma.learners.learner import Learner, TallyLearner
from satsuma.learners.takes import Takes, TakesBy
from satsuma.prepare.discretizers import MDL, Discretizer, EqualFrequency
from satsuma.tallies.joint_counts import JointCounts, JointCountsOn, cells_of

#: Ways of cutting numbers, by name.
_CUTTING: dict[str, Discretizer] = {
    "refined": MDL(n=4),
    "mdl": MDL(),
    "frequency": EqualFrequency(n=5),
}

#: Counts that a tally holds, at most.
CELLS = 1 << 24


def _takes(learner: Any) -> Takes:
    one = (learner.number is None or isinstance(learner.number, Mapping)) and not learner.calibrate
    kinds = ("sym",) if learner.number is None else ("num", "sym")
    return Takes(kinds=kinds, rounds="one" if one else "many")


@dataclass(kw_only=True, eq=False)
class AnDE(TallyLearner[JointCounts]):
    """Averaged dependence estimators: naive Bayes, given each column in turn (Webb et al. 2005).

    Naive Bayes takes columns as independent given the class. A1DE takes them as independent given
    the class *and* one column, the parent, and averages over all columns as parents: what pairs of
    columns say together is not counted twice, and no structure has to be searched for. All it has
    to know is how often each pair of values comes with each class.

    A missing cell says nothing, neither as a parent nor as a child. So does a value that was never
    seen in learning. A row none of whose cells can be a parent is answered with parents less, in
    the end as naive Bayes does.

    Parameters
    ----------
    n
        Columns that are parents together: 1 is A1DE, 0 is naive Bayes, 2 is A2DE, which needs
        many rows and counts all triples of columns.
    m
        Weight of the prior of a value, in imaginary rows spread over all values of its column, as
        in `NaiveBayes`.
    alpha
        Instead of `m`: imaginary rows for each value; 1 is add-one, as Weka's AODE has it.
    least
        What the rows with a value must weigh for it to be a parent.
    parents
        What each parent counts in the average: ``information``, the mutual information of the
        column and the class (WAODE; Jiang and Zhang 2006), or ``equal``.
    number
        How numbers are cut into intervals: ``mdl``, where classes are told apart best (Fayyad and
        Irani 1993), ``refined``, there and where an interval holds more than a quarter of the rows,
        ``frequency``, into five intervals that hold about as many rows, another discretizer, or
        None, where there are no numbers. The cuts take a round of their own.
        With cuts that are known, as ``MDL()(table).cuts`` gives them by the name of the column, or
        with None, it learns in one round.
    calibrate
        Whether probabilities are calibrated by a temperature, as in `Calibrated`: the same classes
        are predicted, and less is promised. It is found in a round of its own, in which each row is
        predicted as if it had not been learned from. Unless said, that is done where learning takes
        several rounds anyway, and not where it takes one.

    Examples
    --------
    >>> from satsuma import AnDE, NaiveBayes, cross_validate, load
    >>> voting = load("voting")
    >>> model = AnDE()(voting)
    >>> model(voting[0])
    'republican'
    >>> results = cross_validate([NaiveBayes(), AnDE(number=None)], voting)
    >>> {name: round(share, 3) for name, share in results.scores("CA").items()}
    {'NaiveBayes': 0.903, 'AnDE': 0.954}
    """

    n: int = 1
    m: float = 1.0
    alpha: float | None = None
    least: float = 1.0
    parents: Literal["information", "equal"] = "information"
    number: Literal["refined", "mdl", "frequency"] | Discretizer | Mapping[str, Any] | None = (
        "refined"
    )
    calibrate: bool | None = None

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """Numbers in their ranges, and a way of cutting."""
        check_number(self, "n", low=0, high=2, whole=True)
        check_number(self, "m", low=0)
        if self.alpha is not None:
            check_number(self, "alpha", low=0)
        check_number(self, "least", low=0)
        check_choice(self, "parents", ("information", "equal"))
        check_choice(self, "calibrate", (True, False, None))
        if isinstance(way := self._way(), Discretizer):
            way.check()

    def check_data(self, data: Table | Source) -> None:
        """Raise if this cannot be learned from, or would not fit in memory."""
        super().check_data(data)
        if isinstance(self.number, Mapping):
            _check_cuts(self.number, data.domain)
        _check_cells(self.tally_kind.levels(data.domain), data.domain, self.n)

    def _way(self) -> Discretizer | None:
        """How numbers are cut where it is not known where."""
        if self.number is None or isinstance(self.number, Mapping):
            return None
        found = _CUTTING.get(self.number) if isinstance(self.number, str) else self.number
        if not isinstance(found, Discretizer):
            known = f"one of {', '.join(map(repr, _CUTTING))}, a discretizer, cuts or None"
            raise refuse(self, "number", known)
        return found

    @property
    def tally_kind(self) -> JointCountsOn:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Joint counts of one column more than there are parents, on the cuts that are known."""
        cuts: Mapping[str, Any] = self.number if isinstance(self.number, Mapping) else {}
        return JointCounts.on(cuts, order=self.n + 1)

    def in_one_round(self) -> bool:
        """Whether it is known where numbers are cut, or there are none."""
        kind: Any = type(self)
        plain = kind.learn is AnDE.learn and kind.__call__ is Learner.__call__
        return plain and self.takes.rounds == "one"

    def learn(self, data: Table | Source) -> AnDEModel:
        """Cut the numbers, if there are any and it is not known where; count, and conclude."""
        known = self
        if (way := self._way()) is not None:
            known = replace(self, number=way.intervals(reduce(data, way.tally)).cuts)
            _check_cells(known.tally_kind.levels(data.domain), data.domain, self.n)
        model: Any = known._model_of(reduce(data, known.checked_tally), data)  # noqa: SLF001
        if self.takes.rounds == "many" and self.calibrate is not False:
            model.temperature = temperature_of(data, model.left_out)
        return model

    def conclude(self, tally: JointCounts) -> AnDEModel:
        """The counts, how they are smoothed, and what each parent weighs."""
        shares_of(tally.class_weight, "AnDE")  # an error if no row weighs anything
        weights = parent_weights(tally, self.n, by_information=self.parents == "information")
        return AnDEModel(tally, weights, self.m, self.alpha, self.least)


def _check_cuts(cuts: Mapping[str, Any], domain: Domain) -> None:
    """Raise unless there are cuts for each column of numbers."""
    without = [v.name for v in domain.attributes if v.kind == "num" and v.name not in cuts]
    if without:
        raise DomainError(
            f"AnDE knows no cuts for {without[0]!r}. Give it some, as in number={{{without[0]!r}: "
            f"[1.5, 2.5]}}, or have them found: number='refined'."
        )


def _check_cells(levels: tuple[int, ...], domain: Domain, n: int) -> None:
    """Raise if there are more combinations of values than can be counted."""
    classes = len(domain.target.values) if domain.target else 1
    cells = cells_of(levels, n + 1) * max(classes, 1)
    if cells > CELLS:
        names = [v.name for v in domain.attributes]
        most = names[int(np.argmax(levels))] if len(levels) == len(names) else names[0]
        raise DomainError(
            f"AnDE counts how often values of {n + 1} columns come together, and of these columns "
            f"there are {cells:,} combinations, more than {CELLS:,}. Leave out columns of many "
            f"values, such as {most!r}, or use a smaller n."
        )
