"""What the compiled kernels of trees do, in numpy: hashes of rows, codes of cells, ways down."""

from collections.abc import Sequence

import numpy as np

from satsuma.kernels.tree.flat import MISSING, UNSEEN, Flat, branches_of, divided, flaw
from satsuma.numerics.arrays import Array, Bools, Codes, Floats, Hashes, Indices
from satsuma.numerics.sums import weighted_bincount

_START, _PRIME = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_MISSING = np.uint64(0x7FF8000000000000)


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
) -> Bools:
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


def reach(
    tree: Flat, columns: Sequence[Array], n: int, quantum: float = 0.0
) -> tuple[Indices, Codes, Floats]:
    """Where rows end: row, node, and how much of the row gets there.

    Where a cell is missing, the row is spread over all branches by their shares; in learning this
    is done once with each row, and its parts then go to the branch with the greatest share. A value
    that no branch is for ends at the node that asks.

    Parameters
    ----------
    tree
        The tree.
    columns
        Numbers, or codes.
    n
        The number of rows.
    quantum
        In learning, into how many equal parts a row is divided; else 0.
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
        children = branches_of(tree, node)
        most = max(children, key=lambda child: float(tree.share[child]))
        given = tree.share[children]
        if quantum:
            given = divided(given, quantum)
        for child, part in zip(children, given.tolist(), strict=True):
            share: Floats = shares[here] * part
            if quantum:
                is_part = shares[here] < 1
                share = np.where(is_part, shares[here] if child == most else 0.0, share)
            some = share > 0
            to = np.full(int(some.sum()), child, np.int32)
            parts.append((rows[here][some], to, share[some]))
    return _joined(parts)


def _joined(parts: Sequence[tuple[Array, Array, Floats]]) -> tuple[Array, Array, Floats]:
    rows, nodes, shares = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(nodes), np.concatenate(shares)


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
    if len(rows) > n:  # the order in which parts of a row are added up
        order = np.argsort(_reading_order(tree)[nodes], kind="stable")
        rows, nodes, shares = rows[order], nodes[order], shares[order]
    out = np.empty((n, says.shape[1]))
    for answer, column in enumerate(says.T):
        out[:, answer] = weighted_bincount(rows, shares * column[nodes], n)
    return out


def _reading_order(tree: Flat) -> Indices:
    """The place of each node where all that is below one comes before what is beside it."""
    place, waiting = np.zeros(len(tree.column), np.intp), [0]
    at = 0
    while waiting:
        node = waiting.pop()
        place[node], at = at, at + 1
        waiting.extend(reversed(branches_of(tree, node)))
    return place
