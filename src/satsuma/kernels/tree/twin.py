"""What the compiled kernels of trees do, in numpy: hashes of rows, codes of cells, ways down."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]
Hashes = npt.NDArray[np.uint64]

_START, _PRIME = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_MISSING = np.uint64(0x7FF8000000000000)

#: Where codes are these, rows stop on their way down, or are spread over all branches.
UNSEEN, MISSING = -2, -1


class Flat(NamedTuple):
    """A tree as arrays, by node; the root is node 0.

    Parameters
    ----------
    column
        What a node asks for; -1 at a leaf.
    threshold
        Rows up to it go to the first branch. NaN where a symbol is asked for.
    first
        Where the branches of a node begin in `branches`, and behind the last node where they
        end: two, one for each value, or none at a leaf.
    branches
        The node that each branch leads to; -1 for a value that no row had.
    share
        How much of what its parent knew the branch to a node has got.
    """

    column: npt.NDArray[np.int32]
    threshold: Floats
    first: npt.NDArray[np.int64]
    branches: npt.NDArray[np.int32]
    share: Floats


def hash_rows(columns: Sequence[Array], spelled: Sequence[Hashes | None], n: int) -> Hashes:
    """A number for each row that depends on what is in it, and nothing else.

    Parameters
    ----------
    columns
        Numbers, or codes.
    spelled
        For a column of codes, the hash of each value; None for numbers.
    n
        The number of rows.
    """
    made = np.full(n, _START)
    with np.errstate(over="ignore"):
        for column, values in zip(columns, spelled, strict=True):
            if values is None:
                bits = (column + 0.0).view(np.uint64)  # -0.0 is 0.0
                bits = np.where(np.isnan(column), _MISSING, bits)
            else:
                bits = np.append(values, _MISSING)[column]
            made = (made ^ bits) * _PRIME
            made ^= made >> _HALF
        made = made * _PRIME  # once more, so that the last column is stirred as well
        return made ^ (made >> _HALF)


def code_rows(
    columns: Sequence[Array], edges: Sequence[Floats | None], levels: Sequence[int], out: Array
) -> npt.NDArray[np.bool_]:
    """Write the bin of every cell to `out`, and say which bins hold more than their edge.

    Of the bin of the missing cells, it is said whether there are any.

    Parameters
    ----------
    columns
        Numbers, or codes.
    edges
        For numbers the upper edge of each bin; None for codes.
    levels
        How many bins each column has; a missing cell gets the one behind these.
    out
        Rows by columns.
    """
    mixed = np.zeros((len(columns), max(levels, default=0) + 1), np.bool_)
    for j, (column, edge, count) in enumerate(zip(columns, edges, levels, strict=True)):
        if edge is None:
            out[:, j] = np.where(column < 0, count, column)
            mixed[j, count] = (column < 0).any()
            continue
        code = np.minimum(np.searchsorted(edge, column, side="left"), count - 1)
        known = ~np.isnan(column)
        out[:, j] = np.where(known, code, count)
        mixed[j, code[known & (column != edge[code])]] = True
        mixed[j, count] = not known.all()
    return mixed


def flaw(tree: Flat, numbers: Sequence[bool]) -> str | None:
    """What makes arrays no tree that can be walked; None where nothing does.

    A node comes before its branches, in order, and has one node above it. A threshold leads to two
    nodes and a leaf to none; of the values of a symbol, some may lead to the same node or to none.

    Parameters
    ----------
    tree
        The arrays.
    numbers
        Of each column, whether it holds numbers.

    Examples
    --------
    >>> stump = Flat(
    ...     np.array([0, -1, -1], np.int32),
    ...     np.array([1.0, np.nan, np.nan]),
    ...     np.array([0, 2, 2, 2]),
    ...     np.array([1, 99], np.int32),
    ...     np.array([1, 0.5, 0.5]),
    ... )
    >>> flaw(stump, [True])
    "the tree's branch 1 leads to node 99, and it has 3 nodes"
    """
    column, _, first, branches, _ = tree
    n, led = len(column), len(branches)
    if {len(tree.threshold), len(tree.share), len(first) - 1} != {n} or not n:
        return "the tree's arrays are of different lengths"
    sizes = np.diff(first)
    if first[0] != 0 or first[-1] != led or (sizes < 0).any():
        return f"the tree's nodes do not share out its {led} branches"
    if ((column < -1) | (column >= len(numbers))).any():
        return f"a node of the tree asks for a column that is not one of its {len(numbers)}"
    threshold = np.array([*numbers, False])[column]
    if ((column < 0) & (sizes != 0)).any() or (threshold & (sizes != 2)).any():
        return "a node of the tree has too many branches or too few"
    above = np.repeat(np.arange(n), sizes)
    ends = (branches < -1) | (branches >= n) | ((branches == -1) & threshold[above])
    if ends.any():
        at = int(ends.argmax())
        return f"the tree's branch {at} leads to node {branches[at]}, and it has {n} nodes"
    asks = np.bincount(above[branches >= 0], minlength=n) > 0
    if (asks != (column >= 0)).any():
        return "a node of the tree asks, and no branch leads on"
    return _crossed(branches, above, threshold[above])


def _crossed(branches: Array, above: Array, threshold: Array) -> str | None:
    """What is wrong with the ways from node to node, none of which leads outside."""
    back = (branches >= 0) & (branches <= above)
    if back.any():
        at = int(back.argmax())
        return f"the tree's branch {at} leads back, from node {above[at]} to node {branches[at]}"
    at = np.flatnonzero(branches >= 0)
    branches, above, threshold = branches[at], above[at], threshold[at]
    first = np.zeros(int(branches.max(initial=0)) + 1, np.intp)
    first[branches[::-1]] = np.arange(len(at))[::-1]  # where each node is first led to
    again = first[branches] != np.arange(len(at))
    if (again & threshold).any() or (above[first[branches]] != above).any():
        return "two branches of the tree lead to one node"
    branches, above = branches[~again], above[~again]
    if ((branches[1:] <= branches[:-1]) & (above[1:] == above[:-1])).any():
        return "the branches of a node of the tree are not in order"
    return None


def depths(tree: Flat) -> npt.NDArray[np.int64]:
    """How many questions are above each node of a tree without a flaw."""
    up = np.zeros(len(tree.column), np.int64)
    above = np.repeat(np.arange(len(up)), np.diff(tree.first))
    there = tree.branches >= 0
    up[tree.branches[there]] = above[there]
    found = (np.arange(len(up)) != up).astype(np.int64)
    while up.any():  # twice as far up each time
        found += found[up]
        up = up[up]
    return found


def reach(
    tree: Flat, columns: Sequence[Array], n: int, quantum: float = 0.0
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32], Floats]:
    """Where rows end: row, node, and how much of the row gets there.

    Where a cell is missing, the row is spread over all branches by their shares; a value that
    no branch is for ends at the node that asks.

    Parameters
    ----------
    tree
        The tree.
    columns
        Numbers, or codes.
    n
        The number of rows.
    quantum
        What shares are rounded to, so that sums of them are exact; 0 for not at all.
    """
    waiting: tuple[Array, Array, Floats] = np.arange(n), np.zeros(n, np.int32), np.ones(n)
    ended: list[tuple[Array, Array, Floats]] = []
    while len(waiting[0]):
        rows, nodes, shares = waiting
        asked = tree.column[nodes]
        stop = asked < 0
        to = np.full(len(rows), UNSEEN, np.int32)
        for j in map(int, np.unique(asked[~stop])):
            here = np.flatnonzero(asked == j)
            to[here] = _branches(tree, columns[j][rows[here]], nodes[here])
        stop |= to == UNSEEN
        ended.append((rows[stop], nodes[stop], shares[stop]))
        on = to >= 0
        parts = [(rows[on], to[on], shares[on])]
        spread = np.flatnonzero(~stop & (to == MISSING))
        if len(spread):
            parts.append(_spread(tree, rows[spread], nodes[spread], shares[spread], quantum))
        waiting = _joined(parts)
    return _joined(ended) if ended else waiting


def _branches(tree: Flat, cells: Array, nodes: Array) -> Array:
    """The node each row goes on to, `MISSING`, or `UNSEEN` where none is for it."""
    first = tree.first[nodes]
    if cells.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            above = cells > tree.threshold[nodes]
        return np.where(np.isnan(cells), MISSING, tree.branches[first + above])
    known = (cells >= 0) & (cells < tree.first[nodes + 1] - first)
    to = np.where(known, tree.branches[np.where(known, first + cells, 0)], UNSEEN)
    to = np.where(to < 0, UNSEEN, to)
    return np.where(cells < 0, np.maximum(cells, UNSEEN), to)


def _spread(
    tree: Flat, rows: Array, nodes: Array, shares: Floats, quantum: float
) -> tuple[Array, Array, Floats]:
    parts: list[tuple[Array, Array, Floats]] = []
    for node in np.unique(nodes).tolist():
        here = nodes == node
        for child in branches_of(tree, node):
            share: Floats = shares[here] * float(tree.share[child])
            if quantum:
                share = np.rint(share * quantum) / quantum
            some = share > 0
            to = np.full(int(some.sum()), child, np.int32)
            parts.append((rows[here][some], to, share[some]))
    return _joined(parts)


def branches_of(tree: Flat, node: int) -> list[int]:
    """The nodes that the branches of a node lead to, each once."""
    led = tree.branches[tree.first[node] : tree.first[node + 1]]
    return sorted({child for child in led.tolist() if child >= 0})


def _joined(parts: Sequence[tuple[Array, Array, Floats]]) -> tuple[Array, Array, Floats]:
    rows, nodes, shares = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(nodes), np.concatenate(shares)


def binned(index: Array, weights: Floats, count: int) -> Floats:
    """The sum of the weights at each index below a count.

    Examples
    --------
    >>> binned(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [1.0, 0.0, 5.0]
    """
    return np.asarray(np.bincount(index, weights, count), np.float64)


def average(tree: Flat, says: Floats, columns: Sequence[Array], n: int) -> Floats:
    """What the nodes say that rows reach, by how much of the row reaches each.

    Parameters
    ----------
    tree
        The tree.
    says
        (nodes, answers).
    columns
        Numbers, or codes.
    n
        The number of rows.
    """
    if flaw(tree, [column.dtype.kind == "f" for column in columns]) or len(says) != len(tree.share):
        raise ValueError("these arrays are no tree")
    rows, nodes, shares = reach(tree, columns, n)
    out = np.empty((n, says.shape[1]))
    for answer, column in enumerate(says.T):
        out[:, answer] = binned(rows, shares * column[nodes], n)
    return out
