"""Counting: plain lists, arrays and columns as codes, and how often they come together."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import encode, is_missing, spell
from satsuma.errors import DomainError
from satsuma.numerics.arrays import Array, Codes, Floats

#: A list, an array, or a column of a table as it is read (``table["sky"]``) or kept
#: (``table.column("sky")``).
Cells = Sequence[object] | Array


class Contingency(NamedTuple):
    """How much each value weighs in each class, and how much the rows without a value weigh.

    Rows without a class are left out.
    """

    counts: Floats
    missing: float = 0.0


def coded(cells: Cells) -> tuple[Codes, int]:
    """Codes of cells, -1 for missing, and how many values there are.

    An array of int32 is taken for codes, as tables keep them. Values of anything else have the
    order in which they are first seen; None and NaN are missing.

    Examples
    --------
    >>> coded(["b", None, "a", "b"])
    (array([ 0, -1,  1,  0], dtype=int32), 2)
    """
    array: Any = cells if isinstance(cells, np.ndarray) else None
    if array is not None and array.ndim != 1:
        raise DomainError(f"A column has one dimension. Got an array of shape {array.shape}.")
    if array is not None and array.dtype == np.int32:
        return array, int(array.max(initial=-1)) + 1
    if array is not None and array.dtype.kind in "iufb":
        return _coded_numbers(array)
    listed = [None if is_missing(cell) else spell(cell) for cell in cells]
    codes, values = encode(listed)
    return codes, len(values)


def _coded_numbers(array: Array) -> tuple[Codes, int]:
    known = ~np.isnan(array) if array.dtype.kind == "f" else np.ones(len(array), np.bool_)
    _, first, inverse = np.unique(array[known], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    codes = np.full(len(array), -1, np.int32)
    codes[known] = rank[inverse]
    return codes, len(first)


def counted(labels: Cells, weights: npt.ArrayLike | None = None) -> Floats:
    """What the rows of each label weigh, in the order of `coded`."""
    codes, n = coded(labels)
    weighing = _weighing(weights, len(codes))
    return np.bincount(codes + 1, weighing, n + 1)[1:].astype(np.float64)


def contingency(values: Cells, labels: Cells, weights: npt.ArrayLike | None = None) -> Contingency:
    """How much each value weighs with each label.

    Examples
    --------
    >>> contingency(["hot", "mild", None], ["no", "yes", "yes"])
    Contingency(counts=array([[1., 0.],
           [0., 1.]]), missing=1.0)
    """
    (rows, n), (columns, classes) = coded(values), coded(labels)
    if len(rows) != len(columns):
        raise DomainError(f"There are {len(rows)} values, but {len(columns)} labels.")
    weighing = _weighing(weights, len(rows))
    known = columns >= 0
    cells = (rows[known].astype(np.int64) + 1) * classes + columns[known]
    chosen = None if weighing is None else weighing[known]
    counts = np.bincount(cells, chosen, (n + 1) * classes).reshape(n + 1, classes)
    return Contingency(counts[1:].astype(np.float64), float(counts[0].sum()))


def _weighing(weights: npt.ArrayLike | None, rows: int) -> Floats | None:
    if weights is None:
        return None
    array = np.asarray(weights, np.float64)
    if array.shape != (rows,) or not ((array >= 0) & (array < np.inf)).all():
        raise DomainError(f"Weights must be {rows} finite numbers of at least 0, one for each row.")
    return array


def most_common(labels: Cells, weights: npt.ArrayLike | None = None) -> Any:
    """The most common label; the first seen of several. None where there is none.

    Examples
    --------
    >>> most_common(["b", "a", "a", "b"])
    'b'
    """
    codes, n = coded(labels)
    if not n or not (codes >= 0).any():
        return None
    most = int(counted(labels, weights).argmax())
    found = labels[int(np.argmax(codes == most))]
    return cast("Any", found).item() if isinstance(found, np.generic) else found


def over(part: Any, whole: Any) -> Any:
    """A quotient; 0 where it is 0 / 0."""
    whole = np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)
