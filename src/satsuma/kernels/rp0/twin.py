"""Rows parted by the nearer of two poles, in plain NumPy: the definition of the kernel."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Bools, Codes, Floats, Hashes, Integers
from satsuma.numerics.differences import difference, difference_sums, to_power
from satsuma.numerics.splitmix import STEP, WORD, splitmix64

_SIDES = (0xD1B54A32D192ED03, 0xABC98388FB8FAC03)


@dataclass(frozen=True)
class Rows:
    """Rows that are moved in place, so that those of a cluster lie together.

    Parameters
    ----------
    number
        (rows, columns): numbers from 0 to 1, NaN for missing.
    symbol
        (rows, columns): codes, -1 for missing.
    row
        The number of each row, which moves with it.
    p
        The power of the distance.
    """

    number: Floats
    symbol: Codes
    row: Integers
    p: float


class Division(NamedTuple):
    """Rows from `lo` to `middle` are nearer to the first pole; the rest, to the second.

    `middle` is `lo` where no pair of poles parts the rows. `poles` are the numbers of two rows,
    and `gap` is their distance as a sum.
    """

    middle: int
    poles: tuple[int, int]
    gap: float


@dataclass(frozen=True)
class Grown:
    """Divisions, each before those below it, and the clusters that they end in.

    Parameters
    ----------
    below
        (divisions, 2): the division at each side, or -1 - c for the cluster c.
    poles
        (divisions, 2): the numbers of two rows.
    gap
        The distance of the poles, as a sum.
    start
        Where each cluster begins, and where the last one ends.
    key
        What chance goes on from in each cluster.
    """

    below: Codes
    poles: Integers
    gap: Floats
    start: Integers
    key: Hashes


def key_below(key: int, side: int) -> int:
    """The key of the first or the second side of a division."""
    return splitmix64(key ^ _SIDES[side])


def drawn_pairs(key: int, n: int, pairs: int) -> Integers:
    """Pairs of two different rows of n, an array (pairs, 2), by a key alone."""
    found = np.empty((pairs, 2), np.int64)
    for at in range(pairs):
        one, other = (
            ((splitmix64((key + STEP * (2 * at + side)) & WORD) >> 32) * (n - side)) >> 32
            for side in (0, 1)
        )
        found[at] = one, other + (other >= one)
    return found


def divide(rows: Rows, lo: int, hi: int, key: int, pairs: int) -> Division:
    """Part rows lo to hi by the farthest of some pairs that leaves rows on both sides.

    A row goes to the nearer pole, ties to the first. With a missing cell a row may be farther from
    itself than from another: then a pair may have all rows on one side, and the next farthest is
    tried. Rows on the wrong side change places: the first from the left with the first from
    the right, and so on.
    """
    number, symbol, p = rows.number[lo:hi], rows.symbol[lo:hi], rows.p
    if hi - lo < 2:
        return Division(lo, (-1, -1), 0.0)
    drawn = drawn_pairs(key, hi - lo, pairs)
    gaps = np.array(
        [difference_sums(number[[i]], symbol[[i]], number[j], symbol[j], p)[0] for i, j in drawn]
    )
    for at in np.argsort(-gaps, kind="stable"):
        if not gaps[at] > 0:
            break
        one, other = drawn[at]
        first = difference_sums(number, symbol, number[one], symbol[one], p) <= difference_sums(
            number, symbol, number[other], symbol[other], p
        )
        count = int(first.sum())
        if 0 < count < len(first):
            poles = int(rows.row[lo + one]), int(rows.row[lo + other])
            left, right = (
                np.flatnonzero(~first[:count]),
                np.flatnonzero(first[count:])[::-1] + count,
            )
            for each in (number, symbol, rows.row[lo:hi]):
                each[left], each[right] = each[right], each[left]
            return Division(lo + count, poles, float(gaps[at]))
    return Division(lo, (-1, -1), 0.0)


def grow(  # noqa: PLR0917 - as the kernel has them
    rows: Rows, lo: int, hi: int, key: int, pairs: int, most: int
) -> Grown:
    """Divide rows lo to hi again and again while more than `most` lie together."""
    below: list[list[int]] = []
    poles: list[tuple[int, int]] = []
    gap: list[float] = []
    start: list[int] = []
    keys: list[int] = []
    waiting = [(lo, hi, key, -1, 0)]
    while waiting:
        first, last, mine, above, side = waiting.pop()
        many = last - first > most
        found = divide(rows, first, last, mine, pairs) if many else Division(first, (-1, -1), 0.0)
        if above >= 0:
            below[above][side] = len(below) if found.middle > first else -1 - len(start)
        if found.middle == first:
            start.append(first)
            keys.append(mine)
            continue
        here = len(below)
        below.append([0, 0])
        poles.append(found.poles)
        gap.append(found.gap)
        waiting.append((found.middle, last, key_below(mine, 1), here, 1))
        waiting.append((first, found.middle, key_below(mine, 0), here, 0))
    return Grown(
        np.array(below, np.int32).reshape(-1, 2), np.array(poles, np.int64).reshape(-1, 2),
        np.array(gap), np.array([*start, hi], np.int64), np.array(keys, np.uint64),
    )  # fmt: skip


def walk(below: Codes, pole_number: Floats, pole_symbol: Codes, rows: Rows) -> Codes:
    """The cluster of each row: from the first division down, always to the nearer pole.

    `pole_number` and `pole_symbol` are (divisions, 2, columns).
    """
    found = np.zeros(len(rows.row), np.int32)
    active = np.arange(len(found)) if len(below) else np.zeros(0, np.int64)
    at: Codes = np.zeros(len(active), np.int32)
    while len(active):
        away = [
            _sums_each(rows, active, pole_number[at, side], pole_symbol[at, side])
            for side in (0, 1)
        ]
        side = (away[0] > away[1]).astype(np.intp)
        there: Codes = below[at, side]
        found[active[there < 0]] = -1 - there[there < 0]
        active, at = active[there >= 0], there[there >= 0]
    return found


def near(rows: Rows, asked: Rows, first: Integers, last: Integers, found: Floats) -> None:
    """The sums of the rows first[i] to last[i] nearest to the row i that is asked about, in order.

    One row that is the same cell for cell is left out: it may be that row itself. Where there are
    too few, the rest of a row of `found` is infinity.
    """
    k = found.shape[1]
    found[:] = np.inf
    ends, which = np.unique(np.stack([first, last], axis=1), axis=0, return_inverse=True)
    for at, (lo, hi) in enumerate(ends):
        mine = np.flatnonzero(which.ravel() == at)
        number, symbol = asked.number[mine], asked.symbol[mine]
        away, same = _sums_between(rows, slice(lo, hi), number, symbol)
        itself = same & (np.cumsum(same, axis=1) == 1)
        nearest = np.sort(np.where(itself, np.inf, away), axis=1)[:, :k]
        found[mine, : nearest.shape[1]] = nearest


def _sums_between(rows: Rows, some: slice, number: Floats, symbol: Codes) -> tuple[Floats, Bools]:
    """The distance of each of other rows from each of some, as sums, and whether they are equal."""
    mine, total = rows.number[some], np.zeros((len(number), len(rows.row[some])))
    theirs, p = rows.symbol[some], rows.p
    same = (symbol[:, None] == theirs).all(axis=2)
    for j in range(number.shape[1]):
        away = difference(number[:, j, None], mine[:, j])
        total += to_power(away, p)
        same &= (number[:, j, None] == mine[:, j]) | (
            np.isnan(number[:, j, None]) & np.isnan(mine[:, j])
        )
    return total + ((symbol[:, None] != theirs) | (theirs < 0)).sum(axis=2), same


def _sums_each(rows: Rows, which: Integers, number: Floats, symbol: Codes) -> Floats:
    """The distance of some rows from a pole each, as sums."""
    total, p = np.zeros(len(which)), rows.p
    for j in range(number.shape[1]):
        away = difference(rows.number[which, j], number[:, j])
        total += to_power(away, p)
    mine = rows.symbol[which]
    return total + ((mine != symbol) | (mine < 0)).sum(axis=1)
