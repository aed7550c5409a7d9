"""Tallies of rows by group, in NumPy: what the compiled kernels must give, and their stand-in.

NaN and a code of -1 are missing; a group of -1 or a weight of 0 leaves the row out. Every function
takes the rows from `start` to `stop`, and gives the weight of each group beside its tallies.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from satsuma.numerics.arrays import Array, Bools, Codes, Floats, Hashes, Integers
from satsuma.numerics.sums import two_sum

#: What `moments` gives of a group and a column, in order.
PARTS = ("weight", "sum", "square", "lo", "hi", "shift")


class Batch:
    """Columns, the group of each row, and what each weighs: what the kernels take."""

    def __init__(
        self,
        columns: Sequence[Array] | Array,
        groups: Array,
        group_count: int,
        weights: Floats | None = None,
    ) -> None:
        if any(len(column) != len(groups) for column in columns):
            raise ValueError("arrays of one dimension, of numbers or codes, of the same length")
        self.columns, self.groups = columns, groups
        self.group_count, self.weights = group_count, weights

    def rows(self, start: int, stop: int) -> "tuple[Array, Floats, Floats]":
        """Groups and weights of some rows, and the weight of each group."""
        groups = self.groups[start:stop].astype(np.intp)
        refuse_range(groups, self.group_count, start)
        weights = np.ones(len(groups)) if self.weights is None else self.weights[start:stop]
        groups = np.where(weights == 0, -1, groups)
        return groups, weights, _summed(groups, weights, self.group_count)


def refuse_range(codes: Array, count: int, first_row: int) -> None:
    """Raise unless all codes are from -1 to below `count`."""
    wrong = (codes < -1) | (codes >= count)
    if wrong.any():
        row = int(wrong.argmax()) + first_row
        raise IndexError(f"row {row} has a group or a code that is out of range")


def _summed(groups: Array, values: Array, count: int) -> Floats:
    """The sum of the values of each group; the group -1 is left out."""
    return np.bincount(groups + 1, values, count + 1)[1:].astype(np.float64, copy=False)


def fold_groups(  # noqa: PLR0917 - as the kernel has it
    codes: Array,
    folds: Array,
    classes: int,
    count: int,
    start: int,
    stop: int,
    out: Codes,
) -> None:
    """The group ``fold * classes + class`` of each row, -1 where either is missing."""
    mine, theirs = codes[start:stop].astype(np.int32), folds[start:stop].astype(np.int32)
    refuse_range(mine, classes, start)
    refuse_range(theirs, count, start)
    groups = theirs * np.int32(classes) + mine
    out[start:stop] = np.where((mine < 0) | (theirs < 0), np.int32(-1), groups)


def moments(batch: Batch, start: int, stop: int) -> tuple[Floats, Floats]:
    """The `PARTS` of each group and column: an array (groups, parts, columns).

    Sum and square are those of ``x - shift``, where the shift lies among the values of the group.
    """
    groups, weights, total = batch.rows(start, stop)
    count = batch.group_count
    parts = np.zeros((count, len(PARTS), len(batch.columns)))
    for at, column in enumerate(batch.columns):
        x = column[start:stop]
        known = ~np.isnan(x) & (groups >= 0)
        with np.errstate(over="ignore", invalid="ignore"):
            parts[:, :, at] = _parts(x[known], groups[known], weights[known], count)
    return total, parts


def _parts(x: Floats, g: Array, w: Floats, count: int) -> Floats:
    weight = _summed(g, w, count)
    shift = _summed(g, x * (w / np.where(weight, weight, 1)[g]), count)
    lo, hi = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(lo, g, x)
    np.maximum.at(hi, g, x)
    shift = np.where(weight, np.clip(shift, lo, hi), 0)
    v = x - shift[g]
    return np.transpose(
        (weight, _summed(g, w * v, count), _summed(g, w * v * v, count), lo, hi, shift)
    )


def scatter(batch: Batch, start: int, stop: int) -> tuple[Floats, Floats, Floats]:
    """Cross-products of rows without a missing value, about a shift of each group and column.

    A column of ones stands behind the others, so that the last row holds sums and the weight:
    an array (groups, columns + 1, columns + 1), and the shifts (groups, columns).
    """
    groups, weights, total = batch.rows(start, stop)
    width, count = len(batch.columns), batch.group_count
    x = np.ones((len(groups), width + 1))
    for at, column in enumerate(batch.columns):
        x[:, at] = column[start:stop]
    groups = np.where(np.isnan(x).any(axis=1), -1, groups)
    cross, shift = np.zeros((count, width + 1, width + 1)), np.zeros((count, width))
    for g in np.unique(groups[groups >= 0]):
        rows = groups == g
        mine = x[rows]
        shift[g] = mine[:, :width].mean(axis=0)
        mine[:, :width] -= shift[g]
        mine *= np.sqrt(weights[rows])[:, None]
        cross[g] = mine.T @ mine
    return total, cross, shift


def pairs(batch: Batch, start: int, stop: int) -> tuple[Floats, Floats]:
    """Cross-products of rows with a missing value, about a shift of each group and column.

    A missing value is 0, and behind the columns are as many of ones where they are known: an array
    (groups, 2 columns, 2 columns), and the shifts (groups, columns).
    """
    groups, weights, _ = batch.rows(start, stop)
    width, count = len(batch.columns), batch.group_count
    x = np.empty((len(groups), width))
    for at, column in enumerate(batch.columns):
        x[:, at] = column[start:stop]
    known = ~np.isnan(x)
    groups = np.where(known.all(axis=1), -1, groups)
    cross, shift = np.zeros((count, 2 * width, 2 * width)), np.zeros((count, width))
    for g in np.unique(groups[groups >= 0]):
        rows = groups == g
        here = known[rows]
        shift[g] = _shift(x[rows], here)
        z = np.where(here, x[rows] - shift[g], 0.0)
        z, weighed = np.hstack([z, here]), weights[rows, None]
        cross[g] = z.T @ (z * weighed)
    return cross, shift


def _shift(x: Floats, known: Bools) -> Floats:
    """The mean of each column; of numbers that are all the same it is that number."""
    first = np.take_along_axis(x, known.argmax(axis=0)[None], axis=0)[0]
    first = np.where(known.any(axis=0), first, 0.0)
    shift = first + np.where(known, x - first, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(np.isfinite(shift), shift, first)


def counts(
    batch: Batch, levels: Sequence[int], start: int, stop: int
) -> tuple[Floats, list[Floats]]:
    """The weight of each code in each group: an array (groups, levels) for each column."""
    groups, weights, total = batch.rows(start, stop)
    out: list[Floats] = []
    for column, level in zip(batch.columns, levels, strict=True):
        codes = column[start:stop].astype(np.intp)
        refuse_range(codes, level, start)
        out.append(_crossed(groups, codes, weights, batch.group_count, level))
    return total, out


def bins(
    batch: Batch, edges: Sequence[Floats], start: int, stop: int
) -> tuple[Floats, list[Floats]]:
    """The weight of each bin in each group; a number on an edge is in the bin above it."""
    groups, weights, total = batch.rows(start, stop)
    out: list[Floats] = []
    for column, cut in zip(batch.columns, edges, strict=True):
        x = column[start:stop]
        codes = np.where(np.isnan(x), -1, np.searchsorted(cut, x, side="right"))
        out.append(_crossed(groups, codes, weights, batch.group_count, len(cut) + 1))
    return total, out


def _crossed(groups: Array, codes: Array, weights: Floats, count: int, levels: int) -> Floats:
    cells = np.where((groups < 0) | (codes < 0), -1, groups * levels + codes)
    return _summed(cells, weights, count * levels).reshape(count, levels)


def from_sums(parts: Floats, out: Floats) -> bool:
    """Put weight, mean, rest, m2, lo and hi into `out`, from the sums that the kernels give.

    Whether all sums are finite is returned.

    Parameters
    ----------
    parts
        (groups, 6, columns): weight, sum and sum of squares about a shift, least, greatest, shift.
    out
        (6, groups, columns).
    """
    with np.errstate(over="ignore", invalid="ignore"):
        weight, summed, square, lo, hi, shift = np.moveaxis(parts, 1, 0)
        off = summed / np.where(weight > 0, weight, 1)
        mean, rest = two_sum(shift, off)
        m2 = np.maximum(square - summed * off, 0)
    _put(out, (weight, mean, rest, m2, lo, hi))
    return bool(np.isfinite(parts[:, :3]).all())


class Keyed:
    """Columns of numbers and of codes, and by what each adds to the key of a row.

    Parameters
    ----------
    numbers, by_column
        Columns, and a key for each.
    codes, terms, firsts
        Columns, what each of their values adds, the last being for what is missing, and where
        those of each column begin.
    rows
        How many there are.
    """

    def __init__(  # noqa: PLR0917 - as the kernel has it
        self,
        numbers: Sequence[Array] | Array,
        by_column: Hashes,
        codes: Sequence[Array],
        terms: Hashes,
        firsts: Integers,
        rows: int,
    ) -> None:
        self.numbers, self.by_column, self.rows = numbers, by_column, rows
        self.codes = codes
        self.terms = [terms[lo:hi] for lo, hi in pairwise(firsts)]


def keys(keyed: Keyed, start: int, stop: int, limit: int) -> tuple[Integers, Hashes]:
    """The rows whose key is not above a limit, and the keys.

    A key is a sum over the columns, stirred (the last steps of MurmurHash3; Appleby 2011). A number
    adds the product of the halves of its bits, each with half a key added to it, as in NH (Black
    et al. 1999): whatever its column is, and one product a cell.
    """
    low, half, odd = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(33)
    made = np.zeros(stop - start, np.uint64)
    with np.errstate(over="ignore"):
        for column, key in zip(keyed.numbers, keyed.by_column, strict=True):
            cells = column[start:stop]
            bits = (cells + 0.0).view(np.uint64)  # -0.0 is 0.0
            bits = np.where(np.isnan(cells), np.uint64(0x7FF8000000000000), bits)
            made += ((bits + key) & low) * (((bits >> half) + (key >> half)) & low)
        for column, terms in zip(keyed.codes, keyed.terms, strict=True):
            codes = column[start:stop].astype(np.intp)
            known = (codes >= 0) & (codes < len(terms) - 1)
            made += terms[np.where(known, codes, len(terms) - 1)]
        for prime in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            made = (made ^ (made >> odd)) * np.uint64(prime)
        made ^= made >> odd
    least = np.flatnonzero(made <= np.uint64(limit))
    return least + start, made[least]


def centre(weight: Floats, mean: Floats, rest: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The mean of all parts, in two floats, and how far those of the parts are from it."""
    whole = weight.sum(axis=0)
    share = weight / np.where(whole > 0, whole, 1)
    near = (share * mean).sum(axis=0)
    away = np.where(weight > 0, (mean - near) + rest, 0)
    off = (share * away).sum(axis=0)
    return whole, *two_sum(near, off), away - off


