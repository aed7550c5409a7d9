"""Contingency tables: how often values and labels come together, and Pearson's chi-square."""

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

Weights = npt.ArrayLike | None


class Contingency(NamedTuple):
    """How much each value weighs in each class, and how much the rows without a value weigh.

    Rows without a class are left out.
    """

    counts: Floats
    missing: float = 0.0


def encode_cells(cells: Cells) -> tuple[Codes, int]:
    """Codes of cells, -1 for missing, and how many values there are.

    An array of int32 is taken for codes, as tables keep them. Values of anything else have the
    order in which they are first seen; None and NaN are missing.

    Examples
    --------
    >>> encode_cells(["b", None, "a", "b"])
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


def label_weights(labels: Cells, weights: npt.ArrayLike | None = None) -> Floats:
    """What the rows of each label weigh, in the order of `encode_cells`."""
    codes, n = encode_cells(labels)
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
    (rows, n), (columns, classes) = encode_cells(values), encode_cells(labels)
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
    >>> from satsuma.measures import most_common
    >>> most_common(["b", "a", "a", "b"])
    'b'
    """
    codes, n = encode_cells(labels)
    if not n or not (codes >= 0).any():
        return None
    most = int(label_weights(labels, weights).argmax())
    found = labels[int(np.argmax(codes == most))]
    return cast("Any", found).item() if isinstance(found, np.generic) else found


def over(part: Any, whole: Any) -> Any:
    """A quotient; 0 where it is 0 / 0."""
    whole = np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)


class ChiSquare(NamedTuple):
    """The statistic, its degrees of freedom, and how probable one so large is by chance."""

    statistic: float
    freedom: int
    p: float


def chi_square_test(counts: Floats) -> ChiSquare:
    """Pearson's test that values and classes have nothing to do with each other.

    Values and classes that do not occur are passed over; there is no correction for continuity.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.measures import chi_square_test
    >>> test = chi_square_test(np.array([[10.0, 20.0], [20.0, 10.0]]))
    >>> round(test.statistic, 3), test.freedom, round(test.p, 4)
    (6.667, 1, 0.0098)
    """
    from scipy.special import chdtrc

    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    freedom = max(counts.shape[0] - 1, 0) * max(counts.shape[1] - 1, 0)
    if not freedom:
        return ChiSquare(0.0, 0, 1.0)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    statistic = float(over((counts - expected) ** 2, expected).sum())
    return ChiSquare(statistic, freedom, float(chdtrc(freedom, statistic)))


def chi_square_of(found: Contingency) -> float:
    """The statistic, of rows whose value is known."""
    return chi_square_test(found.counts).statistic


def chi_square(values: Cells, labels: Cells, weights: Weights = None) -> float:
    """Pearson's chi-square of values and labels; rows without a value are left out.

    Examples
    --------
    >>> from satsuma.measures import chi_square
    >>> chi_square(["a", "a", "b", "b"], ["yes", "yes", "no", "no"])
    4.0
    """
    return chi_square_of(contingency(values, labels, weights))
