"""Curves: what a number says about each class, as functions made of pieces of polynomials."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satsuma.data.columns import Floats, refuse_infinite
from satsuma.data.table import Table
from satsuma.kernels.curves import Packed, add_rows, pack
from satsuma.likelihoods.evidence import Evidence


class Curve(NamedTuple):
    """A function made of pieces: ``coef[0] + t coef[1] + …`` of t = x - centre, for x in (a, b].

    `edge` (pieces,) has where each piece ends, the last one at infinity; `centre` is (pieces,) and
    finite, `coef` (pieces, up to 4).
    """

    edge: Floats
    centre: Floats
    coef: Floats

    @classmethod
    def constant(cls, value: float) -> "Curve":
        """The same everywhere."""
        return cls(np.array([np.inf]), np.zeros(1), np.array([[value]]))


class Curves(Evidence):
    """A function of the number for each column and class; columns are taken as independent.

    A missing number says nothing, and neither does one that is impossible in every class.

    Parameters
    ----------
    names
        The columns.
    origin, unit
        What is taken from the numbers of each column before they are looked up, and what is left
        is multiplied with.
    curves
        For each column, a curve of each class.
    """

    #: Whether the curves are the logarithms of what is said.
    logs: bool = True

    def __init__(
        self,
        names: tuple[str, ...],
        origin: Floats,
        unit: Floats,
        curves: Sequence[Sequence[Curve]],
    ) -> None:
        each = [curve for column in curves for curve in column]
        sizes = [len(curve.edge) for curve in each]
        self.names, self.origin, self.unit = names, origin, unit
        self.starts = np.cumsum([0, *sizes], dtype=np.int64)
        self.edge = np.concatenate([np.zeros(0), *(curve.edge for curve in each)])
        self.piece = np.zeros((len(self.edge), 5))
        for curve, start in zip(each, self.starts.tolist(), strict=False):
            mine = self.piece[start : start + len(curve.edge)]
            mine[:, 0] = curve.centre
            mine[:, 1 : 1 + curve.coef.shape[1]] = curve.coef

    def log_evidence(self, batch: Table) -> Floats:
        """Rows by classes: the sum over the columns."""
        return self._said(batch, 0, len(self.names))

    def by_column(self, batch: Table) -> Floats:
        """Rows by columns by classes: what each column adds to `log_evidence`."""
        return np.stack([self._said(batch, at, at + 1) for at in range(len(self.names))], axis=1)

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return (len(self.starts) - 1) // max(len(self.names), 1)

    def _said(self, batch: Table, first: int, last: int) -> Floats:
        columns = [batch.column(name) for name in self.names[first:last]]
        out = np.zeros((len(batch), self.classes))
        if add_rows(columns, self._of(first, last), self.logs, out):
            for name, column in zip(self.names[first:last], columns, strict=True):
                refuse_infinite(name, column)
        return out

    def _of(self, first: int, last: int) -> Packed:
        """The curves of some columns, laid out for the kernel."""
        made: dict[tuple[int, int], Packed] = vars(self).setdefault("_packed", {})
        if (first, last) not in made:
            starts = self.starts[first * self.classes : last * self.classes + 1]
            mine = slice(starts[0], starts[-1])
            made[first, last] = pack(
                self.origin[first:last],
                self.unit[first:last],
                starts - starts[0],
                self.edge[mine],
                self.piece[mine],
            )
        return made[first, last]
