"""Curves: what a number says about each class, as functions made of pieces of polynomials."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.fields import Flag, FloatArray, IntArray, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels.curves import Packed, add_rows, pack
from satsuma.likelihoods.block import Evidence
from satsuma.numerics.arrays import Floats
from satsuma.tallies.runs import Run, Runs


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

    schema: ClassVar[Schema] = Schema(
        "curves",
        "pieces",
        origin=FloatArray("names"),
        unit=FloatArray("names", low=np.finfo(float).tiny),
        starts=IntArray("curves+1", dtypes=(np.int64,)),
        edge=FloatArray("pieces", infinite=True),
        piece=FloatArray("pieces", 5, infinite=True),
        logs=Maybe(Flag(), optional=True),
    )
    column_kind: ClassVar[str | None] = "num"

    def check_state(self) -> None:
        """Curves share out the pieces, and each ends at infinity; a density is not negative."""
        ends = self.starts[1:] - 1
        if (
            self.starts[0] != 0
            or self.starts[-1] != len(self.edge)
            or (ends < self.starts[:-1]).any()
        ):
            raise ReadError(f"the curves of {type(self).__name__} do not share out their pieces")
        inner = np.ones(len(self.edge), bool)
        inner[ends] = False
        rising = np.append(self.edge[1:] >= self.edge[:-1], True)
        if not (self.edge[ends] == np.inf).all() or not rising[inner].all():
            raise ReadError(f"a curve of {type(self).__name__} does not end at infinity")
        if (
            not np.isfinite(self.edge[inner]).all()
            or not np.isfinite(self.piece[:, [0, 2, 3, 4]]).all()
        ):
            raise ReadError(f"the pieces of {type(self).__name__} must be finite")
        if (self.piece[:, 1] == np.inf).any():
            raise ReadError(f"a curve of {type(self).__name__} is infinite")

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """There is a curve for each column and class."""
        super().check_columns(variables, classes)
        if len(self.starts) - 1 != len(self.names) * classes:
            raise ReadError(f"{type(self).__name__} has the curves of other classes")

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

    def packed(self) -> Packed:
        """All curves, laid out for the kernel."""
        return self._of(0, len(self.names))

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


class ScaledColumn:
    """The numbers of each class, less one of them, and brought below 1 by a power of two.

    So the squares of the largest are floats, and those far from zero that hardly differ are told
    apart.

    Parameters
    ----------
    name
        The column.
    runs
        Its numbers.
    wide
        A difference that is to be brought below 1 as well.

    Examples
    --------
    >>> column = ScaledColumn("x", Runs.of([(np.array([5.0, 6.0, 9.0]), np.ones(3))]))
    >>> column.origin, column.unit, column.runs[0][0].tolist()
    (6.0, 0.25, [-0.25, 0.0, 0.75])
    """

    def __init__(self, name: str, runs: Runs, wide: float = 0.0) -> None:
        self.name, self._all = name, runs
        each = [runs.of_class(code) for code in range(len(runs.starts) - 1)]
        longest = max([np.zeros(1), *(value for value, _ in each)], key=len)
        ends = [x for value, _ in each if len(value) for x in (value[0], value[-1])] or [0.0]
        low, high = float(min(ends)), float(max(ends))
        self.origin = float(longest[len(longest) // 2])
        if high / 2 - low / 2 > np.finfo(float).max / 4:
            self.origin = 0.0  # a difference might be no float
        exponent = int(np.frexp(max(high - self.origin, self.origin - low, wide))[1])
        self.unit = float(np.ldexp(1.0, -max(exponent, -1000)))
        self.range = (high - self.origin) * self.unit - (low - self.origin) * self.unit
        self.runs: list[Run] = [(self._scaled(value), weight) for value, weight in each]

    def _scaled(self, value: Floats) -> Floats:
        return (value - self.origin) * self.unit

    def merged(self) -> tuple[Floats, Floats]:
        """The distinct numbers of all classes, and an array (distinct, classes) of weights."""
        value, weight = self._all.merged()
        return self._scaled(value), weight
