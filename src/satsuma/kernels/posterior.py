"""What columns say about the class of each row: compiled where it can be, else by the twin."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels import posterior_twin
from satsuma.kernels.posterior_twin import Floats, Packed
from satsuma.kernels.threads import map_tiles

try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels import _posterior
except ImportError:
    Asked = posterior_twin.Asked
    compiled = False
else:
    Asked = _posterior.Asked
    compiled = True

#: Rows that a thread takes at a time.
_TILE = 1 << 15

#: Below so many cells times classes, a second thread costs more than it brings.
_SMALL = 1 << 18


class Joint:
    """The joint probability of a class and what a row shows, columns taken as independent.

    A missing cell, NaN or a code that stands for no value, says nothing. A row that is impossible
    for every class gets the prior.

    Parameters
    ----------
    log_prior
        The logarithm of the probability of each class, before anything is seen.
    mean, sd
        (classes, columns): the Gaussian of each class in each column of numbers. One whose spread
        is infinite says nothing.
    tables
        (values, classes) for each column of symbols: the logarithm of the probability of each
        value in each class.

    Examples
    --------
    >>> joint = Joint(np.log([0.5, 0.5]), np.array([[0.0], [1.0]]), np.ones((2, 1)), [])
    >>> found, lost = joint.probabilities([np.array([0.5, np.nan, -99.0])], [])
    >>> found.round(2)
    array([[0.5, 0.5],
           [0.5, 0.5],
           [1. , 0. ]])
    """

    def __init__(
        self, log_prior: Floats, mean: Floats, sd: Floats, tables: Sequence[Floats]
    ) -> None:
        classes = len(log_prior)
        padded = -(-classes // 4) * 4
        starts = np.zeros(len(tables) + 1, np.int64)
        starts[1:] = np.cumsum([(len(table) + 1) * padded for table in tables])
        flat = np.zeros(int(starts[-1]))
        for table, start, end in zip(tables, starts, starts[1:], strict=False):
            flat[start:end].reshape(-1, padded)[1:, :classes] = table
        says = np.isfinite(sd)
        with np.errstate(divide="ignore"):
            scale = np.where(says, np.sqrt(0.5) / sd, 0.0)
            peak = np.where(says, -np.log(sd) - 0.5 * np.log(2 * np.pi), 0.0)
        self.classes = classes
        self.packed = Packed(
            mean=np.ascontiguousarray(np.where(says, mean, 0.0).T),
            scale=np.ascontiguousarray(scale.T),
            peak=np.ascontiguousarray(peak.T),
            base=np.ascontiguousarray(np.cumsum(np.vstack([log_prior, peak.T]), axis=0)),
            table=flat,
            starts=starts,
            padded=padded,
        )

    def log_joint(
        self, numbers: Sequence[npt.NDArray[Any]], codes: Sequence[npt.NDArray[Any]], rows: int = 0
    ) -> Floats:
        """The logarithm of the joint probability: (rows, classes), not normalised."""
        return self._filled(numbers, codes, rows, None, normalise=False)[0]

    def probabilities(
        self,
        numbers: Sequence[npt.NDArray[Any]],
        codes: Sequence[npt.NDArray[Any]],
        rows: int = 0,
        out: Floats | None = None,
    ) -> tuple[Floats, int]:
        """The probabilities (rows, classes), and how many rows were impossible for every class.

        Parameters
        ----------
        numbers
            Arrays of float64, with strides of any size.
        codes
            Arrays of int8, uint8, int16 or int32, with strides of any size.
        rows
            How many rows there are, where there is no column to tell.
        out
            Where to write.
        """
        return self._filled(numbers, codes, rows, out, normalise=True)

    def most_probable(
        self, numbers: Sequence[npt.NDArray[Any]], codes: Sequence[npt.NDArray[Any]], rows: int = 0
    ) -> tuple[npt.NDArray[np.int32], int]:
        """The code of the largest probability of each row, the first of several; and as above."""
        asked = Asked(_aligned(numbers), _aligned(codes), self.packed)
        out = np.empty(_rows(numbers, codes, rows), np.int32)
        lost = self._over_tiles(len(out), lambda lo, hi: asked.choose(lo, hi, out))
        return out, lost

    def _filled(
        self,
        numbers: Sequence[npt.NDArray[Any]],
        codes: Sequence[npt.NDArray[Any]],
        rows: int,
        out: Floats | None,
        *,
        normalise: bool,
    ) -> tuple[Floats, int]:
        asked = Asked(_aligned(numbers), _aligned(codes), self.packed)
        found = np.empty((_rows(numbers, codes, rows), self.classes)) if out is None else out
        lost = self._over_tiles(len(found), lambda lo, hi: asked.fill(lo, hi, found, normalise))
        return found, lost

    def _over_tiles(self, rows: int, function: Callable[[int, int], int]) -> int:
        width = len(self.packed.mean) + len(self.packed.starts)
        if rows * width * self.classes < _SMALL:
            return function(0, rows)
        return sum(map_tiles(function, rows, tile=_TILE))


def _rows(numbers: Sequence[npt.NDArray[Any]], codes: Sequence[npt.NDArray[Any]], rows: int) -> int:
    return len(next(iter((*numbers, *codes)), range(rows)))


def _aligned(columns: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """A field of packed records may lie across the machine's words; that one is copied."""
    return [column if column.flags.aligned else column.copy() for column in columns]
