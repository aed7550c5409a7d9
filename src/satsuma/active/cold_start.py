"""Cold start: which rows to ask about while no label is known."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.learners.rp0.rp0 import RP0
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Indices

#: Clusters for each row that is wanted.
_EACH = 4

#: Of more rows than this, so many are drawn at random and stand for all.
_MOST = 20_000


def diverse_rows(table: Table, n: int, seed: int = 0) -> Indices:
    """One row from each of the most different clusters: typical of it, and unlike the others.

    Clusters are those of `RP0`. The first row is from the largest; each further one is from the
    cluster that is farthest from all rows taken so far.

    Parameters
    ----------
    table
        The rows; those without numbers and symbols are drawn at random. A large table is seen
        through a sample of it.
    n
        How many.
    seed
        Where chance starts from.
    """
    attributes = [v.name for v in table.domain.attributes if v.kind in ("num", "sym")]
    if not attributes or n == 0 or n >= len(table):
        return np.random.default_rng(seed).permutation(len(table))[:n].astype(np.intp)
    rows = table.select(attributes)
    if len(rows) > _MOST:
        drawn = np.sort(np.random.default_rng(seed).choice(len(rows), _MOST, replace=False))
        return drawn[diverse_rows(rows[drawn], n, seed)].astype(np.intp)
    size = max(1, len(rows) // (2 * _EACH * n))
    typical, held = _typical_rows(rows, RP0(M=size, seed=seed)(rows).clusters(rows))
    distance = Distance.of(rows)
    taken = [int(np.argmax(held))]
    away = np.full(len(typical), np.inf)
    while len(taken) < min(n, len(typical)):
        away = np.minimum(away, distance.between(rows[int(typical[taken[-1]])], rows[typical]))
        away[taken] = -1.0
        taken.append(int(np.argmax(away)))
    found = typical[taken]
    if len(found) < n:
        rest = np.setdiff1d(np.random.default_rng(seed).permutation(len(table)), found)
        found = np.concatenate([found, rest[: n - len(found)]])
    return found.astype(np.intp)


def _typical_rows(rows: Table, groups: npt.NDArray[np.int32]) -> tuple[Indices, Indices]:
    """The row of each cluster that is nearest to its others, and how many rows it has."""
    distance, found, held = Distance.of(rows), list[int](), list[int]()
    order = np.argsort(groups, kind="stable")
    for inside in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        some = inside[:: max(1, len(inside) // 32)]
        near = rows[some]
        away = [float(distance.between(near[at], near).sum()) for at in range(len(some))]
        found.append(int(some[int(np.argmin(away))]))
        held.append(len(inside))
    return np.array(found, np.intp), np.array(held, np.intp)


def keyword_rows(table: Table, words: Sequence[str], n: int) -> Indices:
    """The rows whose text and symbols hold most of some words; ties go by row.

    Examples
    --------
    >>> table = Table.of(
    ...     [("a red fox",), ("a blue car",)], ["told"], target=None, kinds={"told": "text"}
    ... )
    >>> keyword_rows(table, ["car", "blue"], 1).tolist()
    [1]
    """
    sought = [word.lower() for word in words]
    counts = np.zeros(len(table), np.int64)
    for variable in table.domain.attributes:
        if variable.kind == "num":
            continue
        cells = [str(cell or "").lower() for cell in table[variable.name]]
        counts += np.array([sum(word in cell for word in sought) for cell in cells], np.int64)
    return np.argsort(-counts, kind="stable")[:n].astype(np.intp)
