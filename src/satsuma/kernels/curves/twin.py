"""Functions made of pieces of polynomials, looked up in NumPy: the definition of the kernel."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.numerics.arrays import Array, Codes, Floats, Integers


@dataclass(frozen=True)
class Packed:
    """Curves, one for each column and class, laid out for the loops.

    Parameters
    ----------
    origin, unit
        (columns): what is taken from the numbers of a column, and what is left multiplied with.
    starts
        (columns * classes + 1): the first piece of each curve, and the end.
    edge
        (pieces): where a piece ends; a number on it belongs to it. The last of a curve has no end.
    piece
        (pieces, 5): the centre, and the coefficients from the constant on.
    firsts, first, low, scale
        Buckets: a number x of a curve is in bucket ``(x - low) * scale``, and no piece before
        ``first`` of that bucket can hold it.
    """

    origin: Floats
    unit: Floats
    starts: Integers
    edge: Floats
    piece: Floats
    firsts: Integers
    first: Codes
    low: Floats
    scale: Floats


def add_rows(columns: Sequence[Array], packed: Packed, logs: bool, out: Floats) -> int:
    """Add to `out` (rows, classes) the logarithms of all curves; how many numbers are infinite.

    A number that is missing says nothing, and neither does one that is impossible in every class.

    Parameters
    ----------
    columns
        The numbers, column by column.
    packed
        The curves.
    logs
        Whether the curves are logarithms already.
    out
        What is added to.
    """
    classes, infinite = int(out.shape[1]), 0
    for j, column in enumerate(columns):
        infinite += int(np.isinf(column).sum())
        x = np.where(np.isinf(column), np.nan, (column - packed.origin[j]) * packed.unit[j])
        said = np.stack([_values(packed, j * classes + c, x) for c in range(classes)], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            said = said if logs else np.log(np.maximum(said, 0.0))
        nothing = np.isnan(x) | ~(said > -np.inf).any(axis=1)
        out += np.where(nothing[:, None], 0.0, said)
    return infinite


def _values(packed: Packed, curve: int, x: Floats) -> Floats:
    mine = slice(packed.starts[curve], packed.starts[curve + 1])
    # NaN sorts behind everything, and is in the last piece.
    at = np.minimum(np.searchsorted(packed.edge[mine], x), mine.stop - mine.start - 1)
    centre, a, b, c, d = packed.piece[mine][at].T
    t = x - centre
    with np.errstate(over="ignore"):
        return a + t * (b + t * (c + t * d))
