"""Boosted trees in NumPy: what slopes are, and where rows end; trees grow in a file beside it.

Slopes and curvatures of the loss are whole numbers: their sums are exact, in any order.
"""

from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Array, Bools, Codes, Floats, Hashes, Integers

#: Kinds of losses.
NUMBER, TWO, MANY, COUNT, QUANTILE = range(5)

_FIRST, _SECOND = np.uint32(0x9E3779B1), np.uint32(0x85EBCA77)
_MAGIC = 6755399441055744.0  # 1.5 * 2^52: added and taken away, it rounds to a whole number
#: The largest slope and curvature, as whole numbers: what is beyond counts as this.
_MOST = 30000.0


class Loss(NamedTuple):
    """What scores are of, and how slopes and curvatures become whole numbers.

    Parameters
    ----------
    kind
        ``NUMBER``, ``TWO`` classes, ``MANY`` classes, ``COUNT`` or ``QUANTILE``.
    scores
        How many scores a row has.
    quantile
        Which one, where it is one.
    slope_scale, curve_scale
        What they are multiplied by before they are rounded.
    """

    kind: int
    scores: int
    quantile: float
    slope_scale: float
    curve_scale: float


class Rules(NamedTuple):
    """When and how nodes are divided.

    Parameters
    ----------
    leaves, depth
        At most.
    min_leaf
        What a leaf must weigh, as far as curvatures tell.
    l2
        What is added to the curvature.
    min_gain
        What a division must gain.
    symbol_l2, symbol_smooth, symbol_least
        Of symbols with many values, in rows: more `l2`; what values are shrunk by before they are
        put in order; what a value must weigh to be looked at alone.
    """

    leaves: int
    depth: int
    min_leaf: float
    l2: float
    min_gain: float
    symbol_l2: float
    symbol_smooth: float
    symbol_least: float


class Coded(NamedTuple):
    """Rows in codes.

    Parameters
    ----------
    records, across
        Rows by columns, and columns by rows.
    levels
        How many codes a column has; the one behind is that of missing.
    offset
        Where the bins of a column begin.
    symbols
        1 where there is no order in the codes.
    monotone
        1 where what is predicted may only rise with the codes, -1 where it may only fall.
    weights
        As whole numbers, or None where all rows weigh 1.
    """

    records: Array
    across: Array
    levels: Codes
    offset: Integers
    symbols: Array
    monotone: Array
    weights: Codes | None


class Units(NamedTuple):
    """What 1 in a sum of slopes, curvatures and weights stands for."""

    slope: float
    curve: float
    weight: float


class TreeOf(NamedTuple):
    """Nodes in the order in which they came to be.

    Parameters
    ----------
    column
        What it is divided by; -1 for a leaf.
    left
        The left child; the right one is behind it. -1 for a leaf.
    value, weight, gain
        What it says, what its rows weigh, and what its division gains.
    sets
        The codes that go left, as bits of four words.
    """

    column: Codes
    left: Codes
    value: Floats
    weight: Floats
    gain: Floats
    sets: Hashes

    def part(self, lo: int, hi: int) -> "TreeOf":
        """Some of the nodes."""
        return TreeOf(
            self.column[lo:hi],
            self.left[lo:hi],
            self.value[lo:hi],
            self.weight[lo:hi],
            self.gain[lo:hi],
            self.sets[lo:hi],
        )


def exponential(x: Floats) -> Floats:
    """The exponential (Cephes) by plain arithmetic, the same bits everywhere.

    Examples
    --------
    >>> bool(abs(exponential(np.array([1.0]))[0] - np.e) < 1e-15)
    True
    """
    x = np.minimum(np.maximum(x, -700.0), 700.0)
    n = x * 1.4426950408889634 + _MAGIC
    power = ((n.view(np.int64) + 1023).view(np.uint64) << np.uint64(52)).view(np.float64)
    n = n - _MAGIC
    r = x - n * 0.693145751953125 - n * 1.42860682030941723212e-6
    q = r * r
    p = ((1.26177193074810590878e-4 * q + 3.02994407707441961300e-2) * q + 1.0) * r
    q = (
        (3.00198505138664455042e-6 * q + 2.52448340349684104192e-3) * q + 2.27265548208155028766e-1
    ) * q + 2.0
    return (1.0 + 2.0 * p / (q - p)) * power


def _rounded(x: Floats, chance: Array) -> Integers:
    up = np.minimum(np.maximum(x, -_MOST), _MOST) + chance * 2.0**-16 + 1048576.0
    return up.astype(np.int64) - 1048576


