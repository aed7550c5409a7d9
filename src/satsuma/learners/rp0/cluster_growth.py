"""Growing: a tree of clusters from rows, on threads; the same tree for any number of them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from satsuma.kernels import rp0 as kernel
from satsuma.kernels.rp0 import Division, Grown, Rows, key_below
from satsuma.kernels.threads import map_tiles
from satsuma.measures.projection import cosine_rule
from satsuma.numerics.arrays import Floats, Integers
from satsuma.numerics.differences import difference_sums

#: More rows than this share of all are divided one division at a time, each a task for a thread.
_SHARE = 16

#: So few rows are grown by one thread.
_FEW = 20_000


@dataclass(frozen=True)
class GrowthRules:
    """How clusters are divided.

    Parameters
    ----------
    most
        Rows that stay together.
    pairs
        Pairs of rows that are drawn, of which the farthest become poles.
    keep
        The share of rows that goes down from a division.
    spread
        Which ones: some at ``random``, or evenly between the ``poles``.
    """

    most: int
    pairs: int
    keep: float = 1.0
    spread: str = "random"


class _Task(NamedTuple):
    """Rows to be divided, and the side of a division that they are at."""

    lo: int
    hi: int
    key: int
    above: int
    side: int


def grow_tree(rows: Rows, key: int, rules: GrowthRules) -> tuple[Grown, Integers, Integers]:
    """A tree; which of the rows, by where they lie now, it keeps; how many each division left out.

    Clusters are numbered in the order in which their rows lie, and `start` counts rows that are
    kept. Chance goes by the place in the tree, not by the thread.
    """
    n = len(rows.row)
    few = rules.most if rules.keep < 1 else max(n // _SHARE, rules.most, _FEW)
    made: list[tuple[list[int], Division]] = []
    left: list[int] = []
    ends: list[_Task] = []
    level = [_Task(0, n, key, -1, 0)]
    while level:
        tasks, level = level, list[_Task]()
        big = [task for task in tasks if task.hi - task.lo > few]
        ends += [task for task in tasks if task.hi - task.lo <= few]
        if not big:
            break
        found = map_tiles(lambda at, _, big=big: _divided(rows, big[at], rules), len(big), 1)
        for task, (division, sides) in zip(big, found, strict=True):
            if sides and task.above >= 0:
                made[task.above][0][task.side] = len(made)
            level += [side._replace(above=len(made)) for side in sides]
            if sides:
                made.append(([0, 0], division))
                left.append(task.hi - task.lo - sum(side.hi - side.lo for side in sides))
            else:
                ends.append(task)
    ends.sort()
    parts = map_tiles(
        lambda at, _: kernel.grow(rows, *ends[at][:3], rules.pairs, rules.most), len(ends), 1
    )
    kept = np.concatenate([np.arange(task.lo, task.hi) for task in ends])
    tree = _joined(made, ends, parts)
    return tree, kept, np.array(left + [0] * (len(tree.below) - len(left)), np.int64)


def _divided(rows: Rows, task: _Task, rules: GrowthRules) -> tuple[Division, list[_Task]]:
    """A division, and the rows at both sides of it that go on; none where it cannot be."""
    found: Division = kernel.divide(rows, task.lo, task.hi, task.key, rules.pairs)
    if found.middle == task.lo:
        return found, []
    keys = key_below(task.key, 0), key_below(task.key, 1)
    ends = [(task.lo, found.middle), (found.middle, task.hi)]
    if rules.keep < 1:
        along = _along(rows, task, found) if rules.spread == "poles" else None
        for side, (lo, hi) in enumerate(ends):
            mine = None if along is None else along[lo - task.lo : hi - task.lo]
            ends[side] = _thinned(rows, (lo, hi), keys[side], rules.keep, mine)
    return found, [_Task(*ends[side], keys[side], -1, side) for side in (0, 1)]


def _along(rows: Rows, task: _Task, division: Division) -> Floats:
    """Where the rows of a division are along the line between its poles."""
    lo, hi = task.lo, task.hi
    number, symbol, p = rows.number[lo:hi], rows.symbol[lo:hi], rows.p
    poles = [int(np.flatnonzero(rows.row[lo:hi] == row)[0]) for row in division.poles]
    first, second = (
        difference_sums(number, symbol, number[at], symbol[at], p) ** (1 / p) for at in poles
    )
    return cosine_rule(first, second, division.gap ** (1 / p))[0]


def _thinned(
    rows: Rows, end: tuple[int, int], key: int, keep: float, along: Floats | None
) -> tuple[int, int]:
    """A share of some rows, which are put before those that are left out."""
    lo, hi = end
    wanted = int(np.ceil(keep * (hi - lo)))
    if along is None:
        chosen = np.sort(np.random.default_rng(key).permutation(hi - lo)[:wanted])
    else:
        order = np.argsort(along, kind="stable")
        chosen = np.sort(order[np.linspace(0, hi - lo - 1, wanted).round().astype(np.intp)])
    others = np.delete(np.arange(hi - lo), chosen)
    for each in (rows.number, rows.symbol, rows.row):
        each[lo:hi] = each[lo:hi][np.concatenate([chosen, others])]
    return lo, lo + wanted


def _joined(made: list[tuple[list[int], Division]], ends: list[_Task], parts: list[Grown]) -> Grown:
    """One tree of the divisions at the top and of the parts at their ends."""
    divisions, clusters, size = len(made), 0, 0
    below = [np.array([sides for sides, _ in made], np.int32).reshape(-1, 2)]
    start: list[Integers] = []
    for task, part in zip(ends, parts, strict=True):
        at, count = len(part.below), len(part.key)
        if task.above >= 0:
            below[0][task.above, task.side] = divisions if at else -1 - clusters
        below.append(np.where(part.below < 0, part.below - clusters, part.below + divisions))
        start.append(part.start[:-1] - task.lo + size)
        divisions, clusters, size = divisions + at, clusters + count, size + task.hi - task.lo
    poles = np.array([each.poles for _, each in made], np.int64).reshape(-1, 2)
    return Grown(
        np.concatenate(below).astype(np.int32),
        np.concatenate([poles, *(part.poles for part in parts)]),
        np.concatenate([[each.gap for _, each in made], *(part.gap for part in parts)]),
        np.concatenate([*start, [size]]).astype(np.int64),
        np.concatenate([part.key for part in parts]),
    )
