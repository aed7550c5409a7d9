"""What merging moments means, in NumPy."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """A sum as it is rounded, and what the rounding took away (Knuth 1969).

    Examples
    --------
    >>> total, lost = two_sum(np.array([1e16]), np.array([1.0]))
    >>> float(total[0]), float(lost[0])
    (1e+16, 1.0)
    """
    total = a + b
    from_b = total - a
    return total, (a - (total - from_b)) + (b - from_b)


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
