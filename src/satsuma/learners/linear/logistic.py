"""Logistic: the log odds of the classes are weighted sums of the columns."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import check_number
from satsuma.learners.learner import RoundsLearner
from satsuma.learners.linear.logistic_model import LogisticModel, contrasts
from satsuma.learners.matrix_learner import target_of
from satsuma.learners.takes import Takes, nothing_known
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.by_class import weights_of
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite

#: Rows that are looked at together, so that their matrix stays in the cache.
_ROWS = 4096


@dataclass(frozen=True)
class LogLikelihood:
    """The negative log-likelihood of rows, and its derivatives by coefficients of contrasts.

    Parameters
    ----------
    loss
        The negative log-likelihood.
    gradient
        (contrasts, 1 + columns).
    hessian
        Square, in the order of the gradient laid flat.
    """

    loss: float
    gradient: Floats
    hessian: Floats

    def __add__(self, other: Self) -> "LogLikelihood":
        """Those of the rows of both."""
        return LogLikelihood(
            self.loss + other.loss, self.gradient + other.gradient, self.hessian + other.hessian
        )

    @classmethod
    def of(
        cls, batch: Table, encoding: Encoding, seen: Array, at: Floats, contrasts: Floats
    ) -> "LogLikelihood":
        """The derivatives of a batch of rows; those of no class in `seen` are left out."""
        assert batch.domain.target is not None, "classes are looked at only where there are some"
        place = np.full(len(batch.domain.target.values) + 1, -1)  # the last is of missing ones
        place[seen] = np.arange(len(seen))
        found = cls(0.0, np.zeros(at.shape), np.zeros((at.size, at.size)))
        for start in range(0, len(batch), _ROWS):
            rows = batch[start : start + _ROWS]
            told = place[target_of(rows)]
            weights = weights_of(rows)
            weights = np.ones(len(rows)) if weights is None else weights
            x = np.hstack([np.ones((len(rows), 1)), encoding.matrix(rows)])
            used = (told >= 0) & (weights > 0)
            if not used.all():
                x, told, weights = x[used], told[used], weights[used]
            found = found + _of_rows(x, told, weights, at, contrasts)
        return found


def _of_rows(
    x: Floats, told: Array, weights: Floats, at: Floats, contrasts: Floats
) -> LogLikelihood:
    scores = (contrasts @ at) @ x.T  # classes by rows: few long rows are gone over faster
    scores -= scores.max(axis=0)
    chances = np.exp(scores)
    total = chances.sum(axis=0)
    loss = float(weights @ (np.log(total) - scores[told, np.arange(len(told))]))
    chances /= total
    mean = contrasts.T @ chances
    gradient = (weights * (mean - contrasts[told].T)) @ x
    n, width = at.shape
    hessian = np.zeros((n, width, n, width))
    for a in range(n):
        for b in range(a, n):
            spread = (contrasts[:, a] * contrasts[:, b]) @ chances - mean[a] * mean[b]
            part = x.T @ (x * (weights * spread)[:, None])
            hessian[a, :, b, :] = part
            hessian[b, :, a, :] = part.T
    return LogLikelihood(loss, gradient, hessian.reshape(n * width, n * width))


@dataclass(frozen=True)
class _State:
    """Where the search for the coefficients has come to.

    Parameters
    ----------
    encoding
        How rows become a matrix; None before the first round.
    seen
        The codes of the classes that weigh something.
    tried
        The coefficients that the next round looks at: (contrasts, 1 + columns).
    found
        The best so far, with the loss there and the curvature.
    step
        What was taken off `found` to get to `tried`.
    """

    encoding: Any = None
    seen: Any = None
    tried: Any = None
    found: Any = None
    loss: float = np.inf
    hessian: Any = None
    step: Any = None
    rounds: int = 0
    converged: bool = False
    done: bool = False


@dataclass(kw_only=True, eq=False)
class Logistic(RoundsLearner):
    """Log odds are a constant, plus a slope times each number, plus something for each value.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Learned by
    Newton's method, in rounds that add up the gradient and the Hessian of the log-likelihood.

    Parameters
    ----------
    l2
        The strength of regularization, what the squares of the coefficients cost: the negative
        log-likelihood plus half of `l2` times the sum of squares is least, as in scikit-learn's
        ``LogisticRegression(C=1 / l2)``. Coefficients are per standard deviation of a number (over
        n), and per value of a symbol; the constant costs nothing. At 0, classes that can be told
        apart without an error get coefficients that only the number of rounds keeps finite.
    tolerance
        The last step is below so many standard errors.
    rounds
        How many rounds there may be; whether that was enough is in ``model.converged``.

    Notes
    -----
    With two classes the coefficients are those of the log odds of the second against the first;
    with more, each class has its own, of the log odds against the geometric mean of all, and they
    sum to 0 over the classes. `model.coefficients` has them per unit of a number, and for a value
    of a symbol beside the average of the values by their shares. Standard errors are from the
    inverse of the curvature, penalty included, but for directions that make no difference: all
    classes, or all values of a symbol, alike. A class that was not there in learning has a
    probability of 0.

    Examples
    --------
    >>> import satsuma
    >>> model = Logistic()(satsuma.load("titanic"))
    >>> model({"status": "crew", "age": "adult", "sex": "female"})
    'yes'
    """

    l2: float = 1.0
    tolerance: float = 1e-8
    rounds: int = 100

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(rounds="many")

    def check(self) -> None:
        """The penalty is not negative; there are rounds."""
        check_number(self, "l2", low=0)
        check_number(self, "tolerance", low=0)
        check_number(self, "rounds", low=2, whole=True)

    def start(self, domain: Domain) -> _State:  # noqa: ARG002 - the first tally has it
        """Nothing is known."""
        return _State()

    def tally(self, state: _State, batch: Table) -> Composite | LogLikelihood:
        """Moments and counts at first; then the likelihood, its slope and its curvature."""
        if state.encoding is None:
            return Encoding.tally(batch)
        return LogLikelihood.of(
            batch, state.encoding, state.seen, state.tried, contrasts(len(state.seen))
        )

    def advance(self, state: _State, tally: Any) -> _State:
        """Take a step of Newton's, or half the last one where that went too far."""
        if state.encoding is None:
            return _first(tally)
        state = replace(state, rounds=state.rounds + 1)
        loss, gradient, hessian = self._penalised(tally, state.tried)
        # Near the end, steps change the loss by less than its rounding.
        if not loss <= state.loss + 1e-9 * abs(state.loss):
            if state.rounds >= self.rounds:
                return replace(state, tried=state.found, done=True)
            step = state.step / 2
            return replace(state, tried=state.found - step, step=step)
        step = (_inverse(hessian, self.l2) @ gradient.ravel()).reshape(gradient.shape)
        length = float(np.sqrt(max(gradient.ravel() @ step.ravel(), 0.0)))
        converged = length <= self.tolerance
        return replace(
            state,
            tried=state.tried - step,
            found=state.tried,
            loss=loss,
            hessian=hessian,
            step=step,
            converged=converged,
            done=converged or state.rounds >= self.rounds,
        )

    def conclude(self, state: _State) -> LogisticModel:
        """The coefficients and their covariance."""
        covariance = _inverse(state.hessian, self.l2).reshape(2 * state.tried.shape)
        return LogisticModel(
            state.encoding, state.seen, state.tried, covariance, converged=state.converged
        )

    def _penalised(self, tally: LogLikelihood, at: Floats) -> tuple[float, Floats, Floats]:
        price = np.full(at.shape, float(self.l2))
        price[:, 0] = 0.0
        loss = tally.loss + float((price * at * at).sum()) / 2
        return loss, tally.gradient + price * at, tally.hessian + np.diag(price.ravel())


def _first(tally: Composite) -> _State:
    """The state after the rows were looked at: all coefficients are 0."""
    seen: Array = np.flatnonzero(tally[ClassCounts].class_weight > 0)
    if not len(seen):
        raise nothing_known("Logistic")
    encoding = Encoding.of(tally)
    tried = np.zeros((len(seen) - 1, 1 + len(encoding.mean)))
    hessian = np.zeros((0, 0))
    return _State(encoding, seen, tried, hessian=hessian, converged=True, done=len(seen) == 1)


def _inverse(hessian: Floats, l2: float) -> Any:
    """The inverse; without a penalty, 0 along directions that say nothing."""
    if l2 > 0:
        try:
            return np.linalg.inv(hessian)
        except np.linalg.LinAlgError:  # a class is so improbable that its constant is free
            pass
    return np.linalg.pinv(hessian, rcond=1e-12, hermitian=True)
