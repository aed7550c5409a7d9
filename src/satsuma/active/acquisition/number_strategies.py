"""Query strategies for targets that are numbers: which row is most worth a question.

They take ``(model, pool, labelled)`` and return a score for every row of the pool, as all of
`query_strategies` do.
"""

from typing import Any, Literal, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.learners.ensembles.bagging import Bagging
from satsuma.learners.model import Classifier, Model
from satsuma.learners.queries import fitted
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Floats

#: Rows of the pool whose distances are held at once.
_ROWS = 2_048


def predicted_numbers(model: Model, pool: Table, strategy: str) -> Floats:
    """What a model of numbers predicts for a pool; a model of classes is refused."""
    if isinstance(model, Classifier):
        raise ParameterError(
            f"{strategy!r} is for targets that are numbers, and {type(model).__name__} predicts "
            f"classes: ask by 'uncertain', 'committee', 'dense' or 'explore'."
        )
    return cast("Floats", cast("Any", model).numbers(model.asked(pool)))


def committee_numbers(model: Model, pool: Table, labelled: Table, t: int, seed: int) -> Floats:
    """Models by rows: what models of bootstrap samples of the labelled rows predict."""
    bagged: Any = Bagging(model.learner, t=t, seed=seed)(labelled)
    rows = bagged.asked(pool)
    return np.stack([each.numbers(fitted(rows, each.domain)) for each in bagged.models])


def number_spread(model: Model, pool: Table, labelled: Table, *, t: int, seed: int) -> Floats:
    """How uncertain numbers are: by the model itself if it tells, else by a committee of it."""
    answer: Any = model
    if hasattr(answer, "deviations"):
        return cast("Floats", answer.deviations(model.asked(pool)))
    return committee_numbers(model, pool, labelled, t, seed).std(axis=0)


def greedy(
    model: Model, pool: Table, labelled: Table, *, how: Literal["both", "target"] = "both"
) -> Floats:
    """Greedy sampling: rows unlike all labelled ones, in attributes and predicted target (iGS).

    The score of a row is the least, over the labelled rows, of the difference of the numbers times
    the distance of the attributes (Wu, Lin and Huang 2019). ``explore`` is the same by attributes
    alone (GSx).

    Parameters
    ----------
    model, pool, labelled
        As everywhere here.
    how
        ``both``: as above; ``target``: by the difference of the numbers alone (GSy).
    """
    if how not in ("both", "target"):
        raise ParameterError(
            f"The 'how' parameter of greedy must be 'both' or 'target'. Got {how!r} instead."
        )
    predicted = predicted_numbers(model, pool, "greedy")
    known: Floats = labelled.column(model.target.name)
    if how == "target":
        return np.array([np.abs(known - each).min() for each in predicted])
    distance = Distance.of(pool)
    rows, among = distance.cells(pool), distance.cells(labelled, pool.domain)
    scores = np.empty(len(pool))
    for start in range(0, len(pool), _ROWS):
        part = slice(start, start + _ROWS)
        away = distance.matrix((rows[0][part], rows[1][part]), among)
        scores[part] = (away * np.abs(predicted[part, None] - known)).min(axis=1)
    return scores


def diverse(model: Model, pool: Table, labelled: Table, *, t: int = 5, seed: int = 0) -> Floats:
    """Rows that are uncertain, and unlike all labelled ones: the ranks of both, multiplied.

    Uncertain rows are often alike, and what is unlike all others need not be uncertain.

    Parameters
    ----------
    model, pool, labelled
        As everywhere here. Unlikeness is that of ``greedy``.
    t
        How many models a committee has, for a model that does not tell how uncertain it is.
    seed
        Where chance starts from, for a committee.
    """
    unlike = greedy(model, pool, labelled)
    return ranks(number_spread(model, pool, labelled, t=t, seed=seed)) * ranks(unlike)


def ranks(scores: Floats) -> Floats:
    """From 0 for the least to 1 for the greatest; equal scores in order of their rows."""
    order = np.argsort(scores, kind="stable")
    found = np.empty(len(scores))
    found[order] = np.arange(len(scores)) / max(len(scores) - 1, 1)
    return found


def model_change(
    model: Model, pool: Table, labelled: Table, *, t: int = 5, seed: int = 0
) -> Floats:
    """Expected model change: how far a label would move the model (Cai, Zhang and Zhou 2013).

    For least squares, the gradient of the error of a row is the error times the attributes. What
    the label may be is told by models of bootstrap samples; the score is the mean difference of
    their predictions from that of the model, times the length of the row: attributes in 0..1, from
    the middle of the labelled rows, and 1 for the intercept.

    Parameters
    ----------
    model, pool, labelled
        As everywhere here.
    t
        How many models.
    seed
        Where chance starts from.
    """
    predicted = predicted_numbers(model, pool, "model change")
    others = committee_numbers(model, pool, labelled, t, seed)
    distance = Distance.of(pool)
    number, symbol = distance.cells(pool)
    middle, codes = distance.cells(labelled, pool.domain)
    far = np.zeros(len(pool))
    for at, column in enumerate(middle.T):
        known = column[~np.isnan(column)]
        away = number[:, at] - (known.mean() if len(known) else 0.5)
        far += np.where(np.isnan(away), 0.0, away) ** 2
    for at, column in enumerate(codes.T):
        known = column[column >= 0]
        counts = np.bincount(known, minlength=int(max(symbol[:, at].max(), 0)) + 1)
        shares = counts / max(len(known), 1)
        own = shares[np.maximum(symbol[:, at], 0)]  # of a one-hot row from the mean of such rows
        far += np.where(symbol[:, at] >= 0, 1 - 2 * own + (shares**2).sum(), 0.0)
    return np.abs(others - predicted).mean(axis=0) * np.sqrt(1 + far)
