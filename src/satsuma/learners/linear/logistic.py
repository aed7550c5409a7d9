"""Logistic: the log odds of the classes are weighted sums of the columns."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, check_choice, check_number
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.linear.log_likelihood import EncodedRows, LogLikelihood
from satsuma.learners.linear.logistic_model import LogisticModel, contrasts, directions
from satsuma.learners.linear.newton import Newton, inverse
from satsuma.learners.linear.proximal_newton import ProximalNewton
from satsuma.learners.linear.quasi_newton import QuasiNewton
from satsuma.learners.takes import Takes, nothing_known
from satsuma.measures.informative_missing import MISSING, informative_columns
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: Coefficients up to which Newton's method is used, whose Hessian grows with their square.
_MOST_NEWTON = 256

#: Coefficients that L1 regularization takes, which needs the Hessian.
_MOST_PROXIMAL = 2048

#: How many rounds there may be unless said.
_NEWTON_ROUNDS, _QUASI_NEWTON_ROUNDS = 100, 1000


@dataclass(frozen=True)
class _State:
    """What is known between rounds.

    Parameters
    ----------
    rows
        How rows become a matrix; None before the first round.
    search
        Where the search for the coefficients has come to.
    """

    rows: EncodedRows | None = None
    search: Newton | ProximalNewton | QuasiNewton | None = None

    @property
    def done(self) -> bool:
        """Whether no round is left."""
        return self.search is not None and self.search.done


@dataclass(kw_only=True, eq=False, repr=False)
class Logistic(RoundsLearner):
    """Log odds are a constant, plus a slope times each number, plus something for each value.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Where a test
    says that it tells something of the class, it also adds something. Learned by Newton's method,
    in rounds that add up the gradient and the Hessian of the log-likelihood; where there are more
    than 256 coefficients (those of a class, times the classes but one), by L-BFGS, in more rounds
    that add up the gradient alone. Both come to the same coefficients.

    Parameters
    ----------
    l2
        The strength of regularization, what the squares of the coefficients cost: the negative
        log-likelihood plus half of `l2` times the sum of squares is least, as in scikit-learn's
        ``LogisticRegression(C=1 / l2)``. Coefficients are per standard deviation of a number (over
        n), and per value of a symbol; the constant costs nothing. At 0, classes that can be told
        apart without an error get coefficients that only the number of rounds keeps finite.
    l1
        What coefficients cost without their signs: `l1` times their sum is added. Many of them are
        then 0. With `l2` besides, this is the elastic net.
    tolerance
        The last step is below so many standard errors.
    rounds
        How many rounds there may be: 100 of Newton's or 1,000 of L-BFGS unless given. Whether that
        was enough is in ``model.converged``.
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, each column with missing
        cells has an indicator of them, a column of zeros and ones; ``auto``, the columns for which
        a test says that the classes differ where they are missing (`model.informative` has the
        names).

    Notes
    -----
    With two classes the coefficients are those of the log odds of the second against the first;
    with more, each class has its own, of the log odds against the geometric mean of all, and they
    sum to 0 over the classes. `model.coefficients` has them per unit of a number, and for a value
    of a symbol beside the average of the values by their shares. Standard errors are from the
    inverse of the curvature, penalty included, but for directions that make no difference: all
    classes, or all values of a symbol, alike; more than 1,024 coefficients have none. A class that
    was not there in learning has a probability of 0.

    With `l1`, steps are those of a proximal Newton method, each found by coordinate descent, for up
    to 2,048 coefficients; there are no standard errors, and where there are more than two classes,
    each has coefficients of its own that need not sum to 0.

    Examples
    --------
    >>> import satsuma
    >>> model = Logistic()(satsuma.load("titanic"))
    >>> model({"status": "crew", "age": "adult", "sex": "female"})
    'yes'
    """

    l2: float = 1.0
    l1: float = 0.0
    tolerance: float = 1e-8
    rounds: int | None = None
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(rounds="many")

    def check(self) -> None:
        """The penalty is not negative; there are rounds."""
        check_number(self, "l2", low=0)
        check_number(self, "l1", low=0)
        check_number(self, "tolerance", low=0)
        if self.rounds is not None:
            check_number(self, "rounds", low=2, whole=True)
        check_choice(self, "missing", MISSING)

    def start(self, domain: Domain) -> _State:  # noqa: ARG002 - the first tally has it
        """Nothing is known."""
        return _State()

    def tally(self, state: _State, batch: Table) -> Composite | LogLikelihood:
        """Moments and counts at first; then the likelihood and its derivatives."""
        if state.rows is None or state.search is None:
            looked = Encoding.tally(batch)
            return Composite(batch.domain, [*looked.parts, TargetWhereMissing.of(batch)])
        search, across = state.search, directions(len(state.rows.seen), self.l1)
        return LogLikelihood.of(state.rows.of(batch), search.tried, across, curved=search.curved)

    def advance(self, state: _State, tally: Any) -> _State:
        """Take a step of the search."""
        if state.search is None:
            return self._begun(tally)
        return replace(state, search=state.search.advance(tally))

    def conclude(self, state: _State) -> LogisticModel:
        """The coefficients and their covariance."""
        assert state.rows is not None, "there was a first round"
        search: Any = state.search
        covariance = None
        if search.hessian is not None:
            covariance = inverse(search.hessian, self.l2).reshape(2 * search.tried.shape)
        encoding, seen, found = state.rows.encoding, state.rows.seen, search.tried
        if isinstance(search, ProximalNewton) and len(seen) > 2:
            # Constants that all classes share make no difference.
            found = np.column_stack([found[:, :1] - found[:, 0].mean(), found[:, 1:]])
        return LogisticModel(
            encoding, seen, found, covariance, converged=search.converged, l1=float(self.l1)
        )

    def _begun(self, tally: Composite) -> _State:
        """The state after the rows were looked at once: all slopes are 0."""
        weight = tally[ClassCounts].class_weight
        seen = np.flatnonzero(weight > 0)
        if not len(seen):
            raise nothing_known("Logistic")
        where_missing = tally[TargetWhereMissing]
        informative = informative_columns(where_missing, self.missing)
        encoding = Encoding.of(tally).with_missing(where_missing, informative)
        tried = np.zeros((directions(len(seen), self.l1).shape[1], 1 + len(encoding.mean)))
        if self.l1 > 0 and len(seen) > 1:
            if tried.size > _MOST_PROXIMAL:
                raise _too_many(tried.size, tally)
            limit = self.rounds or _NEWTON_ROUNDS
            search = ProximalNewton(tried, self.l1, self.l2, self.tolerance, limit)
            return _State(EncodedRows(encoding, seen), search)
        if tried.size <= _MOST_NEWTON:
            search = Newton(tried, self.l2, self.tolerance, self.rounds or _NEWTON_ROUNDS)
            if len(seen) == 1:
                search = replace(search, hessian=np.zeros((0, 0)), converged=True, done=True)
            return _State(EncodedRows(encoding, seen), search)
        tried[:, 0] = contrasts(len(seen)).T @ np.log(weight[seen] / weight[seen[0]])
        curvature = self.l2 + float(weight.sum()) / len(seen)
        limit = self.rounds or _QUASI_NEWTON_ROUNDS
        search = QuasiNewton(tried, self.l2, self.tolerance, limit, curvature)
        return _State(EncodedRows(encoding, seen), search)


def _too_many(coefficients: int, tally: Composite) -> DomainError:
    symbols = [v for v in tally.domain.attributes if v.kind == "sym"]
    most = max(symbols, key=lambda v: len(v.values), default=None)
    which = "" if most is None else f", such as {most.name!r} with {len(most.values):,} values"
    return DomainError(
        f"Logistic with l1 above 0 looks at all pairs of coefficients, up to {_MOST_PROXIMAL:,}, "
        f"and here are {coefficients:,}. Leave out columns{which}; or learn with l1=0."
    )
