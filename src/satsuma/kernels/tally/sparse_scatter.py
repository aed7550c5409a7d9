"""Cross-products of rows whose symbols have many values, by sparse matrices."""

import numpy as np

from satsuma.kernels.tally.twin import Batch
from satsuma.numerics.arrays import Array, Floats
from satsuma.numerics.one_hot import SideBySide


def sparse_scatter(
    side: SideBySide, batch: Batch, start: int, stop: int
) -> tuple[Floats, Floats, Floats]:
    """What `twin.scatter` gives of columns that are laid side by side, without laying them.

    A row has as many cells that are not 0 as there are columns, however many values these have.
    Numbers are about a shift of each group, ones about 0.

    Parameters
    ----------
    side
        The columns.
    batch
        The groups and the weights of rows.
    start, stop
        The rows.

    Examples
    --------
    >>> side = SideBySide([np.array([0, 1, 0])], [2])
    >>> batch = Batch([], np.zeros(3, np.int32), 1)
    >>> sparse_scatter(side, batch, 0, 3)[1].tolist()
    [[[2.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, 1.0, 3.0]]]
    """
    from scipy.sparse import csr_array

    groups, weights, total = batch.rows(start, stop)
    groups = np.where(_complete(side, start, stop), groups, -1)
    count, width = batch.group_count, side.width
    cross, shift = np.zeros((count, width + 1, width + 1)), np.zeros((count, width))
    for g in np.unique(groups[groups >= 0]):
        rows = np.flatnonzero(groups == g)
        cells = np.ones((len(rows), len(side.columns) + 1))
        places = np.full(cells.shape, width, np.int32)
        first = 0
        for at, (column, level) in enumerate(zip(side.columns, side.levels, strict=True)):
            mine = column[start:stop][rows]
            places[:, at] = first
            if level is None:
                shift[g, first] = mine.mean()
                cells[:, at] = mine - shift[g, first]
            else:
                places[:, at] += mine
            first += 1 if level is None else level
        cells *= np.sqrt(weights[rows])[:, None]
        ends = np.arange(len(rows) + 1, dtype=np.int32) * places.shape[1]
        x = csr_array((cells.ravel(), places.ravel(), ends), shape=(len(rows), width + 1))
        cross[g] = (x.T @ x).toarray()
    return total, cross, shift


def _complete(side: SideBySide, start: int, stop: int) -> Array:
    """Which rows have no missing cell."""
    found = np.ones(stop - start, bool)
    for column, level in zip(side.columns, side.levels, strict=True):
        mine = column[start:stop]
        found &= ~np.isnan(mine) if level is None else (mine >= 0) & (mine < level)
    return found
