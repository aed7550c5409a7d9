"""Trees: rows hashed, coded, and sent down, by compiled kernels or their twins."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels import tree_twin
from satsuma.kernels.tree_twin import Flat, Floats, Hashes

Array = npt.NDArray[Any]

compiled = False


def hash_rows(
    columns: Sequence[Array], spelled: Sequence[Hashes | None], n: int
) -> tuple[Hashes, bool]:
    """A number for each row that depends on its cells alone, and whether one is infinite.

    Examples
    --------
    >>> column = np.array([1.0, 2.0, 1.0, np.nan])
    >>> hashes, infinite = hash_rows([column], [None], 4)
    >>> bool(hashes[0] == hashes[2]), bool(hashes[0] == hashes[1]), infinite
    (True, False, False)
    """
    infinite = any(np.isinf(c).any() for c, s in zip(columns, spelled, strict=True) if s is None)
    return tree_twin.hash_rows(columns, spelled, n), infinite


def code_rows(
    columns: Sequence[Array], edges: Sequence[Floats | None], levels: Sequence[int], n: int
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """The bin of every cell, rows by columns, and which bins hold more than their edge.

    Examples
    --------
    >>> codes, mixed = code_rows([np.array([1.0, 5.0, np.nan])], [np.array([1.0, 4.0])], [2], 3)
    >>> codes.tolist(), mixed.tolist()
    ([[0], [1], [2]], [[False, True, False]])
    """
    kind = np.uint8 if max(levels, default=0) < 256 else np.uint16
    codes = np.empty((n, len(columns)), kind)
    mixed = tree_twin.code_rows(columns, edges, levels, codes)
    return codes, mixed


def reach(
    tree: Flat, columns: Sequence[Array], n: int, quantum: float = 0.0
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32], Floats]:
    """Where rows end: row, node, and how much of the row gets there; see the twin."""
    return tree_twin.reach(tree, columns, n, quantum)


def average(
    tree: Flat, says: Floats, columns: Sequence[Array], n: int
) -> tuple[Floats, bool]:
    """What the nodes say that rows reach, and whether a number in the columns is infinite."""
    infinite = any(c.dtype.kind == "f" and np.isinf(c).any() for c in columns)
    return tree_twin.average(tree, says, columns, n), infinite
