"""Functions made of pieces of polynomials: compiled where it can be, else by the twin."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from satsuma.kernels import use_native
from satsuma.kernels.curves.twin import Packed
from satsuma.numerics.arrays import Array, Codes, Floats, Integers, align

if compiled := use_native("curves"):
    from satsuma.kernels.curves import _native as kernel
else:
    from satsuma.kernels.curves import twin as kernel

__all__ = ["Packed", "add_rows", "compiled", "pack"]


def pack(origin: Floats, unit: Floats, starts: Integers, edge: Floats, piece: Floats) -> Packed:
    """Curves laid out for the loops: those of all classes of the first column, then the second.

    Parameters
    ----------
    origin, unit, starts, edge, piece
        As in `Packed`.

    Examples
    --------
    >>> edge, piece = np.array([1.0, np.inf]), np.array([[1.0, 0, 0, 0, 0], [1.0, -1.0, 0, 0, 0]])
    >>> packed = pack(np.zeros(1), np.ones(1), np.array([0, 2]), edge, piece)
    >>> out = np.zeros((3, 1))
    >>> add_rows([np.array([1.0, 1.5, np.nan])], packed, True, out)
    0
    >>> out.tolist()
    [[0.0], [-1.0], [0.0]]
    """
    each = [_buckets(edge[lo:hi]) for lo, hi in pairwise(starts.tolist())]
    sizes = [0, *(len(first) for first, _, _ in each)]
    return Packed(
        origin=origin,
        unit=unit,
        starts=starts,
        edge=edge,
        piece=piece,
        firsts=np.cumsum(sizes, dtype=np.int64),
        first=np.concatenate([np.zeros(0, np.int32), *(first for first, _, _ in each)]),
        low=np.array([low for _, low, _ in each]),
        scale=np.array([scale for _, _, scale in each]),
    )


def _buckets(edge: Floats) -> tuple[Codes, float, float]:
    """The piece to begin with in each bucket, where the first one starts, how many to the unit."""
    ends = edge[:-1]
    none = np.zeros(1, np.int32)
    if not len(ends):
        return none, 0.0, 0.0
    low, count = float(ends[0]), 2 * max(len(ends) - 1, 1)
    with np.errstate(over="ignore", divide="ignore"):
        scale = float(count / (ends[-1] - low))
    if not 0 < scale < np.inf:
        return none, low, 0.0
    # The same arithmetic as for a number, so that rounding leads neither astray.
    within = np.minimum((ends - low) * scale, count - 1).astype(np.int64)
    return np.searchsorted(within, np.arange(count)).astype(np.int32), low, scale


def add_rows(columns: Sequence[Array], packed: Packed, logs: bool, out: Floats) -> int:
    """As the twin says; columns are of float64, with strides of any size."""
    return kernel.add_rows(align(columns), packed, logs, out)
