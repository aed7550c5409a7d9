"""Choosing k: how many clusters there are, by the elbow of the cost, silhouettes or the gap."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import check_rows
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.kmeans.kmeans import KMeans, KMeansModel
from satsuma.learners.kmeans.space import Cells
from satsuma.measures.elbow import knee
from satsuma.numerics.arrays import Array, Codes, Floats

METHODS = ("elbow", "silhouette", "gap")

#: What clusters cost by a measure of one's own: less is better.
Cost = Callable[[KMeansModel, Table], float]

#: Rows that silhouettes are taken of at most, and tables of chance that the gap is measured from.
SAMPLE, REFERENCES = 2000, 10


@dataclass(frozen=True)
class ChosenK:
    """How many clusters to make, and why.

    Parameters
    ----------
    method
        How it was chosen; for a function, its name.
    k
        What was chosen.
    ks
        The numbers that were tried.
    scores
        What each came to: inertia for ``elbow``, the mean silhouette, the gap, or what the
        function gave.
    error
        By how much each gap may be off; None for the others.
    why
        The reason, in a sentence.
    """

    method: str
    k: int
    ks: tuple[int, ...]
    scores: Floats
    error: Floats | None
    why: str

    def __str__(self) -> str:
        name = {"elbow": "inertia"}.get(self.method, self.method)
        lines = [f"k = {self.k}: {self.why}.", f"{'k':>5} {name:>12}"]
        for k, score in zip(self.ks, self.scores.tolist(), strict=True):
            lines.append(f"{k:>5} {score:>12.5g}{' ←' if k == self.k else ''}")
        return "\n".join(lines)


def choose_k(
    table: Table,
    method: str | Cost = "elbow",
    ks: Iterable[int] | None = None,
    *,
    learner: KMeans | None = None,
    seed: int = 0,
) -> ChosenK:
    """How many clusters k-means should make of a table.

    Parameters
    ----------
    table
        The rows.
    method
        ``elbow``: where the curve of the cost bends most, which is its point farthest from the
        line between its ends. ``silhouette``: where rows are nearest to their own cluster beside
        the next one, on average (Rousseeuw 1987); of a large table, some rows speak for all.
        ``gap``: the first k whose cost is as far below that of rows without clusters as that of the
        next k, but for one standard error (Tibshirani, Walther and Hastie 2001). A function of a
        model and the table: what the clusters cost by a measure of your own, of which less is
        better; its elbow is taken.
    ks
        The numbers to try; 1 to 10, or to the number of rows, unless given.
    learner
        What makes the clusters: `KMeans` with parameters of your own. Its `k` does not matter. Five
        starts with `seed`, unless given.
    seed
        For starts, samples and rows without clusters.

    Notes
    -----
    The distance of two rows is that of `KMeans`, over the columns known in both, times what share
    of all columns that is. Rows without clusters have numbers drawn evenly from the range of each
    column, and symbols drawn from the column, each by itself; what is missing stays so.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma import choose_k, load
    >>> print(choose_k(load("iris"), "silhouette", ks=[2, 3, 4]))
    k = 2: its rows have the highest silhouette on average, 0.63.
        k   silhouette
        2      0.63005 ←
        3      0.50477
        4      0.44507

    The cost may be the median distance of a row from its centre:

    >>> def middle_distance(model, table):
    ...     return np.median(model.distances(table))
    >>> choose_k(load("iris"), middle_distance).k
    2
    """
    if not callable(method) and method not in METHODS:
        raise ParameterError(
            f"method must be one of {METHODS}, or a function of a model and a table. "
            f"Got {method!r} instead."
        )
    check_rows("choose_k takes", table, sources=False)
    table = with_time_features(table, unlabelled=True)
    tried = _tried(table, ks, 2 if method == "silhouette" else 1)
    base = KMeans(starts=5, seed=seed) if learner is None else learner
    models = [_learned(base, table, k) for k in tried]
    if callable(method):
        name = getattr(method, "__name__", type(method).__name__)
        return _elbow(tried, _own_costs(method, models, table), name)
    cost = np.array([model.inertia for model in models])
    if method == "elbow":
        return _elbow(tried, cost)
    if method == "silhouette":
        return _silhouette(tried, models, table, seed)
    return _gap(tried, cost, table, base, seed)


def _tried(table: Table, ks: Iterable[int] | None, least: int) -> tuple[int, ...]:
    most = min(10, len(table))
    found = tuple(range(least, most + 1) if ks is None else sorted(set(ks)))
    if len(found) < 2 or found[0] < least:
        raise ParameterError(
            f"ks must be two whole numbers or more, of at least {least}. Got {list(found)} instead."
        )
    if found[-1] > len(table):
        raise DomainError(f"There are {len(table)} rows, and ks asks for {found[-1]} clusters.")
    return found


def _learned(base: KMeans, table: Table, k: int) -> KMeansModel:
    return replace(base, k=int(k))(table)


def _own_costs(method: Cost, models: list[KMeansModel], table: Table) -> Floats:
    """What a function of the user's says of each model, once it is sure that these are numbers."""
    found = [method(model, table) for model in models]
    try:
        costs = np.array([float(each) for each in found])
    except (TypeError, ValueError):
        costs = np.array([np.nan])
    if not np.isfinite(costs).all():
        raise ParameterError(f"method must give a finite number for each model. Got {found!r}.")
    return costs


