"""Trees: rows hashed and coded, trees grown in memory, rows sent down; compiled or by the twins."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.kernels import use_native
from satsuma.kernels.threads import FEW_CELLS, TILE, available, map_tiles
from satsuma.kernels.tree import twin
from satsuma.kernels.tree.flat import QUANTUM, UNSEEN, Flat, branches_of, depths, flaw, joined
from satsuma.kernels.tree.splits import (
    EITHER,
    GAIN,
    GAIN_RATIO,
    GINI,
    MULTIWAY,
    PLAIN_RATIO,
    SUBSET,
    THRESHOLD,
    VARIANCE,
    Rules,
    Split,
    best_split,
    between,
    disorder,
    refine,
    significant,
    weights_of,
)
from satsuma.kernels.tree.twin_grower import Grower
from satsuma.numerics.arrays import Array, Bools, Codes, Floats, Hashes, Indices, Integers

_native: Any = None
if compiled := use_native("tree"):
    from satsuma.kernels.tree import _native

__all__ = [
    "EITHER",
    "GAIN",
    "GAIN_RATIO",
    "GINI",
    "MULTIWAY",
    "PLAIN_RATIO",
    "QUANTUM",
    "SUBSET",
    "THRESHOLD",
    "UNSEEN",
    "VARIANCE",
    "Coded",
    "Flat",
    "Growth",
    "Rules",
    "Split",
    "average",
    "best_split",
    "between",
    "branches_of",
    "code_rows",
    "compiled",
    "depths",
    "disorder",
    "flaw",
    "grow",
    "hash_rows",
    "joined",
    "most",
    "reach",
    "refine",
    "significant",
    "weights_of",
]

#: A node with fewer rows than this part of all is grown by one thread, others beside it.
_PARTS = 8

#: A tree of fewer cells is grown sooner by one thread.
_SMALL = 1 << 21


def _threads(n: int, columns: int) -> int | None:
    return 1 if n * columns < FEW_CELLS else None


def _numbers_or_codes(column: Array) -> Array:
    kind = np.float64 if column.dtype.kind == "f" else np.int32
    return column.astype(kind, copy=False)


def _columns(columns: Sequence[Array], n: int) -> Any:
    return _native.Columns([_numbers_or_codes(column) for column in columns], n)


def hash_rows(
    columns: Sequence[Array], spelled: Sequence[Hashes | None], n: int
) -> tuple[Hashes, bool]:
    """A number for each row that depends on its cells alone, and whether one is infinite.

    Examples
    --------
    >>> column = np.array([1.0, 2.0, 1.0, np.nan])
    >>> hashes, infinite = hash_rows([column], [None], 4)
    >>> bool(hashes[0] == hashes[2]), bool(hashes[0] == hashes[1]), infinite
    (True, False, False)
    """
    if not compiled:
        numbers = (c for c, s in zip(columns, spelled, strict=True) if s is None)
        infinite = any(bool(np.isinf(column).any()) for column in numbers)
        return twin.hash_rows(columns, spelled, n), infinite
    out = np.empty(n, np.uint64)
    held, values = _columns(columns, n), _native.Pointers(spelled, np.uint64)

    def of_tile(lo: int, hi: int) -> bool:
        return _native.hash_rows(held, values, lo, hi, out[lo:hi])

    return out, any(map_tiles(of_tile, n, TILE, _threads(n, len(columns))))


def code_rows(
    columns: Sequence[Array],
    edges: Sequence[Floats | None],
    levels: Codes,
    n: int,
    *,
    labels: Array | None = None,
    across: bool = False,
) -> tuple[Array, Bools, Array | None]:
    """The bin of every cell, rows by columns, and which bins hold more than their edge.

    With labels there is one more column, and some that only fill up. Beside these, the bins
    column by column, if that was asked for.

    Examples
    --------
    >>> levels = np.array([2], np.int32)
    >>> codes, mixed, _ = code_rows(
    ...     [np.array([1.0, 5.0, np.nan])], [np.array([1.0, 4.0])], levels, 3
    ... )
    >>> codes.tolist(), mixed.tolist()
    ([[0], [1], [2]], [[False, True, True]])
    """
    most = max(int(levels.max(initial=0)), 0 if labels is None else int(labels.max(initial=0)))
    kind = np.uint8 if most < 256 else np.uint16
    width = len(columns) if labels is None else -(-(len(columns) + 1) // 4) * 4
    codes = np.empty((n, width), kind)
    if labels is not None:
        codes[:, len(columns)] = labels
    turned = np.empty((len(columns), n), kind) if across else None
    if not compiled:
        mixed = twin.code_rows(columns, edges, levels.tolist(), codes)
        if turned is not None:
            turned[:] = codes[:, : len(columns)].T
        return codes, mixed, turned
    held, cuts = _columns(columns, n), _native.Pointers(edges, np.float64)
    bins = int(levels.max(initial=0)) + 1

    def of_tile(lo: int, hi: int) -> npt.NDArray[np.uint8]:
        mixed = np.zeros((len(columns), bins), np.uint8)
        _native.code_rows(held, cuts, levels, lo, hi, codes, turned, mixed)
        return mixed

    tiles = map_tiles(of_tile, n, TILE, _threads(n, len(columns)))
    return codes, np.any(tiles, axis=0), turned


class Coded(NamedTuple):
    """Rows ready to grow trees from; several trees can share them.

    Parameters
    ----------
    records, across
        Codes and labels, and codes column by column, as `code_rows` makes them.
    columns, edges, levels, mixed
        What they were made from, and which bins hold several values.
    classes
        How many there are; 0 for numbers.
    target, weights
        By row, or None.
    """

    records: Array
    across: Array
    columns: Sequence[Array]
    edges: Sequence[Floats | None]
    levels: Codes
    mixed: Bools
    classes: int
    target: Floats | None = None
    weights: Floats | None = None

    @property
    def plain(self) -> bool:
        """Whether all rows are whole: no cell missing, all weighing 1."""
        lost = self.mixed[np.arange(len(self.levels)), self.levels]
        return self.weights is None and not lost.any()


class Growth:
    """What trees are grown by, made ready once: a forest grows many from the same rows.

    Parameters
    ----------
    coded
        The rows.
    forms, rules
        How columns can divide, and when nodes are divided.
    tried
        How many columns each node looks at; all if not given.
    """

    def __init__(self, coded: Coded, forms: Codes, rules: Rules, tried: int | None = None) -> None:
        n, width = len(coded.records), len(coded.columns)
        self._coded, self._forms, self._rules = coded, forms, rules
        self._tried = width if tried is None else tried
        self._task: Any = None
        if compiled:
            self._task = _native.Task(
                coded.records,
                coded.across,
                _columns(coded.columns, n),
                _native.Pointers(coded.edges, np.float64),
                coded.levels,
                forms,
                coded.mixed,
                coded.classes,
                coded.target,
                coded.weights,
                coded.plain,
                rules,
                self._tried,
            )

    def grow(
        self, rows: npt.NDArray[np.uint32] | None = None, seed: int = 0
    ) -> tuple[Flat, Floats]:
        """A tree in reading order, and what the rows at each node come to.

        Parameters
        ----------
        rows
            Those to grow from, some of them several times, one after the other; all if not given.
        seed
            What the columns that nodes look at are drawn by.
        """
        width = len(self._coded.columns)
        if rows is None:
            rows = np.arange(len(self._coded.records), dtype=np.uint32)
        if not compiled:
            return Grower(self._coded, self._forms, self._rules, self._tried).grow(rows, seed)
        alone = available() == 1 or len(rows) * width < _SMALL
        top = self._task.grow(rows, seed, 0 if alone else len(rows) // _PARTS)
        if alone:
            *flat, stats = top.arrays()
            return Flat(*flat), stats
        order = np.argsort(-np.array(top.open_rows, np.int64), kind="stable")
        grown = (
            map_tiles(lambda at, _: self._task.grow_open(top, int(order[at])), len(order), 1)
            if len(order)
            else []
        )
        parts = [grown[at].arrays() for at in np.argsort(order)]
        return _spliced(top.arrays(), top.open_at, parts)


def grow(
    coded: Coded,
    forms: Codes,
    rules: Rules,
    rows: npt.NDArray[np.uint32] | None = None,
    *,
    tried: int | None = None,
    seed: int = 0,
) -> tuple[Flat, Floats]:
    """One tree grown in memory; see `Growth`."""
    return Growth(coded, forms, rules, tried).grow(rows, seed)


def _spliced(top: Any, open_at: Integers, parts: Sequence[Any]) -> tuple[Flat, Floats]:
    """A tree with its open nodes replaced by what has grown from them."""
    if not parts:
        return Flat(*top[:5]), top[5]
    sizes = np.ones(len(top[0]), np.int64)
    sizes[open_at] = [len(part[0]) for part in parts]
    at = np.cumsum(sizes) - sizes
    total = int(sizes.sum())
    column, threshold = np.empty(total, np.int32), np.empty(total)
    share, stats = np.empty(total), np.empty((total, top[5].shape[1]))
    count = np.empty(total, np.int64)
    places = [
        (top, at),
        *((p, at[o] + np.arange(len(p[0]))) for p, o in zip(parts, open_at.tolist(), strict=True)),
    ]
    for part, place in places:
        column[place], threshold[place], share[place], stats[place] = (
            part[0],
            part[1],
            part[4],
            part[5],
        )
        count[place] = np.diff(part[2])
    first = np.concatenate([[0], np.cumsum(count)])
    branches = np.empty(int(first[-1]), np.int32)
    for part, place in places:
        size = np.diff(part[2])
        where = np.repeat(first[place] - part[2][:-1], size) + np.arange(len(part[3]))
        branches[where] = np.where(part[3] < 0, -1, place[part[3]])
    return Flat(column, threshold, first, branches, share), stats


def reach(
    tree: Flat, columns: Sequence[Array], n: int, quantum: float = 0.0
) -> tuple[Indices, Codes, Floats]:
    """Where rows end: row, node, and how much of the row gets there; see the twin."""
    return twin.reach(tree, columns, n, quantum)


def average(tree: Flat, says: Floats, columns: Sequence[Array], n: int) -> tuple[Floats, bool]:
    """What the nodes say that rows reach, and whether a number in the columns is infinite.

    Examples
    --------
    >>> stump = Flat(
    ...     np.array([0, -1, -1], np.int32),
    ...     np.array([1.0, np.nan, np.nan]),
    ...     np.array([0, 2, 2, 2]),
    ...     np.array([1, 2], np.int32),
    ...     np.array([1, 0.5, 0.5]),
    ... )
    >>> says = np.array([[5.0], [4.0], [6.0]])
    >>> average(stump, says, [np.array([0.0, 2.0, np.nan])], 3)[0].ravel().tolist()
    [4.0, 6.0, 5.0]
    """
    if not compiled:
        infinite = any(c.dtype.kind == "f" and bool(np.isinf(c).any()) for c in columns)
        return twin.average(tree, says, columns, n), infinite
    walk = _walk(tree, says, columns, n)
    out = np.empty((n, says.shape[1]))
    says = np.ascontiguousarray(says)

    def of_tile(lo: int, hi: int) -> bool:
        node = np.empty(hi - lo, np.int32)
        infinite = walk.ends(lo, hi, node)
        np.take(says, node, axis=0, out=out[lo:hi], mode="clip")
        spread = np.flatnonzero(node < 0)
        if len(spread):
            out[lo:hi][spread] = _spread(walk, says, spread + lo)
        return infinite

    return out, any(map_tiles(of_tile, n, TILE, _threads(n, len(columns))))


def most(tree: Flat, says: Floats, columns: Sequence[Array], n: int) -> tuple[Indices, bool]:
    """Where the average of what nodes say is greatest, the first of several; as `average`."""
    if not compiled:
        found, infinite = average(tree, says, columns, n)
        return found.argmax(axis=1), infinite
    walk = _walk(tree, says, columns, n)
    out = np.empty(n, np.intp)
    says = np.ascontiguousarray(says)
    best = says.argmax(axis=1)

    def of_tile(lo: int, hi: int) -> bool:
        node = np.empty(hi - lo, np.int32)
        infinite = walk.ends(lo, hi, node)
        np.take(best, node, out=out[lo:hi], mode="clip")
        spread = np.flatnonzero(node < 0)
        if len(spread):
            out[lo:hi][spread] = _spread(walk, says, spread + lo).argmax(axis=1)
        return infinite

    return out, any(map_tiles(of_tile, n, TILE, _threads(n, len(columns))))


def _walk(tree: Flat, says: Floats, columns: Sequence[Array], n: int) -> Any:
    if len(says) != len(tree.column):
        raise ValueError("these arrays are no tree")
    return _native.Walk(tree, _columns(columns, n))


def _spread(walk: Any, says: Floats, rows: Indices) -> Floats:
    """What rows say that are spread."""
    found = np.empty((len(rows), says.shape[1]))
    walk.spread(rows, says, found)
    return found
