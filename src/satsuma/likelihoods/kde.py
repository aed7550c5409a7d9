"""KDE: in each class, numbers are as dense as kernels about those that were seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.data.fields import Flag, FloatArray
from satsuma.data.schema import Schema
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError, check_choice, check_number
from satsuma.kernels.threads import map_tiles
from satsuma.likelihoods.block import Block, Line
from satsuma.likelihoods.curves import Curve, Curves, ScaledColumn
from satsuma.likelihoods.kernel_density import (
    KERNELS,
    POINTS,
    compact_density,
    gaussian_density,
    lattice_points,
)
from satsuma.measures.bandwidth import RULES, bandwidth
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.values import Values

#: Points in each piece of a density, where it is summed up to draw from it.
FINER = 8


class Densities(Curves):
    """The density of the numbers of each class, for each column.

    Parameters
    ----------
    names
        The columns.
    origin, unit, curves
        As in `Curves`.
    width
        The bandwidth, by column and class; infinite where nothing is said.
    logs
        Whether the curves are logarithms.
    """

    schema: ClassVar[Schema] = Schema(
        width=FloatArray("names", "classes", low=0, infinite=True), logs=Flag()
    )

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """There is a bandwidth for each class."""
        super().check_columns(variables, classes)
        if self.width.shape[1:] != (classes,) and len(self.names):
            raise ReadError("Densities has the bandwidths of other classes")

    def __init__(
        self,
        names: tuple[str, ...],
        origin: Floats,
        unit: Floats,
        curves: list[list[Curve]],
        width: Floats,
        *,
        logs: bool,
    ) -> None:
        super().__init__(names, origin, unit, curves)
        self.width, self.logs = width, logs

    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """Where the density is highest, and the bandwidth, in each class."""
        at = self.names.index(variable.name)
        told = [
            f"peak {self._peak(at, code):.4g}, width {width:.3g}"
            if np.isfinite(width)
            else "says nothing"
            for code, width in enumerate(self.width[at, :classes])
        ]
        return [(variable.name, told)]

    def sample(self, classes: Codes, rng: np.random.Generator) -> dict[str, Array]:
        """Numbers from the densities of these classes, by column."""
        drawn = rng.random((len(self.names), len(classes)))
        cells = np.full(drawn.shape, np.nan)
        for at in range(len(self.names)):
            for code in np.unique(classes):
                if np.isfinite(self.width[at, code]):  # infinite where nothing is said
                    mine = classes == code
                    cells[at, mine] = self._quantiles(at, int(code), drawn[at, mine])
        return dict(zip(self.names, cells, strict=True))

    def _quantiles(self, at: int, code: int, shares: Floats) -> Floats:
        """Numbers below which there are certain shares of a class."""
        curve = at * self.classes + code
        mine = slice(self.starts[curve], self.starts[curve + 1])
        # Pieces but the last one, which are narrow wherever numbers are near.
        edge, piece = self.edge[mine][:-1], self.piece[mine][1:]
        place = (edge[:-1, None] + np.arange(FINER) / FINER * np.diff(edge)[:, None]).ravel()
        away = place - np.repeat(piece[:-1, 0], FINER)
        height: Floats = np.zeros(len(place))
        for coef in piece[:-1, :0:-1].T:
            height = height * away + np.repeat(coef, FINER)
        dense = np.exp(height) if self.logs else np.maximum(height, 0.0)
        area: Floats = np.cumsum((dense[1:] + dense[:-1]) * np.diff(place))
        found: Floats = np.interp(
            shares * float(area[-1]), np.concatenate((np.zeros(1), area)), place
        )
        return self.origin[at] + found / self.unit[at]

    def _peak(self, at: int, code: int) -> float:
        curve = at * self.classes + code
        mine = self.piece[self.starts[curve] : self.starts[curve + 1]]
        return float(self.origin[at] + mine[mine[:, 1].argmax(), 0] / self.unit[at])


@dataclass(kw_only=True, frozen=True)
class KDE(Block):
    """Numbers have, in each class, the density of kernels about those that were seen.

    Columns are independent given the class. A missing number says nothing, and neither does one
    in a class without any known number in its column. With a kernel that ends somewhere, a number
    that none reaches vetoes the class; if it is out of the reach of every class, it says nothing.

    Parameters
    ----------
    kernel
        ``gaussian_density``, or one that ends: ``triangular``, ``epanechnikov``, ``uniform``,
        ``biweight``, ``triweight``, ``cosine`` (a cosine from -π/2 to π/2).
    bandwidth
        The standard deviation of the kernel: a number, or a rule that finds one for each class:
        ``nrd0``, ``scott`` or ``silverman``; see `satsuma.measures.bandwidth.bandwidth`.
    columns
        Their names; all columns of numbers that no other block takes, unless given.

    Notes
    -----
    A class whose numbers are all the same has the bandwidth that the rule gives for the spread of
    the whole column. A column that never varies says nothing.

    The Gaussian kernel is summed through binning, with an error below 1e-4 of the highest density
    of the class, and the others exactly. Far from all numbers, the logarithm of the density falls
    like that of the nearest kernel. All distinct numbers are kept in learning, by a tally that
    adds up.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma import KDE, Table
    >>> from satsuma.extend import Values
    >>> days = Table.of([(30, "no"), (20, "yes"), (24, "yes")], ["heat", "play"])
    >>> said = KDE(bandwidth=1).conclude(Values.of(days))
    >>> np.exp(said.log_evidence(days)).round(3).tolist()
    [[0.399, 0.0], [0.0, 0.2], [0.0, 0.2]]
    """

    kernel: str = "gaussian"
    bandwidth: str | float = "nrd0"
    columns: tuple[str, ...] | None = None

    kinds: ClassVar[tuple[str, ...]] = ("num",)
    tally_kind: ClassVar[type[Values]] = Values
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """A kernel that there is, and a rule or a positive number."""
        check_choice(self, "kernel", ("gaussian", *KERNELS))
        if isinstance(self.bandwidth, str):
            check_choice(self, "bandwidth", RULES)
        else:
            check_number(self, "bandwidth", low=np.finfo(float).tiny)

    def conclude(self, tally: Values) -> Densities:
        """The density of each class in each column."""

        def of_columns(lo: int, hi: int) -> list[tuple[list[Curve], list[float]]]:
            return [self._curves(each) for each in columns[lo:hi]]

        wide = 0.0 if isinstance(self.bandwidth, str) else float(self.bandwidth)
        pairs = zip(tally.names, tally.runs, strict=True)
        columns = [ScaledColumn(name, runs, wide) for name, runs in pairs]
        made = [each for tile in map_tiles(of_columns, len(columns), 1) for each in tile]
        return Densities(
            tally.names,
            np.array([column.origin for column in columns]),
            np.array([column.unit for column in columns]),
            [curves for curves, _ in made],
            np.array([widths for _, widths in made]),
            logs=self.kernel == "gaussian",
        )

    def _curves(self, column: ScaledColumn) -> tuple[list[Curve], list[float]]:
        """The curve of each class, and its bandwidth."""
        logs = self.kernel == "gaussian"
        curves = [Curve.constant(0.0 if logs else 1.0) for _ in column.runs]
        widths = [np.inf for _ in column.runs]
        for code, (value, weight) in enumerate(column.runs):
            if len(value) and column.range > 0:
                width = self._width(column, value, weight)
                if logs:
                    curve = gaussian_density(value, weight, width)
                    curve.coef[:, 0] += np.log(column.unit)
                else:
                    curve = compact_density(self.kernel, value, weight, width)
                    # Beyond, densities are no floats; they stay as they are to each other.
                    factor = np.clip(column.unit, 2.0**-800, 2.0**800)
                    curve = curve._replace(coef=curve.coef * factor)
                curves[code], widths[code] = curve, width / column.unit
        return curves, widths

    def _width(self, column: ScaledColumn, value: Floats, weight: Floats) -> float:
        if isinstance(self.bandwidth, str):
            width = bandwidth(self.bandwidth, value, weight)
            if not width:
                width = _of_all(self.bandwidth, column, float(weight.sum()))
            while self.kernel == "gaussian" and lattice_points(value, width) > POINTS:
                width *= 2
        else:
            width = self.bandwidth * column.unit
            if self.kernel == "gaussian" and lattice_points(value, width) > POINTS:
                raise DomainError(
                    f"A bandwidth of {self.bandwidth:g} is too narrow for column {column.name!r}, "
                    f"where a class has numbers {(value[-1] - value[0]) / column.unit:g} apart. "
                    f"Use a wider one, or a rule: bandwidth='nrd0'."
                )
        # Beneath that, floats are too far apart.
        return max(width, 64 * np.finfo(float).eps)


def _of_all(rule: str, column: ScaledColumn, weight: float) -> float:
    """What a rule gives for the numbers of all classes, if they weighed so much together."""
    value, weights = column.merged()
    return bandwidth(rule, value, weights.sum(axis=1)) * (weights.sum() / weight) ** 0.2
