"""Logistic: the log odds of the classes are weighted sums of the columns."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, check_choice, check_number, refuse
from satsuma.kernels.threads import single_blas_thread
from satsuma.learners.estimator.linear_attributes import LinearAttributes
from satsuma.learners.estimator.log_odds import LogOdds
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.linear.encoded_rows import EncodedRows
from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.learners.linear.logistic_model import LogisticModel, centred, directions
from satsuma.learners.linear.logistic_path import Chosen, PathSearch, PathTally
from satsuma.learners.linear.newton import Newton
from satsuma.learners.linear.proximal_newton import ProximalNewton
from satsuma.learners.linear.quasi_newton import QuasiNewton
from satsuma.learners.takes import Takes, nothing_known
from satsuma.measures.informative_missing import MISSING, informative_columns
from satsuma.numerics.arrays import Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: Coefficients up to which Newton's method is used, whose Hessian grows with their square.
_MOST_NEWTON = 64

#: Coefficients that L1 regularization may have above 0 at once, whose Hessian it needs.
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
    path
        The coefficients at many strengths, where one of them was to be chosen.
    """

    rows: EncodedRows | None = None
    search: Newton | ProximalNewton | QuasiNewton | PathSearch | None = None
    path: Chosen | None = None

    @property
    def done(self) -> bool:
        """Whether no round is left."""
        return self.search is not None and self.search.done


