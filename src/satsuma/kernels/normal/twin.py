"""Scores of classes by multivariate Gaussians, in plain NumPy: the definition of the kernel."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from satsuma.numerics.arrays import Codes, Floats, Integers

#: Scores nearer than this may come to equal probabilities.
NEAR = 1e-9

#: Scores within this part of the highest may, where rows have gaps.
NEAR_GAPS = 1e-6


@dataclass(frozen=True)
class Packed:
    """What a model makes of ``x - shift``, laid out for the loops.

    Parameters
    ----------
    shift
        (columns,).
    matrix
        (matrices, rows / 4, columns, 4): rows come in fours, the last of them zeros where need be.
    centre
        (classes, rows): where the mean of each class comes to lie.
    base
        (classes,): the score where there is no distance.
    sets
        How many matrices whiten, each for as many classes: a score falls by half the square of the
        distance from the centre. With 0, the matrix has a row for each class, which is the score.
    """

    shift: Floats
    matrix: Floats
    centre: Floats
    base: Floats
    sets: int

    @classmethod
    def of(cls, shift: Floats, matrices: Floats, centre: Floats | None, base: Floats) -> "Packed":
        """Of matrices (matrices, rows, columns), which whiten if there is a centre."""
        count, rows, width = matrices.shape
        more = -rows % 4
        padded = np.pad(matrices, ((0, 0), (0, more), (0, 0)))
        fours = padded.reshape(count, (rows + more) // 4, 4, width).swapaxes(2, 3)
        wide = np.zeros((len(base), rows + more))
        if centre is not None:
            wide[:, :rows] = centre
        sets = 0 if centre is None else count
        return cls(shift, np.ascontiguousarray(fours), wide, np.ascontiguousarray(base), sets)

    def with_base(self, more: Floats) -> "Packed":
        """The same with something added to the score of each class."""
        return replace(self, base=self.base + more)

    def scores(self, x: Floats) -> Floats:
        """Rows by classes."""
        classes = len(self.base)
        flat = self.matrix.swapaxes(2, 3).reshape(len(self.matrix), -1, len(self.shift))
        away = x - self.shift
        if not self.sets:
            return self.base + away @ flat[0, :classes].T
        white = (away @ flat.swapaxes(1, 2)).repeat(classes // self.sets, axis=0)
        return self.base - 0.5 * ((white - self.centre[:, None]) ** 2).sum(axis=2).T


class Asked:
    """Columns that are asked about, and the models that answer; the first, or one for each row."""

    def __init__(
        self, columns: Sequence[Floats], models: Sequence[Packed], which: Codes | None = None
    ) -> None:
        if len(columns) != len(models[0].shift):
            raise ValueError("other columns were asked about than are known")
        self.columns, self.models, self.which = columns, models, which

    def fill(self, lo: int, hi: int, out: Floats) -> None:
        """The scores of rows lo to hi; a row with a missing number gets NaN."""
        x = np.stack([column[lo:hi] for column in self.columns], axis=1)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.which is None:
                out[lo:hi] = self.models[0].scores(x)
                return
            for at, model in enumerate(self.models):
                mine = np.flatnonzero(self.which[lo:hi] == at)
                out[mine + lo] = model.scores(x[mine])

    def choose(self, lo: int, hi: int, out: Codes) -> None:
        """The class with the highest score; -1 where another comes near, or one is no number."""
        found = np.empty((hi, len(self.models[0].base)))
        self.fill(lo, hi, found)
        scores, mine = found[lo:hi], slice(None)
        if self.which is not None:
            mine = self.which[lo:hi] >= 0
        top = scores.max(axis=1)
        with np.errstate(invalid="ignore"):
            near = (scores >= top[:, None] - NEAR).sum(axis=1)
        clear = (near == 1) & np.isfinite(top)
        out[lo:hi][mine] = np.where(clear, scores.argmax(axis=1), -1)[mine]

    def fill_gaps(  # noqa: PLR0917 - as the kernel has it
        self, precision: Floats, pull: Floats, rows: Integers, lo: int, hi: int, out: Floats
    ) -> None:
        """The logarithms of the densities of what is known of the rows that `rows` names.

        With P the inverse of the covariance and m the gaps, that of the others alone is the part of
        P that belongs to them, less P_om P_mm⁻¹ P_mo, and its determinant follows from P_mm. So the
        distance is that of the row with anything in its gaps, less what these add to it.
        """
        for at in range(lo, hi):
            found, known = self._with_gaps(precision, pull, int(rows[at]))
            out[at] = found if known else 0.0

    def choose_gaps(  # noqa: PLR0917 - as the kernel has it
        self, precision: Floats, pull: Floats, rows: Integers, lo: int, hi: int, out: Codes
    ) -> None:
        """The class with the highest score of the rows that `rows` names; -1 where it is not clear.

        Where the model is linear, so are scores of rows with gaps, which only then lack the volume.
        """
        for at in range(lo, hi):
            with np.errstate(over="ignore", invalid="ignore"):
                found, known = self._with_gaps(precision, pull, int(rows[at]))
                top = found.max()
                near = (found >= top - NEAR_GAPS * (1 + abs(top))).sum()
            out[at] = found.argmax() if known and np.isfinite(top) and near == 1 else -1

    def _with_gaps(self, precision: Floats, pull: Floats, row: int) -> tuple[Floats, bool]:
        """The scores of a row, and whether anything is known of it."""
        model = self.models[0]
        classes = len(model.base)
        each = np.arange(classes) * len(precision) // classes
        x = np.array([column[row] for column in self.columns]) - model.shift
        gaps = np.flatnonzero(np.isnan(x))
        x[gaps] = 0.0
        full = model.scores((x + model.shift)[None])[0]
        tied = (x @ precision)[each][:, gaps] - pull[:, gaps]
        inside = precision[:, gaps[:, None], gaps]
        more = (tied * np.linalg.solve(inside[each], tied[:, :, None])[:, :, 0]).sum(axis=1)
        if model.sets:
            more += len(gaps) * np.log(2 * np.pi) - np.linalg.slogdet(inside)[1][each]
        return full + 0.5 * more, len(gaps) < len(x)
