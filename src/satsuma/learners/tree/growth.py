"""Growth of a tree: at once from a table in memory, or level by level from tallies of batches."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import (
    QUANTUM,
    THRESHOLD,
    Split,
    best_split,
    between,
    refine,
    significant,
    weights_of,
)
from satsuma.learners.tree.binning import Binning, Sample, value_counts
from satsuma.learners.tree.distinct_row_tally import DistinctRows
from satsuma.learners.tree.histograms import (
    HeldOutSums,
    NodeHistograms,
    ThresholdValues,
    held_out_sums,
    number_stats,
)
from satsuma.learners.tree.setup import (
    FEW_ROWS,
    Rows,
    Setup,
    nothing_to_learn_from,
    rows_of,
    target_of,
    where_missing,
)
from satsuma.learners.tree.structure import GREATEST, LEAST, GrownTree, TreeArrays, TreeBuilder
from satsuma.numerics.arrays import Array, Floats, Hashes
from satsuma.numerics.sums import weighted_bincount
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: Cells that are counted in one round.
_BUDGET = 1 << 23


@dataclass(frozen=True)
class State:
    """A tree between two rounds.

    Parameters
    ----------
    setup
        What was settled before.
    tree
        As far as it has grown.
    waiting
        Nodes that have not been looked at.
    cutting
        Nodes that are to be divided between two bins, and where exactly is to be found.
    binning, centre
        The bins of the columns, and what is subtracted from a target of numbers.
    mixed
        Which bins hold several values.
    held
        What the rows held out come to.
    whole
        The tree where it was grown at once, from rows that were few enough to be gathered.
    """

    setup: Setup
    tree: TreeBuilder = field(default_factory=TreeBuilder)
    waiting: tuple[int, ...] = ()
    cutting: tuple[tuple[int, Split, Floats], ...] = ()
    binning: Binning | None = None
    centre: float = 0.0
    mixed: npt.NDArray[np.bool_] | None = None
    held: Floats | None = None
    whole: TreeArrays | None = None

    @property
    def grown(self) -> TreeArrays:
        """The tree as far as it has grown."""
        return self.tree.grown if self.whole is None else self.whole

    @property
    def grown_up(self) -> bool:
        """Whether no node is left to be divided."""
        return self.binning is not None and not self.waiting and not self.cutting

    @property
    def outcome(self) -> GrownTree:
        """What growing has come to."""
        return GrownTree(self.setup, self.grown, self.centre, self.held)

    @property
    def done(self) -> bool:
        """Whether there is nothing left to be counted."""
        return self.grown_up and (self.held is not None or not self.setup.held_out)

    @property
    def chunk(self) -> tuple[int, ...]:
        """The nodes that are counted in the next round."""
        assert self.binning is not None
        room = len(self.binning.names) * self.binning.width * self.setup.channels
        return self.waiting[: max(1, _BUDGET // max(room, 1))]


@dataclass(frozen=True)
class FirstLook:
    """What the first round finds: a sample, and the target of rows where columns are missing."""

    sample: Sample
    where_missing: TargetWhereMissing | None

    def __add__(self, other: "FirstLook") -> "FirstLook":
        mine, theirs = self.where_missing, other.where_missing
        both = None if mine is None or theirs is None else mine + theirs
        return FirstLook(self.sample + other.sample, both)

    @classmethod
    def of(cls, setup: Setup, rows: Rows, hashes: Hashes) -> "FirstLook":
        """What is found in the rows of a batch."""
        return cls(Sample.of(rows.batch, hashes), where_missing(setup, rows.batch))

    def lay_out(self, setup: Setup) -> tuple[Setup, Binning]:
        """What follows from the first look: what nodes ask for, and in which bins."""
        if not len(self.sample.hashes):
            raise nothing_to_learn_from(setup.learner)
        setup = setup.decided(self.where_missing).binned(self.sample.distinct)
        assert setup.bins is not None
        sample = self.sample.asked(setup.asked)
        binning = Binning.of(setup.domain, sample, setup.bins)
        return setup._replace(values=value_counts(setup.domain, sample)), binning


def tally(state: State, batch: Table) -> Any:
    """All that the next round is to know of a batch."""
    if state.grown_up:
        return HeldOutSums(held_out_sums(state.setup, state.grown, state.centre, batch))
    rows, hashes = rows_of(state.setup, batch)
    if state.binning is None:
        return FirstLook.of(state.setup, rows, hashes)
    if state.setup.rules.every:
        return DistinctRows.of(rows.batch, hashes, rows.weights)
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
    assert state.binning is not None
    codes, mixed = state.binning.codes(rows.batch)
    columns = state.binning.columns(rows.batch)
    row, node, share = kernel.reach(state.tree.flat, columns, len(codes), QUANTUM)
    wanted = [node for node, _, _ in state.cutting] or state.chunk
    at = np.full(len(state.tree.column), -1)
    at[list(wanted)] = np.arange(len(wanted))
    here = at[node] >= 0
    row, slot = row[here], at[node][here]
    return _There(row, slot, rows.weighed(row, share[here]), codes, mixed)


def _counted(state: State, rows: Rows, there: _There) -> NodeHistograms:
    assert state.binning is not None
    setup, nodes, bins = state.setup, len(state.chunk), state.binning.width
    row, slot, weight, codes, mixed = there
    channels = setup.channels
    cells = np.empty((nodes, codes.shape[1], bins, channels))
    if setup.classes:
        label = rows.target[row]
        stats = weighted_bincount(slot * channels + label, weight, nodes * channels)
        for j in range(codes.shape[1]):
            index = (slot * bins + codes[row, j]) * channels + label
            sums = weighted_bincount(index, weight, nodes * bins * channels)
            cells[:, j] = sums.reshape(nodes, bins, channels)
        return NodeHistograms(cells, stats.reshape(nodes, channels), mixed)
    away = rows.target[row] - state.centre
    for j in range(codes.shape[1]):
        index = slot * bins + codes[row, j]
        for channel, each in enumerate((weight, weight * away)):
            cells[:, j, :, channel] = weighted_bincount(index, each, nodes * bins).reshape(
                nodes, bins
            )
    return NodeHistograms(cells, number_stats(slot, weight, away, nodes), mixed)


def _cut(state: State, rows: Rows, there: _There) -> ThresholdValues:
    assert state.binning is not None
    splits = [split for _, split, _ in state.cutting]
    asked = np.array([split.column for split in splits])[there.slot]
    code = there.codes[there.row, asked]
    low, high = np.array([split.bins for split in splits]).T
    inside = (code == low[there.slot]) | (code == high[there.slot])
    asked, row, slot = asked[inside], there.row[inside], there.slot[inside]
    values = np.empty(len(row))
    columns = state.binning.columns(rows.batch)
    for j in np.unique(asked).tolist():
        values[asked == j] = columns[j][row[asked == j]]
    return ThresholdValues.of(slot, values + 0.0, _channels(state, rows, row, there.weight[inside]))


def _channels(state: State, rows: Rows, row: Array, weight: Floats) -> Floats:
    """Rows by channels: what each part of a row adds to its bin."""
    if not state.setup.classes:
        return np.stack([weight, weight * (rows.target[row] - state.centre)], axis=1)
    made = np.zeros((len(row), state.setup.classes))
    made[np.arange(len(row)), rows.target[row]] = weight
    return made


def advance(state: State, found: Any) -> State:
    """The tree after a round."""
    if isinstance(found, HeldOutSums):
        return replace(state, held=found.sums)
    if isinstance(found, FirstLook):
        return _framed(state, found)
    if isinstance(found, DistinctRows):
        assert state.binning is not None
        rows = Rows(found.table, target_of(state.setup, found.table), found.weights)
        coded = _coded(state.setup, state.binning, rows, state.centre)
        return replace(state, whole=_grown(state.setup, coded), waiting=())
    tree = state.tree.copy()
    if isinstance(found, ThresholdValues):
        waiting = list(state.waiting)
        for at, (node, split, below) in enumerate(state.cutting):
            here = slice(*np.searchsorted(found.at, [at, at + 1]))
            scale = state.setup.scale(tree.stats[node])
            known = split.known.sum(axis=0)
            cells = found.cells[here]
            threshold, sides = refine(
                found.values[here],
                cells,
                below,
                known,
                rules=state.setup.rules,
                tie=scale,
            )
            waiting += divide(state.setup, tree, node, split._replace(known=sides), threshold)
        return replace(state, tree=tree, waiting=tuple(waiting), cutting=())
    return _counted_up(state, tree, found)


def _framed(state: State, look: FirstLook) -> State:
    """The state in which the bins are known, and the root is waiting."""
    setup, binning = look.lay_out(state.setup)
    tree, centre = state.tree.copy(), look.sample.centre
    root = tree.add(0, 1.0, np.zeros(setup.classes or 5))
    return replace(state, setup=setup, tree=tree, waiting=(root,), binning=binning, centre=centre)


def _counted_up(state: State, tree: TreeBuilder, found: NodeHistograms) -> State:
    assert state.binning is not None
    chunk = state.chunk
    mixed = found.mixed if state.mixed is None else state.mixed
    waiting, cutting = list(state.waiting[len(chunk) :]), list(state.cutting)
    for node, cells, stats in zip(chunk, found.cells, found.stats, strict=True):
        tree.stats[node] = stats
        split = _split(state.setup, state.binning, tree.depth[node], cells, stats)
        if split is None:
            continue
        low, high = split.bins
        if split.form == THRESHOLD and mixed[split.column, [low, high]].any():
            cutting.append((node, split, cells[split.column, :low].sum(axis=0)))
            continue
        edges = state.binning.edges[split.column]
        threshold = np.nan if edges is None else between(edges[low], edges[high])
        waiting += divide(state.setup, tree, node, split, threshold)
    return replace(state, tree=tree, waiting=tuple(waiting), cutting=tuple(cutting), mixed=mixed)


def _split(
    setup: Setup, binning: Binning, depth: int, cells: Floats, stats: Floats
) -> Split | None:
    """How a node is to be divided; None for a leaf."""
    pure = (stats > 0).sum() < 2 if setup.classes else stats[LEAST] == stats[GREATEST]
    weight = float(weights_of(stats, setup.rules.measure))
    if pure or depth >= setup.rules.max_depth or weight < setup.rules.min_split:
        return None
    return best_split(cells, binning.levels, setup.forms, setup.rules, setup.scale(stats))


def divide(
    setup: Setup, tree: TreeBuilder, node: int, split: Split, threshold: float
) -> Sequence[int]:
    """Give a node its branches, unless they are due to chance; the new nodes."""
    if not significant(split.known, setup.rules):
        return []
    weight = weights_of(split.known, setup.rules.measure)
    nothing = np.zeros(setup.classes or 5)
    depth = tree.depth[node] + 1
    new = [tree.add(depth, share, nothing) for share in (weight / weight.sum()).tolist()]
    tree.column[node], tree.threshold[node] = split.column, threshold
    of_bin = [0, 1] if split.form == THRESHOLD else split.branch.tolist()
    tree.branches[node] = [new[branch] if branch >= 0 else -1 for branch in of_bin]
    return new


def bin_rows(setup: Setup, table: Table) -> tuple[Setup, kernel.Coded, float]:
    """The rows of a table in codes, and what has been subtracted from a target of numbers.

    In the setup, it is decided whose missing cells tell something.
    """
    rows, hashes = rows_of(setup, table)
    look = FirstLook.of(setup, rows, hashes)
    setup, binning = look.lay_out(setup)
    if setup.rules.every and len(rows.batch) > 2 * FEW_ROWS:  # most of them again and again
        found = DistinctRows.of(rows.batch, hashes, rows.weights)
        rows = Rows(found.table, target_of(setup, found.table), found.weights)
    if setup.asked is not None:
        rows = rows._replace(batch=setup.asked.table(rows.batch))
    centre = look.sample.centre
    return setup, _coded(setup, binning, rows, centre), centre


def _coded(setup: Setup, binning: Binning, rows: Rows, centre: float) -> kernel.Coded:
    labels = rows.target if setup.classes else np.zeros(len(rows.batch), np.int32)
    columns = binning.columns(rows.batch)
    edges, levels = binning.edges, binning.levels
    records, mixed, across = kernel.code_rows(
        columns, edges, levels, len(labels), labels=labels, across=True
    )
    assert across is not None
    away = None if setup.classes else rows.target - centre
    return kernel.Coded(
        records, across, columns, edges, levels, mixed, setup.classes, away, rows.weights
    )


def _grown(setup: Setup, coded: kernel.Coded) -> TreeArrays:
    return TreeArrays(*kernel.grow(coded, setup.forms, setup.rules))


def grow_in_memory(setup: Setup, table: Table) -> GrownTree:
    """The tree of a table, and what rows held out come to in it."""
    setup, coded, centre = bin_rows(setup, table)
    grown = _grown(setup, coded)
    held = held_out_sums(setup, grown, centre, table) if setup.held_out else None
    return GrownTree(setup, grown, centre, held)
