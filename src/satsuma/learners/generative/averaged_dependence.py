"""AnDE: averaged dependence estimators, which let columns depend on one another."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, check_choice, check_number, refuse
from satsuma.learners.baselines import shares_of
from satsuma.learners.generative.dependence import Smoothing
from satsuma.learners.generative.dependence_model import AnDEModel, parent_weights
from satsuma.learners.generative.own_prior import check_prior, estimated_prior, own_prior
from satsuma.learners.learner import Learner, TallyLearner
from satsuma.learners.takes import Takes, TakesBy
from satsuma.prepare.discretizers import MDL, Discretizer, EqualFrequency
from satsuma.tallies.by_class import numbers_of
from satsuma.tallies.composite import Composite
from satsuma.tallies.joint_counts import JointCounts, JointCountsOn, cells_of
from satsuma.tallies.row_sample import RowSample

#: Ways of cutting numbers, by name.
_CUTTING: dict[str, Discretizer] = {
    "refined": MDL(n=4),
    "mdl": MDL(),
    "frequency": EqualFrequency(n=5),
}

#: Counts that a tally holds, at most.
CELLS = 1 << 24


def _takes(learner: Any) -> Takes:
    one = learner.number is None or isinstance(learner.number, Mapping)
    kinds = ("sym",) if learner.number is None else ("num", "sym")
    return Takes(kinds=kinds, rounds="one" if one else "many")


@dataclass(kw_only=True, eq=False)
class AnDE(TallyLearner[Composite | JointCounts]):
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
        ``frequency``, into five intervals that hold about as many rows, another discretizer, cuts
        that are known, as ``MDL()(table).cuts`` gives them by the name of the column, or None,
        where there are no numbers.
    prior
        The probability of each class by name, or how it is estimated; see `NaiveBayes`. A class
        that no row is of stays impossible.
    calibrate
        Whether probabilities are calibrated by a temperature; see `NaiveBayes`. Here each of the
        rows by which it is found is predicted as if it had not been learned from, which the counts
        tell. A model whose `prior` is given by name is not calibrated.

    Notes
    -----
    Symbols, and numbers whose cuts are known, are learned in one round, which is cross-validated in
    one pass, goes on with `partial_fit` and forgets. To look for the cuts takes a round of its own,
    in which all rows have a say: such numbers are refused by `partial_fit` and `forget`.

    Examples
    --------
    >>> from satsuma import AnDE, NaiveBayes, cross_validate, load
    >>> voting = load("voting")
    >>> model = AnDE()(voting)
    >>> model(voting[0])
    'republican'
    >>> results = cross_validate([NaiveBayes(), AnDE()], voting)
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
    prior: Any = field(default=None, repr=False)
    calibrate: bool = True

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """Numbers in their ranges, and a way of cutting."""
        check_number(self, "n", low=0, high=2, whole=True)
        check_number(self, "m", low=0)
        if self.alpha is not None:
            check_number(self, "alpha", low=0)
        check_number(self, "least", low=0)
        check_choice(self, "parents", ("information", "equal"))
        check_prior(self)
        check_choice(self, "calibrate", (True, False))
        if isinstance(way := self._way(), Discretizer):
            way.check()

    def check_data(self, data: Table | Source) -> None:
        """Raise if this cannot be learned from, or would not fit in memory."""
        super().check_data(data)
        if isinstance(self.number, Mapping):
            _check_cuts(self.number, data.domain)
        self._check_cells(data.domain)

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
    def _counted(self) -> JointCountsOn:
        """Joint counts of one column more than there are parents, on the cuts that are known."""
        cuts: Mapping[str, Any] = self.number if isinstance(self.number, Mapping) else {}
        return JointCounts.on(cuts, order=self.n + 1)

    @property
    def tally_kind(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The counts, and some of the rows to calibrate by."""
        # Where classes are more frequent than among the rows, other probabilities are right.
        if self.calibrate and not isinstance(self.prior, Mapping):
            return Composite.of_kinds(self._counted, RowSample)
        return self._counted

    def in_one_round(self, domain: Domain | None = None) -> bool:
        """Whether it is known where numbers are cut, or there are none."""
        kind: Any = type(self)
        plain = kind.learn is AnDE.learn and kind.__call__ is Learner.__call__
        return plain and self._knows_cuts(domain)

    def _knows_cuts(self, domain: Domain | None) -> bool:
        return self.takes.rounds == "one" or (domain is not None and not numbers_of(domain))

    def check_one_round(self, domain: Domain) -> None:
        """Raise if there are numbers, and it is not known where to cut them."""
        if not self._knows_cuts(domain):
            raise DomainError(
                f"AnDE looks in all rows for where to cut numbers, such as "
                f"{numbers_of(domain)[0].name!r}, and can neither add nor forget some rows later. "
                f"Tell it where: AnDE(number=MDL()(table).cuts). Or take NaiveBayes()."
            )
        super().check_one_round(domain)

    def learn(self, data: Table | Source) -> AnDEModel:
        """Cut the numbers, if there are any and it is not known where; count, and conclude."""
        way, known = self._way(), self
        if way is not None and not self._knows_cuts(data.domain):
            known = replace(self, number=way.intervals(reduce(data, way.tally)).cuts)
            known._check_cells(data.domain)  # noqa: SLF001
        return known.conclude(reduce(data, known.checked_tally))

    def conclude(self, tally: Composite | JointCounts) -> AnDEModel:
        """The counts, how they are smoothed, and what each parent weighs."""
        counts = tally if isinstance(tally, JointCounts) else tally[JointCounts]
        shares_of(counts.class_weight, "AnDE")  # an error if no row weighs anything
        weights = parent_weights(counts, self.n, by_information=self.parents == "information")
        estimated = estimated_prior(self.prior, counts.class_weight)
        prior = own_prior(self.prior, counts.domain, estimated)
        model = AnDEModel(counts, weights, prior, Smoothing(self.m, self.alpha, self.least))
        if isinstance(tally, Composite):
            model.keep(tally[RowSample])
        return model

    def _check_cells(self, domain: Domain) -> None:
        """Raise if there are more combinations of values than can be counted."""
        levels = self._counted.levels(domain)
        classes = len(domain.target.values) if domain.target else 1
        cells = cells_of(levels, self.n + 1) * max(classes, 1)
        if cells > CELLS:
            names = [v.name for v in domain.attributes]
            most = names[int(np.argmax(levels))] if len(levels) == len(names) else names[0]
            raise DomainError(
                f"AnDE counts how often values of {self.n + 1} columns come together, and of these "
                f"columns there are {cells:,} combinations, more than {CELLS:,}. Leave out columns "
                f"of many values, such as {most!r}, or use a smaller n."
            )


def _check_cuts(cuts: Mapping[str, Any], domain: Domain) -> None:
    """Raise unless there are cuts for each column of numbers."""
    without = [v.name for v in numbers_of(domain) if v.name not in cuts]
    if without:
        raise DomainError(
            f"AnDE knows no cuts for {without[0]!r}. Give it some, as in number={{{without[0]!r}: "
            f"[1.5, 2.5]}}, or have them found: number='refined'."
        )
