"""Batches: questions that do not repeat themselves, and that are worth what they cost."""

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.learners.model import Model
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Floats, Indices

#: Rows among which a batch is chosen, for each of its rows: those with the greatest scores.
_AMONG = 10


def followers(table: Table, without: str) -> dict[int, Indices]:
    """Rows that are equal to an earlier one in all columns but one, by that earlier row.

    Rows that hold nothing are not equal to each other: nobody knows what they are.

    Examples
    --------
    >>> table = Table.of([(1, None), (2, None), (1, None), (1, None)], ["x", "y"])
    >>> {row: after.tolist() for row, after in followers(table, "y").items()}
    {0: [2, 3]}
    """
    names = [name for name in table.domain.names if name != without]
    if not names or not len(table):
        return {}
    group, holds = np.zeros(len(table), np.int64), np.zeros(len(table), np.bool_)
    for name in names:  # one column more at a time, so that numbers stay small
        codes, full = _codes(table, name)
        codes = np.unique(codes, return_inverse=True)[1]
        group = np.unique(group * (int(codes.max()) + 1) + codes, return_inverse=True)[1]
        holds |= full
    rows = np.flatnonzero(holds)
    order = rows[np.argsort(group[rows], kind="stable")]
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return {int(part[0]): part[1:].astype(np.intp) for part in parts if len(part) > 1}


def _codes(table: Table, name: str) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Cells as codes, and which of them hold something."""
    column = table.column(name)
    if table.domain[name].kind != "text":
        return column, ~table.missing(name)
    seen: dict[Any, int] = {}
    cells = column.tolist()
    codes = [seen.setdefault(cell, len(seen)) for cell in cells]
    return np.array(codes, np.int64), np.array([bool(cell and cell.strip()) for cell in cells])


def diverse_batch(model: Model, pool: Table, rows: Indices, scores: Floats, n: int) -> Indices:
    """Rows of a pool with great scores that are unlike each other.

    Among the ten times as many rows with the greatest scores, the first is the greatest; each
    further one has the greatest score, brought to 0..1, times the square of its distance from
    those taken (the weights of k-means++: Arthur and Vassilvitskii 2007).

    Parameters
    ----------
    model
        Texts are compared by the words that it knows, if it knows any.
    pool
        The rows.
    rows, scores
        Which of them may be taken, those that tie in the order wanted, and how much each is worth.
    n
        How many.
    """
    best = np.argsort(-scores, kind="stable")[: max(_AMONG * n, n)]
    if n >= len(best) or n < 2:
        return rows[best[:n]]
    worth = scores[best]
    worth = np.where(np.isfinite(worth), worth, worth[np.isfinite(worth)].min(initial=0.0))
    width = float(np.ptp(worth))
    worth = (worth - worth.min()) / width if width > 0 else np.ones(len(worth))
    away = _Distances(model, pool[rows[best]])
    taken, least = [0], away.to(0)
    while len(taken) < n:
        gain = (worth + 1 / len(worth)) * least**2
        gain[taken] = -1.0
        taken.append(int(np.argmax(gain)))
        least = np.minimum(least, away.to(taken[-1]))
    return rows[best[np.array(taken)]]


class _Distances:
    """From one of some rows to all of them: by words, or by numbers and symbols."""

    def __init__(self, model: Model, rows: Table) -> None:
        vocabulary: Any = getattr(model, "vocabulary", None)
        used = [v.name for v in rows.domain.attributes if v.kind in ("num", "sym")]
        self._words: Any = None
        if vocabulary is not None:
            words: Any = sp.csr_matrix(vocabulary.matrix(rows))
            norms = np.sqrt(np.asarray(words.multiply(words).sum(axis=1)).ravel())
            self._words = sp.diags(1 / np.where(norms > 0, norms, 1.0)) @ words
        self._rows = rows.select(used) if used and vocabulary is None else None
        self._distance = None if self._rows is None else Distance.of(self._rows)
        self._count = len(rows)

    def to(self, at: int) -> Floats:
        if self._words is not None:
            return 1 - np.clip((self._words @ self._words[at].T).toarray().ravel(), 0, 1)
        if self._distance is not None and self._rows is not None:
            return self._distance.between(self._rows[at], self._rows)
        return np.ones(self._count)


def per_cost(scores: Floats, costs: Floats) -> Floats:
    """What each question is worth for what it costs: its score above the least, per cost.

    Examples
    --------
    >>> per_cost(np.array([-1.0, 0.0, 1.0]), np.array([1.0, 1.0, 4.0]))
    array([0. , 1. , 0.5])
    """
    finite = np.isfinite(scores)
    least = scores[finite].min(initial=np.inf)
    with np.errstate(invalid="ignore"):
        return np.where(finite, (scores - least) / costs, scores)


def check_costs(costs: Floats) -> Floats:
    """Costs that can be weighed: above 0."""
    if not (np.isfinite(costs) & (costs > 0)).all():
        at = int(np.flatnonzero(~(np.isfinite(costs) & (costs > 0)))[0])
        raise DomainError(
            f"A question must cost something, to be weighed by its cost: row {at} costs "
            f"{costs[at]!r}."
        )
    return costs
