"""Parts: rows in an order in which tiles of them are near to each other, with boxes around them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Floats, Integers

#: Rows of a tile; the C code has the same number.
TILE = 256

#: Columns, at most, by which rows are divided. Where there are many, boxes leave out few tiles.
_SIDES, _MANY = 8, 16

#: Rows, about, by which it is told in which column a part is widest.
_LOOKED_AT = 64

_Boxes = npt.NDArray[np.float32]


class Parts(NamedTuple):
    """Rows divided into halves of whole tiles until each part is a tile (a k-d tree).

    Parameters
    ----------
    name
        Row numbers, part by part.
    side
        The columns by which rows are divided.
    box
        (2 * tiles - 1, 2, sides): the least and the greatest known number of each part, in
        single precision. A part of more than one tile is followed by its first half with all
        of its parts, and then by its second, which has one tile more if they are odd.
    """

    name: Integers
    side: Integers
    box: _Boxes


def parted(number: Floats) -> Parts:
    """The parts of rows of numbers from 0 to 1, NaN for missing.

    Each part is divided at the median of the column in which it is widest.

    Examples
    --------
    >>> parts = parted(np.linspace(1, 0, 512)[:, None])
    >>> sorted(parts.name[:256].tolist()) == list(range(256, 512))
    True
    >>> parts.box[:, :, 0].round(1).tolist()
    [[0.0, 1.0], [0.0, 0.5], [0.5, 1.0]]
    """
    name, side = np.arange(len(number)), _sides(number)
    tiles = -(-len(number) // TILE)
    box: _Boxes = np.empty((max(0, 2 * tiles - 1), 2, len(side)), np.float32)
    if len(side):
        known = number[:, side].astype(np.float32)
        _divide(np.where(np.isnan(known), np.float32(0.5), known), name)
        starts = np.arange(0, len(number), TILE)
        least = np.fmin.reduceat(known[name], starts)
        most = np.fmax.reduceat(known[name], starts)
        _surround(np.stack([np.nan_to_num(least), np.nan_to_num(most, nan=1.0)], axis=1), box)
    return Parts(name, side, box)


def _sides(number: Floats) -> Integers:
    """The widest columns, where there are rows to divide and columns by which that helps."""
    rows, columns = number.shape
    if rows <= TILE or columns > _MANY:
        return np.zeros(0, np.int64)
    widths = np.ptp(np.nan_to_num(number[:: -(-rows // _LOOKED_AT)], nan=0.5), axis=0)
    return np.sort(np.argsort(-widths, kind="stable")[:_SIDES])


def _divide(cells: _Boxes, name: Integers) -> None:
    """Sort rows, and their numbers, into halves; they are moved, so that halves stay together."""
    left = [(0, len(name))]
    while left:
        low, high = left.pop()
        middle = -(-(high - low) // TILE) // 2 * TILE
        if not middle:
            continue
        part = cells[low:high]
        some = part[:: -(-len(part) // _LOOKED_AT)]
        column = part[:, (some.max(axis=0) - some.min(axis=0)).argmax()]
        order = column.argpartition(middle)
        cells[low:high] = part.take(order, axis=0)
        name[low:high] = name[low:high].take(order)
        left += [(low, low + middle), (low + middle, high)]


def _surround(tiles: _Boxes, box: _Boxes) -> None:
    """The boxes of parts, from those of their tiles."""
    if len(tiles) == 1:
        box[0] = tiles[0]
        return
    middle = len(tiles) // 2
    _surround(tiles[:middle], box[1 : 2 * middle])
    _surround(tiles[middle:], box[2 * middle :])
    np.minimum(box[1, 0], box[2 * middle, 0], out=box[0, 0])
    np.maximum(box[1, 1], box[2 * middle, 1], out=box[0, 1])