def _mixed(hashes: Hashes, key: int) -> Array:
    """Bits that look like chance."""
    r = (hashes >> np.uint64(32)).astype(np.uint32) ^ np.uint32(key & 0xFFFFFFFF)
    with np.errstate(over="ignore"):
        r = r * _FIRST
        r = (r ^ (r >> np.uint32(15))) * _SECOND
    return r ^ (r >> np.uint32(13))


def _packed(slope: Floats, curve: Floats, hashes: Hashes, key: int) -> Array:
    chance = _mixed(hashes, key)
    g = _rounded(slope, (chance >> np.uint32(16)).astype(np.float64))
    h = _rounded(curve, (chance & np.uint32(0xFFFF)).astype(np.float64))
    return ((g & 0xFFFF) << 16 | (h & 0xFFFF)).astype(np.uint32)


def slopes(
    loss: Loss, scores: Floats, target: Floats, hashes: Hashes, *, key: int, out: Array
) -> None:
    """Slopes and curvatures of rows, packed as the halves of a word, to `out` (scores, rows).

    They are rounded up or down by chance, which hangs on the hash of the row and the key alone.
    """
    g, h = loss.slope_scale, loss.curve_scale
    score: Floats = scores[0]
    if loss.kind == MANY:
        _many(loss, scores, target, hashes, key=key, out=out)
        return
    if loss.kind == TWO:
        e = exponential(-np.abs(score))
        p = np.where(score < 0, e, 1.0) * (1.0 / (1.0 + e))
        slope, curve = (p - target) * g, p * (1.0 - p) * h
    elif loss.kind == COUNT:
        mean = exponential(score)
        slope, curve = (mean - target) * g, mean * h
    else:
        quantile = np.where(score > target, 1.0, 0.0) - loss.quantile
        slope = (quantile if loss.kind == QUANTILE else score - target) * g
        curve = np.full(len(target), h)
    out[0] = _packed(slope, curve, hashes, key)


def _many(
    loss: Loss, scores: Floats, target: Floats, hashes: Hashes, *, key: int, out: Array
) -> None:
    more = loss.scores / (loss.scores - 1)
    top = scores.max(axis=0)
    each = [exponential(score - top) for score in scores]
    total = np.zeros(len(target))
    for one in each:
        total = total + one
    for k, one in enumerate(each):
        p = one / total
        slope = (p - np.where(target == k, 1.0, 0.0)) * loss.slope_scale
        curve = more * (p * (1.0 - p)) * loss.curve_scale
        out[k] = _packed(slope, curve, hashes, (key + k) % (1 << 64))


def unpacked(packed: Array) -> tuple[Integers, Integers]:
    """Slopes and curvatures."""
    return (packed >> 16).astype(np.uint16).view(np.int16).astype(np.int64), (
        packed & 0xFFFF
    ).astype(np.int64)


def left_codes(sets: Hashes) -> Bools:
    """Nodes by codes: whether a code goes left."""
    spread = np.unpackbits(sets.astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    return spread.reshape(*sets.shape[:-1], 256).astype(bool)


class Forest:
    """Trees one after the other in the same arrays."""

    def __init__(self, trees: TreeOf, first: Integers, width: int) -> None:
        self.column, self.left, self.value, self.first = (
            trees.column,
            trees.left,
            trees.value,
            first,
        )
        self.go, self.width = left_codes(trees.sets), width

    def walk(
        self, records: Array, rows: tuple[int, int], trees: tuple[int, int], out: Floats
    ) -> None:
        """Add what some trees say of some rows."""
        ends = np.empty(rows[1] - rows[0], np.uint16)
        for tree in range(*trees):
            self.leaves(records, tree, rows, ends)
            out[:, tree % out.shape[1]] += self.value[self.first[tree] + ends.astype(np.int64)]

    def leaves(self, records: Array, tree: int, rows: tuple[int, int], out: Array) -> None:
        """The node in which each row ends, counted from the first of the tree."""
        first, lo = int(self.first[tree]), rows[0]
        at = np.zeros(rows[1] - lo, np.int64)
        going: Array = np.arange(len(at))
        while len(going):
            going = going[self.left[first + at[going]] >= 0]
            node = first + at[going]
            code = records[lo + going, self.column[node]]
            at[going] = self.left[node] + ~self.go[node, code]
        out[:] = at
