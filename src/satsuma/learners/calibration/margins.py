"""Margins and votes made log-probabilities, by those of models that have not seen the row."""

from typing import NamedTuple, cast

import numpy as np

from satsuma.numerics.arrays import Array, Floats, Indices

#: Steps of Newton's method, and what the last one may be.
_STEPS, _LAST = 100, 1e-13


class Margins(NamedTuple):
    """Margins, or votes, of models that have not learned from the rows.

    Parameters
    ----------
    values
        Kinds of margins, by rows, by classes.
    known
        Rows by classes: whether the model of the row has seen the class.
    """

    values: Floats
    known: Array


def fit_margins(margins: Margins, labels: Array, weights: Floats) -> tuple[Floats, Floats]:
    """A slope for each kind of margin, and a constant for each class: most probable together.

    Log-probabilities are the sum of slopes times margins, and a constant. The first slope is drawn
    towards 1, and everything else towards 0, as by a single row. A slope is never negative.

    Examples
    --------
    >>> values = np.array([[[2.0, 0], [1.0, 0], [0, 1.0], [0.5, 0]]])
    >>> margins = Margins(values, np.ones((4, 2), bool))
    >>> slopes, constants = fit_margins(margins, np.array([0, 0, 1, 1]), np.ones(4))
    >>> slopes.round(3), constants.round(3)
    (array([1.365]), array([-0.266,  0.266]))
    """
    kinds, classes = len(margins.values), margins.known.shape[1]
    used = np.arange(kinds)
    while True:
        found = _newton(Margins(margins.values[used], margins.known), labels, weights, used)
        slopes = np.zeros(kinds)
        slopes[used] = found[: len(used)]
        if not len(used) or slopes.min() >= 0:
            return slopes, found[len(used) :].reshape(classes)
        used = used[used != slopes.argmin()]


def _newton(margins: Margins, labels: Array, weights: Floats, used: Indices) -> Floats:
    """The slopes of the kinds that are used, and the constants."""
    prior = np.zeros(len(used) + margins.values.shape[2])
    prior[: len(used)] = used == 0
    found = prior.copy()
    loss, gradient, hessian = _objective(margins, labels, weights, found, prior)
    for _ in range(_STEPS):
        step = cast("Floats", np.linalg.solve(hessian, gradient))
        now = _objective(margins, labels, weights, found - step, prior)
        while now[0] > loss + 1e-12 * abs(loss) and np.abs(step).max() > _LAST:
            step = step / 2
            now = _objective(margins, labels, weights, found - step, prior)
        found, (loss, gradient, hessian) = found - step, now
        if np.abs(step).max() <= _LAST * (1 + np.abs(found).max()):
            break
    return found


def _objective(
    margins: Margins, labels: Array, weights: Floats, at: Floats, prior: Floats
) -> tuple[float, Floats, Floats]:
    """Minus the log-likelihood with what the prior adds, its gradient and its Hessian."""
    values, known = margins
    kinds, classes = len(values), known.shape[1]
    scores = np.tensordot(at[:kinds], values, 1) + at[kinds:]
    scores = np.where(known, scores, -np.inf)
    scores -= scores.max(axis=1, keepdims=True)
    shares = np.exp(scores)
    total = shares.sum(axis=1)
    shares /= total[:, None]
    rows, away = np.arange(len(labels)), at - prior
    loss = float(weights @ (np.log(total) - scores[rows, labels])) + float(away @ away) / 2
    means = (values * shares).sum(axis=2)
    weighed = shares * weights[:, None]
    gradient = np.empty(kinds + classes)
    gradient[:kinds] = (means - values[:, rows, labels]) @ weights
    gradient[kinds:] = weighed.sum(axis=0) - np.bincount(labels, weights, classes)
    hessian = np.eye(kinds + classes)
    centred = values - means[:, :, None]
    hessian[:kinds, :kinds] += np.einsum("anc,bnc,nc->ab", centred, values, weighed, optimize=True)
    cross = (centred * weighed).sum(axis=1)
    hessian[:kinds, kinds:] += cross
    hessian[kinds:, :kinds] += cross.T
    hessian[kinds:, kinds:] += np.diag(weighed.sum(axis=0)) - shares.T @ weighed
    return loss, gradient + away, hessian
