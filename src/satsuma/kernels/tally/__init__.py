"""Tallies of rows by group: compiled kernels or their twins, over tiles of rows and threads.

Groups are codes from 0, -1 for a row that is left out; weights are float64 or None for ones.
Results are the same, bit for bit, whatever the number of threads.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from satsuma.kernels import use_native
from satsuma.kernels.tally import twin
from satsuma.kernels.tally.cross_products import (
    GroupPairs,
    GroupScatter,
    merge_pairs,
    merge_scatter,
    pairs_from_cross,
    pairs_of_complete,
    pairs_without,
    scatter_from_cross,
)
from satsuma.kernels.tally.sparse_scatter import sparse_scatter
from satsuma.kernels.threads import FEW_CELLS, TILE, map_tiles
from satsuma.numerics.arrays import Array, Codes, Floats, Hashes, Integers
from satsuma.numerics.one_hot import SideBySide

_kernel: Any = twin
if compiled := use_native("tally"):
    from satsuma.kernels.tally import _native

    _kernel = _native

__all__ = [
    "GroupMoments",
    "GroupPairs",
    "GroupScatter",
    "bins",
    "compiled",
    "counts",
    "fold_groups",
    "merge_moments",
    "merge_pairs",
    "merge_scatter",
    "moments",
    "pairs_of_complete",
    "pairs_without",
    "row_keys",
    "scatter",
    "spreads",
]

Counted: TypeAlias = tuple[Floats, list[Floats]]
T = TypeVar("T")

#: From so many columns on, cross-products are left to BLAS, which has threads of its own.
WIDE = 64

#: A product of two cells takes so many times as long in a sparse matrix as in BLAS.
SPARSE = 50

#: Cells of a tile that one thread has done before another is awake.
SMALL = 1 << 19

#: Cells of a tile of columns that are laid side by side first.
CELLS = 1 << 20

_CODES = frozenset("bBhi")
_DOWN = -538  # the power of two that brings any float where its square is one too


def _codes(array: Array) -> Array:
    if array.dtype.char in _CODES and array.dtype.isnative:
        return array
    # What does not fit is out of range whatever the range, and stays so.
    return np.clip(array, -2, 2**31 - 1).astype(np.int32)


def _floats(array: Array) -> Floats:
    return array.astype(np.float64, copy=False)


def _tile_of(n: int, columns: int) -> int:
    """Rows of a tile: few enough that two threads share a batch, if that is worth waking one.

    Examples
    --------
    >>> _tile_of(20_000, 20), _tile_of(80_000, 20), _tile_of(10**6, 20)
    (26624, 40960, 65536)
    """
    few = SMALL // max(columns, 1)
    return min(TILE, -(-max(n // 2, few, 1) // 1024) * 1024)


def _tiled(function: Callable[[int, int], T], n: int, columns: int, tile: int = TILE) -> list[T]:
    return map_tiles(function, n, tile, threads=1 if n * columns < FEW_CELLS else None)


def fold_groups(codes: Array, folds: Array, classes: int, count: int) -> Codes:
    """The group ``fold * classes + class`` of each row, -1 where either is missing.

    Examples
    --------
    >>> fold_groups(np.array([0, 1, -1]), np.array([1, 0, 0]), classes=2, count=2)
    array([ 2,  1, -1], dtype=int32)
    """
    codes, folds, out = _codes(codes), _codes(folds), np.empty(len(codes), np.int32)

    def of_tile(start: int, stop: int) -> None:
        _kernel.fold_groups(codes, folds, classes, count, start, stop, out)

    _tiled(of_tile, len(out), 2)
    return out


class GroupMoments(NamedTuple):
    """Moments of groups and columns, arrays (groups, columns); `total` is (groups,).

    A mean is kept as a sum of two floats, the second (`rest`) being what the first is too short
    for: parts whose means differ by less than a float can tell still add up to the right spread.
    """

    total: Floats
    weight: Floats
    mean: Floats
    rest: Floats
    m2: Floats
    lo: Floats
    hi: Floats


def moments(
    columns: Sequence[Array] | Floats,
    groups: Array,
    count: int,
    weights: Floats | None = None,
) -> GroupMoments:
    """Weight, mean, sum of squares about it, least and greatest of each group and column.

    Squares beyond the largest float make `m2` infinite; the mean stays right. Columns may be those
    of one array, columns by rows.

    Examples
    --------
    >>> m = moments([np.array([1.0, 3.0, 9.0])], np.array([0, 0, 1]), 2)
    >>> m.mean.tolist(), m.m2.tolist()
    ([[2.0], [9.0]], [[2.0], [0.0]])
    """
    if not isinstance(columns, np.ndarray):
        columns = [_floats(column) for column in columns]
    batch = _kernel.Batch(columns, groups := _codes(groups), count, weights)

    def of_tile(start: int, stop: int) -> GroupMoments:
        made, finite = from_sums(*_kernel.moments(batch, start, stop))
        if finite:
            return made
        with np.errstate(over="ignore", invalid="ignore"):
            small = [np.ldexp(column[start:stop], _DOWN) for column in columns]
            weighed = None if weights is None else weights[start:stop]
            again = _kernel.Batch(small, groups[start:stop], count, weighed)
            return _brought_up(made, *_kernel.moments(again, 0, stop - start))

    tile = max(_tile_of(len(groups), len(columns)), 32 * count)
    return merge_moments(_tiled(of_tile, len(groups), len(columns), tile))


def from_sums(total: Floats, parts: Floats) -> tuple[GroupMoments, bool]:
    """Moments from the sums that the kernels give, and whether all of these are finite."""
    out = np.empty((6, parts.shape[0], parts.shape[2]))
    finite = _kernel.from_sums(parts, out)
    out.flags.writeable = False
    return GroupMoments(total, *out), finite


def merge_moments(parts: list[GroupMoments]) -> GroupMoments:
    """The moments of all parts together, after Chan, Golub and LeVeque (1983)."""
    if len(parts) == 1:
        return parts[0]
    held = np.array([each[1:] for each in parts])
    out = np.empty(held.shape[1:])
    if held.ndim == 4:
        _kernel.merge(held, out)
    else:  # a single group, or a single value
        twin.merge(held, out)
    out.flags.writeable = False
    return GroupMoments(np.add.reduce([each.total for each in parts]), *out)


def spreads(of: GroupMoments, m: float, least: tuple[float, float]) -> Floats:
    """The standard deviation of each class in each column; infinite where nothing is known.

    Parameters
    ----------
    of
        The moments of each class; behind the classes there may be several dimensions.
    m
        How many imaginary rows each class has that are spread as the whole column is.
    least
        The least variance as a share of that of the column, where a class varies and where not.

    Examples
    --------
    >>> of = moments([np.array([1.0, 3.0, 9.0])], np.array([0, 0, 1]), 2)
    >>> spreads(of, 0.0, (1e-9, 0.1)).round(3).tolist()
    [[1.414], [1.317]]
    """
    shape = len(of.weight), prod(of.weight.shape[1:])
    given = of.weight, of.mean, of.m2, of.lo, of.hi
    held = [np.ascontiguousarray(each).reshape(shape) for each in given]
    out = np.empty(shape)
    _kernel.spreads(held, m, *least, out)
    return out.reshape(of.weight.shape)


def _brought_up(made: GroupMoments, total: Floats, parts: Floats) -> GroupMoments:
    """Moments where sums overflowed, by way of those of smaller numbers."""
    low, _ = from_sums(total, parts)
    fine = np.isfinite(made.mean) & np.isfinite(made.rest) & np.isfinite(made.m2)
    return made._replace(
        mean=np.where(fine, made.mean, np.ldexp(low.mean, -_DOWN)),
        rest=np.where(fine, made.rest, np.ldexp(low.rest, -_DOWN)),
        m2=np.where(fine, made.m2, np.ldexp(low.m2, -2 * _DOWN)),
    )


def scatter(
    columns: Sequence[Array],
    groups: Array,
    count: int,
    weights: Floats | None = None,
    levels: Sequence[int | None] | None = None,
) -> tuple[GroupScatter, GroupPairs | None]:
    """Means and cross-products about them of each group: of complete rows, and of all others.

    Parameters
    ----------
    columns, groups, count, weights
        As everywhere here.
    levels
        How many values each column has, None for numbers: a column of codes enters as one column
        of zeros and ones for each value.

    Examples
    --------
    >>> x, y = np.array([1.0, 3.0, np.nan]), np.array([2.0, 6.0, 0.0])
    >>> complete, others = scatter([x, y], np.zeros(3, np.int32), 1)
    >>> complete.cross.tolist(), others.weight.tolist()
    ([[[2.0, 4.0], [4.0, 8.0]]], [[[0.0, 0.0], [0.0, 1.0]]])
    """
    side = SideBySide(columns, [None] * len(columns) if levels is None else levels)
    groups = _codes(groups)
    kernels = twin if side.width >= WIDE else _kernel
    whole = kernels.Batch(side.columns, groups, count, weights) if side.plain else None
    sparse = kernels is twin and SPARSE * (len(columns) + 1) ** 2 < side.width**2

    def laid(start: int, stop: int) -> tuple[Any, int, int]:
        if whole is not None:
            return whole, start, stop
        rows, weighed = side.rows(start, stop).T, None if weights is None else weights[start:stop]
        return kernels.Batch(list(rows), groups[start:stop], count, weighed), 0, stop - start

    def of_tile(start: int, stop: int) -> tuple[GroupScatter, GroupPairs | None]:
        with np.errstate(over="ignore", invalid="ignore"):
            if sparse:
                rows = None
                found = sparse_scatter(side, twin.Batch([], groups, count, weights), start, stop)
            else:
                rows = laid(start, stop)
                found = kernels.scatter(*rows)
            complete = scatter_from_cross(*found)
            if (complete.weight == complete.total).all():
                return complete, None
            others = pairs_from_cross(*kernels.pairs(*(rows or laid(start, stop))))
            return complete, others if others.weight.any() else None

    tile = max(TILE if side.plain else CELLS // max(side.width, 1), 8 * count * (side.width + 1))
    # BLAS has threads of its own, so what it does is done in one of ours.
    cells = side.width if kernels is not twin else 0
    complete, others = zip(*_tiled(of_tile, len(groups), cells, tile), strict=True)
    some = [each for each in others if each is not None]
    return merge_scatter(list(complete)), merge_pairs(some) if some else None


def counts(
    columns: Sequence[Array],
    levels: Sequence[int],
    groups: Array,
    count: int,
    weights: Floats | None = None,
) -> Counted:
    """The weight of each group, and for each column that of each code: (groups, levels).

    Examples
    --------
    >>> total, (each,) = counts([np.array([0, 1, -1])], [2], np.array([0, 0, 1]), 2)
    >>> total.tolist(), each.tolist()
    ([2.0, 1.0], [[1.0, 1.0], [0.0, 0.0]])
    """
    batch = _kernel.Batch([_codes(column) for column in columns], _codes(groups), count, weights)
    tile = max(TILE, 4 * count * max(levels, default=0))
    return _added(
        _tiled(
            lambda lo, hi: _kernel.counts(batch, levels, lo, hi), len(groups), len(columns), tile
        )
    )


def bins(
    columns: Sequence[Array],
    edges: Sequence[Floats],
    groups: Array,
    count: int,
    weights: Floats | None = None,
) -> Counted:
    """The weight of each group, and for each column that of each bin: (groups, edges + 1).

    Examples
    --------
    >>> x, edges = np.array([1.0, 2.0, 5.0, np.nan]), np.array([2.0, 4.0])
    >>> bins([x], [edges], np.zeros(4, np.int32), 1)[1][0].tolist()
    [[1.0, 1.0, 1.0]]
    """
    cut = [np.ascontiguousarray(each, np.float64) for each in edges]
    batch = _kernel.Batch([_floats(column) for column in columns], _codes(groups), count, weights)
    tile = max(TILE, 4 * count * max(map(len, cut), default=0))

    def of_tile(start: int, stop: int) -> Counted:
        return _kernel.bins(batch, cut, start, stop)

    return _added(_tiled(of_tile, len(groups), len(columns), tile))


def row_keys(
    numbers: Sequence[Array] | Floats,
    by_column: Hashes,
    codes: Sequence[Array],
    terms: tuple[Hashes, Integers],
    *,
    n: int,
    limit: int,
) -> tuple[Integers, Hashes]:
    """The rows whose key, which depends on their cells alone, is not above a limit; and the keys.

    Parameters
    ----------
    numbers, by_column
        Columns, or those of one array, columns by rows; and a key for each.
    codes, terms
        Columns; what each of their values adds, the last being for what is missing, one column
        behind the other, and where those of each column begin.
    n
        How many rows there are.
    limit
        Of keys, which are below 2 to the power of 64.

    Examples
    --------
    >>> column, none = np.array([1.0, 2.0, 1.0]), np.zeros(0, np.uint64)
    >>> key, no_codes = np.array([12345], np.uint64), (none, np.zeros(1, np.int64))
    >>> rows, keys = row_keys([column], key, [], no_codes, n=3, limit=(1 << 64) - 1)
    >>> rows.tolist(), bool(keys[0] == keys[2]), bool(keys[0] == keys[1])
    ([0, 1, 2], True, False)
    """
    if not isinstance(numbers, np.ndarray):
        numbers = [_floats(column) for column in numbers]
    keyed = _kernel.Keyed(numbers, by_column, [_codes(column) for column in codes], *terms, n)

    def of_tile(start: int, stop: int) -> tuple[Integers, Hashes]:
        return _kernel.keys(keyed, start, stop, limit)

    tiles = _tiled(of_tile, n, len(numbers) + len(codes))
    if len(tiles) == 1:
        return tiles[0]
    rows, keys = (np.concatenate(part) for part in zip(*tiles, strict=True))
    return rows, keys


def _added(tiles: list[Counted]) -> Counted:
    totals, each = zip(*tiles, strict=True)
    return np.asarray(sum(totals)), [np.asarray(sum(one)) for one in zip(*each, strict=True)]
