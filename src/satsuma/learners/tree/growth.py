"""Rounds: a tree grown level by level from tallies of batches, wherever the rows are."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, Floats
from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree_grow_twin import QUANTUM
from satsuma.kernels.tree_scores import (
    THRESHOLD,
    Split,
    best_split,
    between,
    refine,
    significant,
    weights_of,
)
from satsuma.kernels.tree_twin import binned
from satsuma.learners.tree.binning import Frame, Sample
from satsuma.learners.tree.histograms import Counted, Cut, Held, held_sums, number_stats
from satsuma.learners.tree.setup import Plan, Rows, nothing_to_learn_from, rows_of
from satsuma.learners.tree.structure import GREATEST, LEAST, Growing

#: Cells that are counted in one round.
_BUDGET = 1 << 23


@dataclass(frozen=True)
class State:
    """A tree between two rounds.

    Parameters
    ----------
    plan
        What was settled before.
    tree
        As far as it has grown.
    waiting
        Nodes that have not been looked at.
    cutting
        Nodes that are to be divided between two bins, and where exactly is to be found.
    frame, centre
        The bins of the columns, and what is subtracted from a target of numbers.
    mixed
        Which bins hold several values.
    held
        What the rows held out come to.
    """

    plan: Plan
    tree: Growing = field(default_factory=Growing)
    waiting: tuple[int, ...] = ()
    cutting: tuple[tuple[int, Split, Floats], ...] = ()
    frame: Frame | None = None
    centre: float = 0.0
    mixed: npt.NDArray[np.bool_] | None = None
    held: Floats | None = None

    @property
    def grown_up(self) -> bool:
        """Whether no node is left to be divided."""
        return self.frame is not None and not self.waiting and not self.cutting

    @property
    def done(self) -> bool:
        """Whether there is nothing left to be counted."""
        return self.grown_up and (self.held is not None or not self.plan.held_out)

    @property
    def chunk(self) -> tuple[int, ...]:
        """The nodes that are counted in the next round."""
        assert self.frame is not None
        room = len(self.frame.names) * self.frame.width * self.plan.channels
        return self.waiting[: max(1, _BUDGET // max(room, 1))]


def tally(state: State, batch: Table) -> Any:
    """All that the next round is to know of a batch."""
    if state.grown_up:
        return Held(held_sums(state.plan, state.tree.grown, state.centre, batch))
    rows, hashes = rows_of(state.plan, batch)
    if state.frame is None:
        return Sample.of(rows.batch, hashes)
    there = _there(state, rows)
    return _cut(state, rows, there) if state.cutting else _counted(state, rows, there)


class _There(NamedTuple):
    """Parts of rows that are at the nodes which are looked at, and all that is in bins."""

    row: Array
    slot: Array
    weight: Floats
    codes: Array
    mixed: npt.NDArray[np.bool_]


def _there(state: State, rows: Rows) -> _There:
    assert state.frame is not None
    codes, mixed = state.frame.codes(rows.batch)
    columns = state.frame.columns(rows.batch)
    row, node, share = kernel.reach(state.tree.flat, columns, len(codes), QUANTUM)
    wanted = [node for node, _, _ in state.cutting] or state.chunk
    at = np.full(len(state.tree.column), -1)
    at[list(wanted)] = np.arange(len(wanted))
    here = at[node] >= 0
    row, slot = row[here], at[node][here]
    return _There(row, slot, rows.weighed(row, share[here]), codes, mixed)


def _counted(state: State, rows: Rows, there: _There) -> Counted:
    assert state.frame is not None
    plan, nodes, bins = state.plan, len(state.chunk), state.frame.width
    row, slot, weight, codes, mixed = there
    channels = plan.channels
    cells = np.empty((nodes, codes.shape[1], bins, channels))
    if plan.classes:
        label = rows.target[row]
        stats = binned(slot * channels + label, weight, nodes * channels)
        for j in range(codes.shape[1]):
            index = (slot * bins + codes[row, j]) * channels + label
            sums = binned(index, weight, nodes * bins * channels)
            cells[:, j] = sums.reshape(nodes, bins, channels)
        return Counted(cells, stats.reshape(nodes, channels), mixed)
    away = rows.target[row] - state.centre
    for j in range(codes.shape[1]):
        index = slot * bins + codes[row, j]
        for channel, each in enumerate((weight, weight * away)):
            cells[:, j, :, channel] = binned(index, each, nodes * bins).reshape(nodes, bins)
    return Counted(cells, number_stats(slot, weight, away, nodes), mixed)


def _cut(state: State, rows: Rows, there: _There) -> Cut:
    assert state.frame is not None
    splits = [split for _, split, _ in state.cutting]
    asked = np.array([split.column for split in splits])[there.slot]
    code = there.codes[there.row, asked]
    low, high = np.array([split.bins for split in splits]).T
    inside = (code == low[there.slot]) | (code == high[there.slot])
    asked, row, slot = asked[inside], there.row[inside], there.slot[inside]
    values = np.empty(len(row))
    columns = state.frame.columns(rows.batch)
    for j in np.unique(asked).tolist():
        values[asked == j] = columns[j][row[asked == j]]
    return Cut.of(slot, values + 0.0, _channels(state, rows, row, there.weight[inside]))


def _channels(state: State, rows: Rows, row: Array, weight: Floats) -> Floats:
    """Rows by channels: what each part of a row adds to its bin."""
    if not state.plan.classes:
        return np.stack([weight, weight * (rows.target[row] - state.centre)], axis=1)
    made = np.zeros((len(row), state.plan.classes))
    made[np.arange(len(row)), rows.target[row]] = weight
    return made


def advance(state: State, found: Any) -> State:
    """The tree after a round."""
    if isinstance(found, Held):
        return replace(state, held=found.sums)
    if isinstance(found, Sample):
        return _framed(state, found)
    tree = state.tree.copy()
    if isinstance(found, Cut):
        waiting = list(state.waiting)
        for at, (node, split, below) in enumerate(state.cutting):
            here = slice(*np.searchsorted(found.at, [at, at + 1]))
            scale = state.plan.scale(tree.stats[node])
            known = split.known.sum(axis=0)
            cells = found.cells[here]
            threshold, sides = refine(
                found.values[here],
                cells,
                below,
                known,
                rules=state.plan.rules,
                tie=scale,
            )
            waiting += divide(state.plan, tree, node, split._replace(known=sides), threshold)
        return replace(state, tree=tree, waiting=tuple(waiting), cutting=())
    return _counted_up(state, tree, found)


def _framed(state: State, sample: Sample) -> State:
    """The state in which the bins are known, and the root is waiting."""
    plan = state.plan
    if not len(sample.hashes):
        raise nothing_to_learn_from(plan.learner)
    tree = state.tree.copy()
    root = tree.add(0, 1.0, np.zeros(plan.classes or 5))
    frame = Frame.of(plan.domain, sample, plan.bins)
    return replace(state, tree=tree, waiting=(root,), frame=frame, centre=sample.centre)


def _counted_up(state: State, tree: Growing, found: Counted) -> State:
    assert state.frame is not None
    chunk = state.chunk
    mixed = found.mixed if state.mixed is None else state.mixed
    waiting, cutting = list(state.waiting[len(chunk) :]), list(state.cutting)
    for node, cells, stats in zip(chunk, found.cells, found.stats, strict=True):
        tree.stats[node] = stats
        split = _split(state.plan, state.frame, tree.depth[node], cells, stats)
        if split is None:
            continue
        low, high = split.bins
        if split.form == THRESHOLD and mixed[split.column, [low, high]].any():
            cutting.append((node, split, cells[split.column, :low].sum(axis=0)))
            continue
        edges = state.frame.edges[split.column]
        threshold = np.nan if edges is None else between(edges[low], edges[high])
        waiting += divide(state.plan, tree, node, split, threshold)
    return replace(state, tree=tree, waiting=tuple(waiting), cutting=tuple(cutting), mixed=mixed)


def _split(plan: Plan, frame: Frame, depth: int, cells: Floats, stats: Floats) -> Split | None:
    """How a node is to be divided; None for a leaf."""
    pure = (stats > 0).sum() < 2 if plan.classes else stats[LEAST] == stats[GREATEST]
    weight = float(weights_of(stats, plan.rules.measure))
    if pure or depth >= plan.rules.max_depth or weight < plan.rules.min_split:
        return None
    return best_split(cells, frame.levels, plan.forms, plan.rules, plan.scale(stats))


def divide(plan: Plan, tree: Growing, node: int, split: Split, threshold: float) -> Sequence[int]:
    """Give a node its branches, unless they are due to chance; the new nodes."""
    if not significant(split.known, plan.rules):
        return []
    weight = weights_of(split.known, plan.rules.measure)
    nothing = np.zeros(plan.classes or 5)
    depth = tree.depth[node] + 1
    new = [tree.add(depth, share, nothing) for share in (weight / weight.sum()).tolist()]
    tree.column[node], tree.threshold[node] = split.column, threshold
    of_bin = [0, 1] if split.form == THRESHOLD else split.branch.tolist()
    tree.branches[node] = [new[branch] if branch >= 0 else -1 for branch in of_bin]
    return new