def merge(held: Floats, out: Floats) -> None:
    """Put into `out` the moments of all parts; `held` is (parts, 6, …), and `out` (6, …)."""
    weight, mean, rest, m2, lo, hi = np.moveaxis(held, 1, 0)
    with np.errstate(over="ignore", invalid="ignore"):
        whole, middle, short, away = centre(weight, mean, rest)
        spread = m2.sum(axis=0) + np.where(weight > 0, weight * away * away, 0).sum(axis=0)
    _put(out, (whole, middle, short, spread, lo.min(axis=0), hi.max(axis=0)))


def _put(out: Floats, found: Sequence[Floats]) -> None:
    """No spread, not even a rounding error of it, where all values are the same."""
    for at, each in enumerate(found):
        out[at] = each
    same = out[4] == out[5]
    out[1], out[2:4, same] = np.where(same, out[4], out[1]), 0


def spreads(
    held: Sequence[Floats], m: float, floor: float, floor_of_one: float, out: Floats
) -> None:
    """The standard deviation of each class in each column; infinite where nothing is known.

    The variance is at least a share of that of the whole column.

    Parameters
    ----------
    held
        Weight, mean, sum of squares, least and greatest: (classes, columns).
    m
        How many imaginary rows each class has that are spread as the whole column is.
    floor, floor_of_one
        The least share, where the class varies and where it does not.
    out
        Where to write.
    """
    weight, mean, squares, lo, hi = held
    least, most = lo.min(axis=0), hi.max(axis=0)
    total = _added_in_order(weight)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        middle = _added_in_order(weight / total * mean)
        away = np.where(weight > 0, mean - middle, 0.0)
        m2 = _added_in_order(squares + weight * away * away)
        share = np.where(lo < hi, floor, floor_of_one)
        whole, own = _sd(total, m2, least, most), _sd(weight, squares, lo, hi)
        if m:
            imaginary = np.sqrt(m / (_freedom(weight) + m))
            own = np.hypot(np.sqrt(1 - imaginary * imaginary) * own, imaginary * whole)
        sd = np.maximum(own, np.sqrt(share) * whole)
    says = (weight > 0) & (least < most)
    out[:] = np.where(says, np.maximum(sd, np.finfo(float).tiny), np.inf)


def _added_in_order(parts: Floats) -> Floats:
    """The sum over the classes, one after the other."""
    total: Floats = np.zeros(parts.shape[1:])
    for each in parts:
        total = total + each
    return total


def _sd(weight: Floats, m2: Floats, lo: Floats, hi: Floats) -> Floats:
    """The standard deviation; a quarter of the range where squares leave the range of floats."""
    sd = np.sqrt(m2 / _freedom(weight))
    beyond = ~((sd > 0) & (sd < np.inf))
    return np.where(lo < hi, np.where(beyond, hi / 4 - lo / 4, sd), 0.0)


def _freedom(weight: Floats) -> Floats:
    """What squared differences are divided by."""
    return np.maximum(weight - 1, weight / 2)
