"""Value order: bins and scores as the domain has values and classes, whatever they were learned in.

Learning goes by how values and classes are written: their codes depend on which row comes first,
and another order of the same sums would be rounded otherwise.
"""

from dataclasses import replace

import numpy as np

from satsuma.learners.additive.effect_shapes import Effects
from satsuma.learners.additive.layout import Layout
from satsuma.numerics.arrays import Array, Codes, Indices


def in_class_order(found: Effects, seen: Array) -> tuple[Effects, Array]:
    """The same with scores in the order of the codes of the classes that were seen."""
    order = np.argsort(seen)
    if len(seen) > 2:
        parts = (found.constant[order], found.effects[order], found.errors[order])
        found = Effects(found.layout, *parts, found.rows)
    elif len(seen) == 2 and order[0] > 0:  # the odds of the one are those of the other, turned
        constant, effects = 0.0 - found.constant, 0.0 - found.effects
        found = Effects(found.layout, constant, effects, found.errors, found.rows)
    return found, seen[order]


def in_value_order(found: Effects) -> Effects:
    """The same with the bins of symbols in the order of the codes of their values."""
    layout = found.layout
    bins = [_order(each, level) for each, level in zip(layout.bins, layout.levels, strict=True)]
    coarse = [each[order] for each, order in zip(layout.coarse, bins, strict=False)]
    groups = [_order(each, int(each.max(initial=-1)) + 1) for each in coarse]
    made = replace(
        layout,
        bins=tuple(_renumbered(*each) for each in zip(layout.bins, bins, strict=True)),
        coarse=tuple(_renumbered(*each) for each in zip(coarse, groups, strict=True)),
    )
    cells = _cells(layout, bins, groups)
    effects, errors, rows = found.effects[:, cells], found.errors[:, cells], found.rows[cells]
    return Effects(made, found.constant, effects, errors, rows)


def _order(groups: Codes, count: int) -> Indices:
    """Groups by the first of their members; last the one that rare members share."""
    first = np.arange(count)
    if len(groups):
        first = np.unique(groups, return_index=True)[1]
        if len(groups) > count:
            first[-1] = len(groups)
    return np.argsort(first)


def _renumbered(groups: Codes, order: Indices) -> Codes:
    return np.argsort(order).astype(np.int32)[groups]


def _cells(layout: Layout, bins: list[Indices], groups: list[Indices]) -> Indices:
    """Which cell of a layout each cell is, where bins and coarse bins stand in another order."""
    found: list[Indices] = []
    for start, level, order in zip(layout.starts, layout.levels, bins, strict=False):
        found.append(start + np.append(order, level))
    starts = layout.starts[len(layout.names) :]
    for start, (one, other) in zip(starts, layout.pairs, strict=False):
        cells = groups[one][:, np.newaxis] * len(groups[other]) + groups[other]
        found.append(start + cells.ravel())
    return np.concatenate([np.zeros(0, np.intp), *found])
