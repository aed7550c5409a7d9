"""Scores of classes by their multivariate Gaussians: compiled where it can be, else by the twin."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from satsuma.kernels import use_native
from satsuma.kernels.normal import twin
from satsuma.kernels.normal.twin import Packed
from satsuma.kernels.threads import map_tiles
from satsuma.numerics.arrays import Array, Codes, Floats, Integers, align

if compiled := use_native("normal"):
    from satsuma.kernels.normal._native import Asked
else:
    from satsuma.kernels.normal.twin import Asked

#: From so many columns on, products of matrices are left to BLAS, which has threads of its own.
WIDE = 192

#: Rows that a thread takes at a time.
_TILE = 1 << 15

#: Below so many cells times classes, a second thread costs more than it brings.
_SMALL = 1 << 18

__all__ = ["Packed", "choices", "choices_with_gaps", "compiled", "scores", "scores_with_gaps"]


def scores(columns: Sequence[Array], model: Packed) -> Floats:
    """Rows by classes; NaN where a number is missing.

    Examples
    --------
    >>> flat = Packed.of(np.zeros(1), np.eye(1)[None], np.array([[0.0], [2.0]]), np.zeros(2))
    >>> scores([np.array([0.0, 1.0, np.nan])], flat)
    array([[ 0. , -2. ],
           [-0.5, -0.5],
           [ nan,  nan]])
    """
    out = np.empty((len(columns[0]), len(model.base)))
    asked = _kind(model)(align(columns), [model])
    _over_tiles(len(out), model, lambda lo, hi: asked.fill(lo, hi, out))
    return out


def scores_with_gaps(
    columns: Sequence[Array], model: Packed, gaps: tuple[Floats, Floats], rows: Integers
) -> Floats:
    """The logarithms of the densities of what is known of some rows: rows by classes.

    Parameters
    ----------
    columns
        Of float64.
    model
        One that whitens, with the logarithms of the densities at the means.
    gaps
        The inverses of the covariances (matrices, columns, columns), and by class the mean, less
        the shift, times these (classes, columns).
    rows
        Which rows.

    Examples
    --------
    >>> flat = Packed.of(np.zeros(2), np.eye(2)[None], np.zeros((1, 2)), np.zeros(1))
    >>> gaps = np.eye(2)[None], np.zeros((1, 2))
    >>> columns = [np.array([0.0, 2.0]), np.array([np.nan, 0.0])]
    >>> scores_with_gaps(columns, flat, gaps, np.array([0, 1])).round(4).tolist()
    [[0.9189], [-2.0]]
    """
    out = np.empty((len(rows), len(model.base)))
    asked, (precision, pull) = Asked(align(columns), [model]), gaps
    _over_tiles(
        len(rows), model, lambda lo, hi: asked.fill_gaps(precision, pull, rows, lo, hi, out)
    )
    return out


def choices(
    columns: Sequence[Array], models: Sequence[Packed], which: Codes | None = None
) -> Codes:
    """The class with the highest score in each row; -1 where it is not clear which that is.

    Parameters
    ----------
    columns
        Of float64.
    models
        Of one shape. The first answers all rows, unless `which` says which one answers each.
    which
        -1 for none: such a row gets 0.
    """
    out = np.zeros(len(columns[0]), np.int32)
    asked = _kind(models[0])(align(columns), models, which)
    _over_tiles(len(out), models[0], lambda lo, hi: asked.choose(lo, hi, out))
    return out


def choices_with_gaps(
    columns: Sequence[Array], model: Packed, gaps: tuple[Floats, Floats], rows: Integers
) -> Codes:
    """The class with the highest score of some rows, by what is known of each.

    It is -1 where it is not clear which that is, or nothing is known.

    Parameters
    ----------
    columns, gaps, rows
        As for `scores_with_gaps`.
    model
        One that whitens, or is linear and has one covariance.

    Examples
    --------
    >>> flat = Packed.of(np.zeros(2), np.eye(2)[None], np.array([[0.0, 0], [2, 2]]), np.zeros(2))
    >>> gaps = np.eye(2)[None], np.array([[0.0, 0.0], [2.0, 2.0]])
    >>> columns = [np.array([0.0, 2.0]), np.array([np.nan, np.nan])]
    >>> choices_with_gaps(columns, flat, gaps, np.array([0, 1])).tolist()
    [0, 1]
    """
    out = np.empty(len(rows), np.int32)
    asked, (precision, pull) = Asked(align(columns), [model]), gaps
    _over_tiles(
        len(rows), model, lambda lo, hi: asked.choose_gaps(precision, pull, rows, lo, hi, out)
    )
    return out


def _kind(model: Packed) -> Any:
    return twin.Asked if len(model.shift) >= WIDE else Asked


def _over_tiles(rows: int, model: Packed, function: Callable[[int, int], None]) -> None:
    if rows * model.matrix.size < _SMALL:
        function(0, rows)
        return
    # BLAS has threads of its own.
    threads = 1 if _kind(model) is twin.Asked else None
    map_tiles(function, rows, tile=_TILE, threads=threads)
