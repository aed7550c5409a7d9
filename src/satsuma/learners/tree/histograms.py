"""Histograms of a growing tree: counts by node, column and bin; values in bins; held-out rows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import QUANTUM
from satsuma.learners.tree.setup import Setup, rows_of
from satsuma.learners.tree.structure import GREATEST, LEAST, SQUARES, SUM, WEIGHT, TreeArrays
from satsuma.numerics.arrays import Array, Floats
from satsuma.numerics.sums import weighted_bincount


@dataclass(frozen=True)
class NodeHistograms:
    """What a round of counting finds: cells and sums by node, and the bins of several values."""

    cells: Floats
    stats: Floats
    mixed: npt.NDArray[np.bool_]

    def __add__(self, other: "NodeHistograms") -> "NodeHistograms":
        stats = self.stats + other.stats
        if stats.shape[1:] == (5,) and self.cells.shape[-1] == 2:
            stats[:, LEAST] = np.minimum(self.stats[:, LEAST], other.stats[:, LEAST])
            stats[:, GREATEST] = np.maximum(self.stats[:, GREATEST], other.stats[:, GREATEST])
        return NodeHistograms(self.cells + other.cells, stats, self.mixed | other.mixed)


@dataclass(frozen=True)
class ThresholdValues:
    """What a round of refining finds: by node and value, sorted, what the rows come to."""

    at: npt.NDArray[np.intp]
    values: Floats
    cells: Floats

    @classmethod
    def of(cls, at: Array, values: Floats, cells: Floats) -> "ThresholdValues":
        """Rows with the same node and value, added up."""
        order = np.lexsort((values, at))
        at, values, cells = at[order], values[order], cells[order]
        new = np.ones(len(at), np.bool_)
        new[1:] = (at[1:] != at[:-1]) | (values[1:] != values[:-1])
        begin = np.flatnonzero(new)
        sums = np.add.reduceat(cells, begin, axis=0) if len(begin) else cells
        return cls(at[begin], values[begin], sums)

    def __add__(self, other: "ThresholdValues") -> "ThresholdValues":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return ThresholdValues.of(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True)
class HeldOutSums:
    """What the rows held out come to at the node where each ends."""

    sums: Floats

    def __add__(self, other: "HeldOutSums") -> "HeldOutSums":
        return HeldOutSums(self.sums + other.sums)


def number_stats(slot: Array, weight: Floats, away: Floats, nodes: int) -> Floats:
    """Weight, sum, squares, least and greatest of numbers, by node."""
    stats = np.zeros((nodes, 5))
    stats[:, LEAST], stats[:, GREATEST] = np.inf, -np.inf
    for channel, each in ((WEIGHT, weight), (SUM, weight * away), (SQUARES, weight * away * away)):
        stats[:, channel] = weighted_bincount(slot, each, nodes)
    np.minimum.at(stats[:, LEAST], slot, away)
    np.maximum.at(stats[:, GREATEST], slot, away)
    return stats


def held_out_sums(setup: Setup, tree: TreeArrays, centre: float, batch: Table) -> Floats:
    """What the rows held out come to at the node where each ends, by node."""
    rows, _ = rows_of(setup, batch, held=True)
    columns = [rows.batch.column(v.name) for v in rows.batch.domain.attributes]
    row, node, share = kernel.reach(tree.flat, columns, len(rows.batch), QUANTUM)
    weight, nodes = rows.weighed(row, share), len(tree.stats)
    if setup.classes:
        index = node * setup.classes + rows.target[row]
        sums = weighted_bincount(index, weight, nodes * setup.classes)
        return sums.reshape(nodes, setup.classes)
    away = rows.target[row] - centre
    return number_stats(node, weight, away, nodes)[:, :3]
