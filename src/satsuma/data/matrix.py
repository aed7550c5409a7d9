"""MatrixColumns: the columns of one array, each made when it is asked for."""

from collections.abc import Iterator, Sequence
from typing import overload

from satsuma.numerics.arrays import Array, Floats, frozen


class MatrixColumns(Sequence[Array]):
    """The columns of an array of numbers, and some others behind them.

    A batch of a stream is tallied sooner than its columns are told apart, so that is left out
    until somebody asks for one.

    Parameters
    ----------
    matrix
        Rows by columns, of float64; it is not copied.
    others
        Columns of the kinds that tables keep.

    Examples
    --------
    >>> import numpy as np
    >>> columns = MatrixColumns(np.array([[1.0, 2.0], [3.0, 4.0]]), [np.array([0, 1], np.int32)])
    >>> len(columns), columns[1].tolist(), columns[-1].tolist()
    (3, [2.0, 4.0], [0, 1])
    """

    def __init__(self, matrix: Floats, others: Sequence[Array] = ()) -> None:
        self.matrix: Floats = frozen(matrix)  # so is every column of it, then
        self.others: tuple[Array, ...] = tuple(map(frozen, others))

    def __len__(self) -> int:
        return self.matrix.shape[1] + len(self.others)

    @overload
    def __getitem__(self, at: int) -> Array: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Array]: ...
    def __getitem__(self, at: int | slice) -> Array | Sequence[Array]:
        if isinstance(at, slice):
            return tuple(self)[at]
        behind: int = range(len(self))[at] - self.matrix.shape[1]
        return self.matrix[:, behind] if behind < 0 else self.others[behind]

    def __iter__(self) -> Iterator[Array]:
        return iter((*self.matrix.T, *self.others))
