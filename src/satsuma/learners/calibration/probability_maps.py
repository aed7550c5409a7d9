"""Maps from the probabilities of a model to calibrated ones, and how they are fitted.

Rows that were not learned from say what is right of each probability. A row weighs what it weighs,
and what is fitted is drawn a little towards changing nothing, as by a single row.
"""

from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.numerics.arrays import Array, Floats

#: Probabilities are kept so far from 0 (and from 1) before their logarithm is taken.
FLOOR = 1e-9

#: How far the logarithm of a temperature may be from that of 1.
_WIDEST = 6.0


def fit_temperature(probabilities: Floats, truth: Array, weights: Floats) -> float:
    """The temperature that makes the true classes most probable (Guo et al. 2017).

    Parameters
    ----------
    probabilities
        Rows by classes.
    truth
        The class of each row, as a code.
    weights
        What the rows weigh.

    Examples
    --------
    Nine of ten are right where 99 of 100 were promised:

    >>> promised = np.tile([0.99, 0.01], (1000, 1))
    >>> found = fit_temperature(promised, np.arange(1000) % 10 // 9, np.ones(1000))
    >>> heated(promised[:1], found).round(3).tolist()
    [[0.9, 0.1]]
    """
    from scipy import optimize

    logs = _logs(probabilities)
    logs -= logs.max(axis=1, keepdims=True)
    of_truth = np.take_along_axis(logs, truth[:, None].astype(np.intp), axis=1)[:, 0]

    def loss(log_temperature: float) -> float:
        slope = np.exp(-log_temperature)
        sums = np.log(np.exp(slope * logs).sum(axis=1))
        return float(weights @ (sums - slope * of_truth)) + log_temperature**2 / 2

    solve: Any = cast("Any", optimize).minimize_scalar
    found = solve(loss, bounds=(-_WIDEST, _WIDEST), method="bounded", options={"xatol": 1e-9})
    return float(np.exp(found.x))


def heated(probabilities: Floats, temperature: float) -> Floats:
    """Probabilities at a temperature: above 1 they are less certain. Their order stays.

    Examples
    --------
    >>> heated(np.array([[0.8, 0.2]]), 2.0).round(3).tolist()
    [[0.667, 0.333]]
    """
    scores = _logs(probabilities) / temperature
    found = np.exp(scores - scores.max(axis=1, keepdims=True))
    return found / found.sum(axis=1, keepdims=True)


def _logs(probabilities: Floats) -> Floats:
    return np.log(np.maximum(probabilities, FLOOR))


def fit_log_odds(probability: Floats, right: Floats, weights: Floats, *, beta: bool) -> Floats:
    """The coefficients a, b, c of calibrated log-odds a log p - b log(1 - p) + c; a, b >= 0.

    Parameters
    ----------
    probability
        Of one class, for each row.
    right
        1 where the row is of the class, else 0.
    weights
        What the rows weigh.
    beta
        Whether a and b may differ: beta calibration (Kull, Silva Filho and Flach 2017). If not,
        the odds are those of Platt's sigmoid (1999).
    """
    from scipy import optimize

    parts = _log_parts(probability)
    sides = parts if beta else parts.sum(axis=1, keepdims=True)
    x = np.column_stack([sides, np.ones(len(probability))])
    start = np.append(np.ones(sides.shape[1]), 0.0)

    def loss(coefficients: Floats) -> tuple[float, Floats]:
        odds, away = x @ coefficients, coefficients - start
        value = weights @ (np.logaddexp(0, odds) - right * odds) + away @ away / 2
        return float(value), x.T @ (weights * (_logistic(odds) - right)) + away

    bounds = [*[(0.0, None)] * sides.shape[1], (None, None)]
    options = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 1000}
    solve: Any = cast("Any", optimize).minimize
    found = solve(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    return np.asarray(found if beta else found[[0, 0, 1]], np.float64)


def at_log_odds(probability: Floats, coefficients: Floats) -> Floats:
    """Probabilities of one class, calibrated by coefficients as `fit_log_odds` gives them.

    Examples
    --------
    >>> at_log_odds(np.array([0.2, 0.9]), np.array([1.0, 1.0, 0.0])).round(6).tolist()
    [0.2, 0.9]
    """
    return _logistic(_log_parts(probability) @ coefficients[:2] + coefficients[2])


def _log_parts(probability: Floats) -> Floats:
    """Log p, and -log(1 - p)."""
    kept = np.clip(probability, FLOOR, 1 - FLOOR)
    return np.column_stack([np.log(kept), -np.log1p(-kept)])


def _logistic(odds: Floats) -> Floats:
    return np.exp(-np.logaddexp(0, -odds))


class Steps(NamedTuple):
    """A rising curve: what is right at some probabilities; straight between these."""

    at: Floats
    right: Floats


def fit_steps(probability: Floats, right: Floats, weights: Floats) -> Steps:
    """Isotonic regression (Zadrozny and Elkan 2002): the rising curve of least squared error.

    Nothing is certain: its ends are kept a row's weight, in all and two more, away from 0 and 1.

    Examples
    --------
    >>> found = fit_steps(np.array([0.1, 0.4, 0.4, 0.9]), np.array([0, 0, 1, 1.0]), np.ones(4))
    >>> found.at.tolist(), found.right.round(3).tolist()
    ([0.1, 0.4, 0.9], [0.167, 0.5, 0.833])
    """
    from scipy import optimize

    at, place = np.unique(probability, return_inverse=True)
    total = np.bincount(place, weights)
    mean = np.bincount(place, weights * right) / total
    curve = cast("Any", optimize).isotonic_regression(mean, weights=total).x
    margin = 1 / (weights.sum() + 2)
    curve = np.clip(np.asarray(curve, np.float64), margin, 1 - margin)
    # Inside of a flat stretch no knot is needed.
    inner = (np.diff(curve[:-1]) == 0) & (np.diff(curve[1:]) == 0)
    kept = np.flatnonzero(np.concatenate([[True], ~inner, [True]])[: len(at)])
    return Steps(at[kept], curve[kept])
