"""Numbers in order, distinct, with what each weighs, in NumPy: the definition of the kernel."""

import numpy as np

from satsuma.numerics.arrays import Array, Floats, Integers


def runs_of(  # noqa: PLR0917 - it is called as the kernel is
    column: Array,
    order: Integers,
    starts: Integers,
    weights: Floats | None,
    value: Floats,
    weight: Floats,
) -> Integers:
    """The distinct known numbers of each group, in order, and what each weighs.

    They go to `value` and `weight`, from where the group starts; how many there are is returned.

    Parameters
    ----------
    column
        The numbers of all rows.
    order, starts
        The rows of each group, one group behind the other; where each starts, and the end.
    weights
        What each row weighs, in the order of `order`; None for ones.
    value, weight
        Where to write: as long as `order`.
    """
    found = np.zeros(len(starts) - 1, np.int64)
    for group, (lo, hi) in enumerate(zip(starts.tolist(), starts.tolist()[1:], strict=False)):
        x = column[order[lo:hi]] + 0.0  # no -0.0
        w = np.ones(hi - lo) if weights is None else weights[lo:hi]
        known = ~np.isnan(x) & (w > 0)
        found[group] = _distinct(x[known], w[known], value[lo:hi], weight[lo:hi])
    return found


def add(  # noqa: PLR0917 - it is called as the kernel is
    value1: Floats, weight1: Floats, value2: Floats, weight2: Floats, value: Floats, weight: Floats
) -> int:
    """Two runs made one, in `value` and `weight`; how many numbers there are."""
    both, heavy = np.concatenate((value1, value2)), np.concatenate((weight1, weight2))
    return _distinct(both, heavy, value, weight)


def _distinct(x: Floats, w: Floats, value: Floats, weight: Floats) -> int:
    if not len(x):
        return 0
    rank = np.argsort(x, kind="stable")
    x, w = x[rank], w[rank]
    start = np.flatnonzero(np.concatenate(([True], x[1:] != x[:-1])))
    value[: len(start)] = x[start]
    weight[: len(start)] = np.add.reduceat(w, start)
    return len(start)


def side_by_side(value: Floats, weight: Floats, starts: Integers) -> tuple[Floats, Floats]:
    """One run for each group to one: the distinct numbers, and an array (distinct, groups)."""
    # A stable sort of runs that are in order is no more than a merge.
    order = np.argsort(value, kind="stable")
    values = value[order]
    first = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    at = np.cumsum(first) - 1
    code = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    weights = np.zeros((int(at[-1]) + 1 if len(at) else 0, len(starts) - 1))
    weights[at, code[order]] = weight[order]
    return values[first], weights


def on_lattice(
    value: Floats, weight: Floats, first: float, scale: float
) -> tuple[Integers, Integers, Floats]:
    """Numbers in order, put on a lattice.

    A number x is at t = (x - first) * scale, and what it weighs goes to the four points from
    floor(t) - 1 on as a cubic through them says. Gives every floor(t) that there is, the first
    number of each, and what the four points get: an array (cells, 4).
    """
    t = (value - first) * scale
    cell = t.astype(np.int64)
    start = np.flatnonzero(np.concatenate(([True], cell[1:] != cell[:-1])))
    f = t - cell
    low, high = f * (f - 1) * weight, (f + 1) * (f - 2) * weight
    amounts = [low * (f - 2) / -6, high * (f - 1) / 2, high * f / -2, low * (f + 1) / 6]
    summed = [np.add.reduceat(each, start) for each in amounts]
    return cell[start], start, np.stack(summed, axis=1)