@dataclass(kw_only=True, eq=False, repr=False)
class Logistic(LinearAttributes, LogOdds, RoundsLearner):
    """Log odds are a constant, plus a slope times each number, plus something for each value.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Where a test
    says that it tells something of the class, it also adds something. Learned by Newton's method,
    in rounds that add up the gradient and the Hessian of the log-likelihood; where there are more
    than 64 coefficients (those of a class, times the classes but one), by L-BFGS, in more rounds
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
        then 0. With `l2` besides, this is the elastic net. With ``auto``, the strength among fifty
        by which rows that were not learned from are most probable, by ten folds.
    tolerance
        The last step is below so many standard errors; of more than 512 coefficients, a hundred
        times as many.
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
    classes, or all values of a symbol, alike; more than 512 coefficients have none. A class that
    was not there in learning has a probability of 0.

    With `l1`, steps are those of a proximal Newton method, each found by coordinate descent, for up
    to 2,048 coefficients that are not 0; there are no standard errors, and where there are more
    than two classes, each has coefficients of its own that need not sum to 0.

    With ``l1="auto"``, columns are standardized once, by all rows. The fold of a row follows from
    what is in it. Coefficients at one strength begin with those at the one before (Friedman, Hastie
    and Tibshirani 2010), in about a hundred rounds. ``model.path`` has them at all strengths, and
    `plot.path` draws them.

    Examples
    --------
    >>> from satsuma import Logistic, load
    >>> model = Logistic()(load("titanic"))
    >>> model({"status": "crew", "age": "adult", "sex": "female"})
    'yes'
    """

    l2: float = 1.0
    l1: float | Literal["auto"] = 0.0
    tolerance: float = 1e-8
    rounds: int | None = None
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(rounds="many")

    def check(self) -> None:
        """The penalty is not negative; there are rounds."""
        check_number(self, "l2", low=0)
        if isinstance(self.l1, str):
            if self.l1 != "auto":
                raise refuse(self, "l1", "a number from 0 on, or 'auto'")
        else:
            check_number(self, "l1", low=0)
        check_number(self, "tolerance", low=0)
        if self.rounds is not None:
            check_number(self, "rounds", low=2, whole=True)
        check_choice(self, "missing", MISSING)

    def learn(self, data: Any) -> LogisticModel:
        """Go on in rounds; blocks of rows are too small to share out their linear algebra."""
        with single_blas_thread():
            return cast("LogisticModel", super().learn(data))

    def start(self, domain: Domain) -> _State:  # noqa: ARG002 - the first tally has it
        """Nothing is known."""
        return _State()

    def tally(self, state: _State, batch: Table) -> Composite | LogLikelihood | PathTally:
        """Moments and counts at first; then the likelihood and its derivatives."""
        if state.rows is None or state.search is None:
            looked = Encoding.tally(batch)
            return Composite(batch.domain, [*looked.parts, TargetWhereMissing.of(batch)])
        if isinstance(state.search, PathSearch):
            return state.search.tally(state.rows.parts(batch))
        search, across = state.search, self._directions(len(state.rows.seen))
        return LogLikelihood.of(state.rows.of(batch), search.tried, across, search.curved)

    def advance(self, state: _State, tally: Any) -> _State:
        """Take a step of the search."""
        if state.search is None:
            return self._begun(tally)
        search = state.search.advance(tally)
        if isinstance(search, Chosen):
            l1 = float(search.strengths[search.at])
            return replace(state, search=self._proximal(search.found[search.at], l1), path=search)
        if isinstance(search, ProximalNewton) and len(search.curved) > _MOST_PROXIMAL:
            raise _too_many(len(search.curved))
        return replace(state, search=search)

    def conclude(self, state: _State) -> LogisticModel:
        """The coefficients and their covariance."""
        assert state.rows is not None, "there was a first round"
        search: Any = state.search
        covariance = search.covariance
        if covariance is not None:
            covariance = covariance.reshape(2 * search.tried.shape)
        encoding, seen, found = state.rows.encoding, state.rows.seen, search.tried
        sparse = isinstance(search, ProximalNewton)
        return LogisticModel(
            encoding,
            seen,
            centred(found) if sparse else found,
            covariance,
            converged=search.converged,
            l1=float(search.l1) if sparse else 0.0,
            path=state.path,
        )

    @property
    def _sparse(self) -> bool:
        return isinstance(self.l1, str) or self.l1 > 0

    def _directions(self, classes: int) -> Floats:
        return directions(classes, sparse=self._sparse)

    def _begun(self, tally: Composite) -> _State:
        """The state after the rows were looked at once: all slopes are 0."""
        weight = tally[ClassCounts].class_weight
        seen = np.flatnonzero(weight > 0)
        if not len(seen):
            raise nothing_known("Logistic")
        where_missing = tally[TargetWhereMissing]
        informative = informative_columns(where_missing, self.missing)
        encoding = Encoding.of(tally).with_missing(where_missing, informative)
        across = self._directions(len(seen))
        tried = np.zeros((across.shape[1], 1 + len(encoding.mean)))
        if len(seen) == 1:
            alone = Newton(tried, self.l2, self.tolerance, 2, covariance=np.zeros((0, 0)))
            search = replace(alone, converged=True, done=True)
            return _State(EncodedRows(encoding, seen), search)
        if not self._sparse and tried.size <= _MOST_NEWTON:
            search = Newton(tried, self.l2, self.tolerance, self.rounds or _NEWTON_ROUNDS)
            return _State(EncodedRows(encoding, seen), search)
        tried[:, 0] = across.T @ np.log(weight[seen] / weight[seen[0]])
        if isinstance(self.l1, str):
            search = PathSearch(tried, across, self.l2)
            return _State(EncodedRows(encoding, seen, folded=True), search)
        if self._sparse:
            return _State(EncodedRows(encoding, seen), self._proximal(tried, self.l1))
        curvature = self.l2 + np.append(1.0, encoding.spread()) * float(weight.sum()) / len(seen)
        curvature[0] -= self.l2
        limit = self.rounds or _QUASI_NEWTON_ROUNDS
        search = QuasiNewton(tried, self.l2, self.tolerance, limit, curvature)
        return _State(EncodedRows(encoding, seen), search)

    def _proximal(self, tried: Floats, l1: float) -> ProximalNewton:
        limit = self.rounds or _NEWTON_ROUNDS
        return ProximalNewton.begun(tried, l1, self.l2, self.tolerance, limit)


def _too_many(coefficients: int) -> DomainError:
    return DomainError(
        f"Logistic with l1 above 0 looks at all pairs of coefficients that are not 0, up to "
        f"{_MOST_PROXIMAL:,}, and here are {coefficients:,}. Give a larger l1, leave out symbols "
        f"of many values, or learn with l1=0."
    )