def _elbow(ks: tuple[int, ...], cost: Floats, method: str = "elbow") -> ChosenK:
    at = knee(np.array(ks, np.float64), cost)
    why = f"there the cost bends most, from {cost[0]:.4g} to {cost[at]:.4g} and then {cost[-1]:.4g}"
    return ChosenK(method, ks[at], ks, cost, None, why)


def _silhouette(ks: tuple[int, ...], models: list[KMeansModel], table: Table, seed: int) -> ChosenK:
    rows = np.arange(len(table))
    if len(table) > SAMPLE:
        rows = np.sort(np.random.default_rng([seed, len(table)]).permutation(len(table))[:SAMPLE])
    some = table[rows]
    away = pairwise(models[0].space.cells(some))
    weight = np.ones(len(some)) if some.weights is None else some.weights
    scores = [
        float(np.average(silhouettes(away, model.clusters(some), weight), weights=weight))
        for model in models
    ]
    at = int(np.argmax(scores))
    part = "its rows" if len(rows) == len(table) else f"{SAMPLE} of its rows"
    why = f"{part} have the highest silhouette on average, {scores[at]:.2g}"
    return ChosenK("silhouette", ks[at], ks, np.array(scores), None, why)


def pairwise(cells: Cells) -> Floats:
    """The distance of every two rows, over the columns known in both."""
    n, width = len(cells.number), sum(each.shape[1] for each in cells)
    total, known = np.zeros((n, n)), np.zeros((n, n))
    for column in cells.number.T:
        gap = column[:, None] - column
        there = ~np.isnan(gap)
        total += np.where(there, gap * gap, 0.0)
        known += there
    for column in cells.symbol.T:
        there = (column[:, None] >= 0) & (column >= 0)
        total += there & (column[:, None] != column)
        known += there
    return np.sqrt(total * width / np.maximum(known, 1))


def silhouettes(away: Floats, label: Codes, weight: Floats | None = None) -> Floats:
    """How much nearer each row is to its own cluster than to the next: from -1 to 1; alone, 0.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 9.0])
    >>> silhouettes(np.abs(x[:, None] - x), np.array([0, 0, 1])).round(3)
    array([0.889, 0.875, 0.   ])
    """
    weight = np.ones(len(label)) if weight is None else weight
    own = (label[:, None] == np.unique(label)).astype(np.float64)
    size = weight @ own
    sums = away @ (weight[:, None] * own)
    mine = own > 0
    alone = size @ own.T <= weight
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = sums[mine] / (size @ own.T - np.minimum(weight, 1))
        outside = np.where(mine | (size <= 0), np.inf, sums / size).min(axis=1)
        found = (outside - inside) / np.maximum(inside, outside)
    return np.where(alone | ~np.isfinite(found), 0.0, found)


def _gap(ks: tuple[int, ...], cost: Floats, table: Table, base: KMeans, seed: int) -> ChosenK:
    found = np.empty((REFERENCES, len(ks)))
    for at in range(REFERENCES):
        chance = reference_table(table, np.random.default_rng([seed, at]))
        found[at] = [_learned(base, chance, k).inertia for k in ks]
    tiny = np.finfo(np.float64).tiny
    log = np.log(np.maximum(found, tiny))
    gap = log.mean(axis=0) - np.log(np.maximum(cost, tiny))
    error = log.std(axis=0) * np.sqrt(1 + 1 / REFERENCES)
    enough = np.flatnonzero(gap[:-1] >= gap[1:] - error[1:])
    at = int(enough[0]) if len(enough) else len(ks) - 1
    if len(enough):
        why = f"its gap of {gap[at]:.3g} is as large as the next but for one standard error"
    else:
        why = "the gap still grows at the last k that was tried"
    return ChosenK("gap", ks[at], ks, gap, error, why)


def reference_table(table: Table, rng: np.random.Generator) -> Table:
    """Rows with the range of each number and the shares of each symbol, and no clusters."""
    kept: list[Any] = [v for v in table.domain if v.role in ("x", "weight")]
    return Table(
        Domain(kept),
        [_by_chance(v, table.column(v.name), rng) for v in kept],
        check=False,
    )


def _by_chance(variable: Any, column: Array, rng: np.random.Generator) -> Array:
    missing = np.isnan(column) if variable.kind == "num" else column < 0
    known = column[~missing]
    if variable.role == "weight" or not len(known):
        return column
    made = column.copy()
    if variable.kind == "num":
        made[~missing] = rng.uniform(known.min(), known.max(), len(known))
    else:
        made[~missing] = rng.permutation(known)
    return made
