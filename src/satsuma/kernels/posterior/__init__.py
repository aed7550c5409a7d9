"""What columns say about the class of each row: compiled where it can be, else by the twin.

`normalise` and `choose` go from log joints to probabilities (softmax) and to the likeliest class.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from satsuma.kernels import use_native
from satsuma.kernels.posterior.twin import Packed, temperatures
from satsuma.kernels.threads import map_tiles
from satsuma.numerics.arrays import Array, Codes, Floats, align

if compiled := use_native("posterior"):
    from satsuma.kernels.posterior._native import Asked, Each, choose, lay_out, normalise
else:
    from satsuma.kernels.posterior.twin import Asked, Each, choose, lay_out, normalise

__all__ = [
    "Joint",
    "choose",
    "compiled",
    "most_probable_each",
    "normalise",
    "probabilities_each",
    "temperatures",
]

#: What the logarithm of the peak of a Gaussian is less than that of one over its spread.
_HALF_LOG = float(0.5 * np.log(2 * np.pi))

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
        self,
        log_prior: Floats,
        mean: Floats,
        sd: Floats,
        tables: Sequence[Floats],
    ) -> None:
        classes, given = len(log_prior), mean
        padded = -(-classes // 4) * 4
        starts = np.zeros(len(tables) + 1, np.int64)
        starts[1:] = np.cumsum([(len(table) + 1) * padded for table in tables])
        flat = np.zeros(int(starts[-1]))
        for table, start, end in zip(tables, starts, starts[1:], strict=False):
            flat[start:end].reshape(-1, padded)[1:, :classes] = table
        with np.errstate(divide="ignore"):
            log_sd = np.log(sd)
        mean, scale, peak, base = (np.empty((sd.shape[1] + k, classes)) for k in (0, 0, 0, 1))
        lay_out(log_prior, (given, sd, log_sd), _HALF_LOG, (mean, scale, peak, base))
        self.classes = classes
        self.packed = Packed(
            mean=mean,
            scale=scale,
            peak=peak,
            base=base,
            table=flat,
            starts=starts,
            padded=padded,
            heat=0.0,
        )

    def heated(self, heat: float) -> "Joint":
        """The same joint, calibrated: its probabilities promise less.

        Parameters
        ----------
        heat
            What each known cell but the first adds to the temperature of a row, by which log joints
            are divided before they become probabilities; the temperature of one cell is 1.
        """
        if heat == self.packed.heat:
            return self
        made = copy(self)
        made.packed = replace(self.packed, heat=heat)
        return made

    def asked(self, numbers: Sequence[Array], codes: Sequence[Array]) -> Any:
        """Columns made ready to be asked about, again and again as their cells change.

        Its `choose` and `fill` are those of the twin's `Asked`.
        """
        return Asked(align(numbers), align(codes), self.packed)

    def log_joint(self, numbers: Sequence[Array], codes: Sequence[Array], rows: int = 0) -> Floats:
        """The logarithm of the joint probability: (rows, classes), not normalised."""
        return self._filled(numbers, codes, rows, None, normalise=False)[0]

    def probabilities(
        self,
        numbers: Sequence[Array],
        codes: Sequence[Array],
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
        self, numbers: Sequence[Array], codes: Sequence[Array], rows: int = 0
    ) -> tuple[Codes, int]:
        """The code of the largest probability of each row, the first of several; and as above."""
        asked = self.asked(numbers, codes)
        out = np.empty(_rows(numbers, codes, rows), np.int32)
        lost = _over_tiles(self, len(out), lambda lo, hi: asked.choose(lo, hi, out))
        return out, lost

    def _filled(
        self,
        numbers: Sequence[Array],
        codes: Sequence[Array],
        rows: int,
        out: Floats | None,
        *,
        normalise: bool,
    ) -> tuple[Floats, int]:
        asked = self.asked(numbers, codes)
        found = np.empty((_rows(numbers, codes, rows), self.classes)) if out is None else out
        lost = _over_tiles(self, len(found), lambda lo, hi: asked.fill(lo, hi, found, normalise))
        return found, lost


def most_probable_each(
    joints: Sequence[Joint],
    which: Codes,
    numbers: Sequence[Array],
    codes: Sequence[Array],
) -> tuple[Codes, int]:
    """`Joint.most_probable`, where each row is answered by one of several joints; 0 for none.

    Parameters
    ----------
    joints
        Of the same classes and columns.
    which
        The joint that answers each row; -1 for none.
    numbers, codes
        As in `Joint.probabilities`.

    Examples
    --------
    >>> none = np.zeros((2, 0))
    >>> left, right = (Joint(np.log(p), none, none, []) for p in ([0.9, 0.1], [0.2, 0.8]))
    >>> most_probable_each([left, right], np.array([1, 0, -1], np.int32), [], [])
    (array([1, 0, 0], dtype=int32), 0)
    """
    each = _each(joints, which, numbers, codes)
    out = np.zeros(len(which), np.int32)
    return out, _over_tiles(joints[0], len(out), lambda lo, hi: each.choose(lo, hi, out))


def probabilities_each(
    joints: Sequence[Joint],
    which: Codes,
    numbers: Sequence[Array],
    codes: Sequence[Array],
) -> tuple[Floats, int]:
    """`Joint.probabilities` in the same way; zeros for a row that none answers."""
    each = _each(joints, which, numbers, codes)
    out = np.zeros((len(which), joints[0].classes))
    return out, _over_tiles(joints[0], len(out), lambda lo, hi: each.fill(lo, hi, out, True))


def _each(
    joints: Sequence[Joint],
    which: Codes,
    numbers: Sequence[Array],
    codes: Sequence[Array],
) -> Any:
    numbers, codes = align(numbers), align(codes)
    kernel: Any = Each
    return kernel([Asked(numbers, codes, joint.packed) for joint in joints], which)


def _over_tiles(joint: Joint, rows: int, function: Callable[[int, int], int]) -> int:
    width = len(joint.packed.mean) + len(joint.packed.starts)
    if rows * width * joint.classes < _SMALL:
        return function(0, rows)
    return sum(map_tiles(function, rows, tile=_TILE))


def _rows(numbers: Sequence[Array], codes: Sequence[Array], rows: int) -> int:
    return len(next(iter((*numbers, *codes)), range(rows)))
