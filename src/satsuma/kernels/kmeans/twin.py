"""Steps of k-means and mini-batches, in plain NumPy: the definition of the kernel."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Codes, Floats, Integers
from satsuma.numerics.splitmix import STEP, WORD, mix_bits

Flags = npt.NDArray[np.uint8]

#: Sums that differ by less, relative to the least, are equal: the first centre wins.
TIE = 1e-12

#: Rows that are compared with all centres at a time.
_ROWS = 4096


class Moved(NamedTuple):
    """How far centres have moved since the last step.

    Parameters
    ----------
    drift
        The way of each.
    near
        Half the way from each to the next one; 0 where rows may lack cells.
    most, next, farthest
        The farthest way, the one after it, and whose the first is.
    """

    drift: Floats
    near: Floats
    most: float
    next: float
    farthest: int


def squares(number: Floats, symbol: Codes, at: Floats, mode: Codes) -> Floats:
    """Squared distances, rows by centres: a missing cell of a row is left out.

    Examples
    --------
    >>> rows, codes = np.array([[1.0, np.nan]]), np.array([[0, -1]], np.int32)
    >>> squares(rows, codes, np.array([[3.0, 5.0]]), np.array([[1, 1]], np.int32))
    array([[5.]])
    """
    total = np.zeros((len(number), len(at)))
    for j in range(number.shape[1]):
        gap = number[:, j, None] - at[:, j]
        total += np.where(np.isnan(gap), 0.0, gap * gap)
    return total + _mismatches(symbol, mode)


def _mismatches(symbol: Codes, mode: Codes) -> Floats:
    differ = np.zeros((len(symbol), len(mode)))
    for j in range(symbol.shape[1]):
        code = symbol[:, j, None]
        differ += (code >= 0) & (code != mode[:, j])
    return differ


def first_least(sums: Floats) -> Codes:
    """The first centre that is as near as the nearest, by row."""
    least = sums.min(axis=1, keepdims=True)
    return np.argmax(sums <= least * (1 + TIE), axis=1).astype(np.int32)


def step(  # noqa: PLR0917 - as the kernel has them
    number: Floats,
    symbol: Codes,
    weight: Floats | None,
    holed: Flags,  # noqa: ARG001 - for the loops in C
    at: Floats,
    mode: Codes,
    moved: Moved | None,
    label: Codes,
    up: Floats,  # noqa: ARG001
    low: Floats,  # noqa: ARG001
    sums: tuple[Floats, Floats, Floats, Floats, Integers] | None,
) -> int:
    """The nearest centre of each row, into `label`; changes are added to the sums.

    Without `moved` there were no labels before, and all rows are new.
    """
    before = label.copy()
    for lo in range(0, len(number), _ROWS):
        part = slice(lo, lo + _ROWS)
        label[part] = first_least(squares(number[part], symbol[part], at, mode))
    if sums is not None:
        each = np.ones(len(number)) if weight is None else weight
        new = np.arange(len(number)) if moved is None else np.flatnonzero(before != label)
        add(number[new], symbol[new], each[new], label[new], sums)
        if moved is not None:
            add(number[new], symbol[new], -each[new], before[new], sums)
    return len(number)


def add(
    number: Floats,
    symbol: Codes,
    weight: Floats,
    label: Codes,
    sums: tuple[Floats, Floats, Floats, Floats, Integers],
) -> None:
    """Count rows for their centres."""
    total, known, added, count, offset = sums
    np.add.at(total, label, weight)
    there = ~np.isnan(number)
    np.add.at(known, label, weight[:, None] * there)
    np.add.at(added, label, np.where(there, weight[:, None] * np.nan_to_num(number), 0.0))
    for j in range(symbol.shape[1]):
        some = symbol[:, j] >= 0
        np.add.at(count, (label[some], offset[j] + symbol[some, j]), weight[some])


def away(  # noqa: PLR0917 - as the kernel has them
    number: Floats, symbol: Codes, at: Floats, mode: Codes, label: Codes, out: Floats
) -> None:
    """The squared distance of each row from the centre with its label."""
    total = np.zeros(len(number))
    for j in range(number.shape[1]):
        gap = number[:, j] - at[label, j]
        total += np.where(np.isnan(gap), 0.0, gap * gap)
    out[:] = total + ((symbol >= 0) & (symbol != mode[label])).sum(axis=1)


def batches(  # noqa: PLR0917 - as the kernel has them
    number: Floats,
    symbol: Codes,
    weight: Floats | None,
    batch: int,
    at: Floats,
    mode: Codes,
    z: Floats,
    lo: Floats,
    hi: Floats,
    shift: Floats | None,
    seed: int,
    seen: int,
) -> None:
    """Assign the rows of a batch, then move the centres, one batch after the other.

    Parameters
    ----------
    number, symbol, weight
        The rows, numbers as they are.
    batch
        Rows of a batch.
    at, mode, z
        The centres, NaN and -1 for missing, and what each has been given, its founder included;
        they move.
    lo, hi
        The range of each column so far; they widen.
    shift
        What is subtracted before distances are found; None to scale by the range so far.
    seed, seen
        For the chances of symbols, and the number of rows before these.
    """
    each = np.ones(len(number)) if weight is None else weight
    with np.errstate(over="ignore", invalid="ignore"):
        _batches(number, symbol, each, batch, (at, mode, z, lo, hi), shift, seed, seen)


def _batches(  # noqa: PLR0917
    number: Floats,
    symbol: Codes,
    each: Floats,
    batch: int,
    held: tuple[Floats, Codes, Floats, Floats, Floats],
    shift: Floats | None,
    seed: int,
    seen: int,
) -> None:
    at, mode, z, lo, hi = held
    for start in range(0, len(number), batch):
        rows = slice(start, start + batch)
        part, codes, some = number[rows], symbol[rows], each[rows] > 0
        np.fmin(lo, np.fmin.reduce(part[some], axis=0, initial=np.inf), out=lo)
        np.fmax(hi, np.fmax.reduce(part[some], axis=0, initial=-np.inf), out=hi)
        label = nearest_of(part, codes, at, mode, lo, hi, shift)
        for i in np.flatnonzero(some).tolist():
            c = label[i]
            z[c] += each[start + i]
            share = each[start + i] / z[c]
            _move(part[i], codes[i], at[c], mode[c], share, _chances(seed, seen + start + i, mode))


def nearest_of(  # noqa: PLR0917
    number: Floats,
    symbol: Codes,
    at: Floats,
    mode: Codes,
    lo: Floats,
    hi: Floats,
    shift: Floats | None,
) -> Codes:
    """The nearest centre of each row; one that lacks a cell is as far away there as can be."""
    none = ~(lo <= hi)
    off = np.where(none, 0.0, lo if shift is None else shift)
    with np.errstate(invalid="ignore"):
        factor = 1.0 / np.where(none, 1.0, hi - lo + 1e-7 if shift is None else 1.0)
        ends = (0.0, 1.0) if shift is None else (np.where(none, 0, lo - off), hi - off)
    rows, centres = (number - off) * factor, (at - off) * factor
    far = np.maximum(rows - ends[0], np.where(none, 1.0, ends[1]) - rows)
    total = np.zeros((len(rows), len(at)))
    for j in range(rows.shape[1]):
        gap = np.where(np.isnan(centres[:, j]), far[:, j, None], rows[:, j, None] - centres[:, j])
        total += np.where(np.isnan(rows[:, j, None]), 0.0, gap * gap)
    return first_least(total + _mismatches(symbol, mode))


def _move(  # noqa: PLR0917
    number: Floats, symbol: Codes, at: Floats, mode: Codes, share: float, chance: Floats
) -> None:
    """A centre moves towards a row; symbols are replaced by chance."""
    to = np.where(np.isnan(at), number, at + (number - at) * share)
    at[:] = np.where(np.isnan(number), at, to)
    mode[:] = np.where((symbol >= 0) & ((mode < 0) | (chance < share)), symbol, mode)


def _chances(seed: int, row: int, mode: Codes) -> Floats:
    """A number from 0 to below 1 for each column (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        column = np.arange(1, mode.shape[1] + 1, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03)
        mixed = mix_bits(np.uint64((seed + int(row) * STEP) & WORD) + column)
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53
