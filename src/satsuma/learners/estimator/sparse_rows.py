"""Sparse matrices of SciPy: as they are learned from, and asked about, in blocks of rows."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.domain import Domain
from satsuma.data.matrix import MatrixColumns
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.numerics.arrays import Array, Floats

M = TypeVar("M", bound=Callable[..., Any])

#: Cells that are made dense at once (1 GB): a matrix of no more is learned from as a table.
MOST_CELLS = 1 << 27

#: Cells of a block of rows (32 MB).
BLOCK_CELLS = 1 << 22


def is_sparse(X: Any) -> bool:
    """Whether it is a sparse matrix or array."""
    return hasattr(X, "toarray") and hasattr(X, "tocsr")


def is_large(X: Any) -> bool:
    """Whether a sparse matrix would take too much memory as an array."""
    return X.shape[0] * X.shape[1] > MOST_CELLS


def dense_rows(rows: Any) -> Floats:
    """Some rows of a sparse matrix as an array of floats."""
    if rows.dtype.kind == "c":
        raise DomainError("Complex data not supported: X holds complex numbers.")
    return np.ascontiguousarray(rows.toarray(), np.float64)


def refuse_infinite_numbers(matrix: Any) -> None:
    """Raise if a sparse matrix holds an infinite number, and say where."""
    cells = matrix.tocoo()
    wrong = np.isinf(cells.data)
    if wrong.any():
        at = int(cells.col[wrong.argmax()])
        refuse_infinite(f"x{at}", matrix.tocsc()[:, [at]].toarray().ravel())


class SparseRows:
    """A source of the rows of a sparse matrix, of which one block is dense at a time.

    Cells that the matrix does not hold are zeros.

    Parameters
    ----------
    matrix
        Rows by columns.
    domain
        The columns, and what else there is of rows.
    others
        The columns beside the matrix.
    """

    def __init__(self, matrix: Any, domain: Domain, others: Sequence[Array]) -> None:
        self._matrix, self._domain, self._others = matrix.tocsr(), domain, others

    @property
    def domain(self) -> Domain:
        """The columns of every block."""
        return self._domain

    def __len__(self) -> int:
        return int(self._matrix.shape[0])

    def blocks(self) -> list[slice]:
        """The rows of each block."""
        return blocks_of(self._matrix)

    def block(self, rows: slice) -> Table:
        """Some of the rows."""
        others = [each[rows] for each in self._others]
        columns = MatrixColumns(dense_rows(self._matrix[rows]), others)
        return Table(self._domain, columns, check=False)

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all blocks, added up in their order."""
        first, *later = self.blocks()
        total = tally(self.block(first))
        for rows in later:
            total = total + tally(self.block(rows))
        return total


def blocks_of(matrix: Any) -> list[slice]:
    """The rows of each block of a sparse matrix.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> blocks_of(csr_array((3, 2)))
    [slice(0, 3, None)]
    """
    rows, size = int(matrix.shape[0]), max(1, BLOCK_CELLS // max(1, int(matrix.shape[1])))
    return [slice(lo, min(lo + size, rows)) for lo in range(0, rows, size)]


def in_blocks(verb: M) -> M:
    """A verb that is asked about the rows of a sparse matrix block by block."""

    @wraps(verb)
    def asked(learner: Any, X: Any) -> Any:
        if not is_sparse(X) or X.shape[0] * X.shape[1] <= BLOCK_CELLS:
            return verb(learner, X)
        matrix = X.tocsr()
        return np.concatenate([verb(learner, matrix[rows]) for rows in blocks_of(matrix)])

    return cast("M", asked)
