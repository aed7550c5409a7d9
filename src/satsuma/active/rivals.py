"""Rivals: models of parts of the rows, tested on the other parts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.active.semi_supervised import labels_of
from satsuma.data.columns import Floats
from satsuma.data.table import Table
from satsuma.evaluate.paired_tests import adjusted_p_values, corrected_p
from satsuma.learners.queries import fitted

Right = npt.NDArray[np.bool_]


def right_answers(models: Sequence[Any], batch: Table) -> Right:
    """Models by rows: who gets which right."""
    truth = labels_of(batch)
    said = [model.codes(fitted(batch, model.domain, model.unseen)) for model in models]
    return np.array([each == truth for each in said])


def indistinguishably_best(
    right: Right, weights: Floats, sizes: Sequence[int], alpha: float = 0.05
) -> list[int]:
    """Which models cannot be told from the best by the parts that they were not learned from.

    The best is compared with each other one by a paired t-test over the parts that neither is
    of, and with all of them together by the method of Holm (1979), as in `Results.rank`; parts do
    not overlap, so nothing is to be corrected for that.

    Parameters
    ----------
    right
        Models by rows: which rows each gets right. The rows of part i, which model i was
        learned from, stand together, one part after the other.
    weights
        What each row weighs.
    sizes
        How many rows each part has.
    alpha
        How often models that are alike may be told apart.

    Examples
    --------
    >>> right = np.array([[1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 0], [0, 0, 0, 1, 0, 0]], bool)
    >>> indistinguishably_best(right, np.ones(6), [2, 2, 2])
    [0, 1, 2]
    """
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    totals = np.add.reduceat(weights, starts)
    scores = np.add.reduceat(right * weights, starts, axis=1) / totals
    means = _without_own(right @ weights, scores * totals, totals)
    np.fill_diagonal(scores, np.nan)
    first, *others = (int(at) for at in np.argsort(-means, kind="stable"))
    chances = {(str(first), str(at)): corrected_p(scores[first] - scores[at], 0.0) for at in others}
    told = adjusted_p_values(chances)
    return [first, *(at for at in others if told[str(first), str(at)] >= alpha)]


def _without_own(sums: Floats, by_part: Floats, totals: Floats) -> Floats:
    return (sums - by_part.diagonal()) / (totals.sum() - totals)
