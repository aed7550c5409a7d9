"""Gaussian: in each class, a number is spread about a mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.data.fields import FloatArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, check_number
from satsuma.kernels.posterior import Joint
from satsuma.kernels.tally import GroupMoments
from satsuma.kernels.tally import spreads as kernel_spreads
from satsuma.likelihoods.block import Block, Evidence, Line
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.moments import Moments

#: The least variance of a class, as a share of the variance of the column: where the class varies,
#: and where all that was seen of it is the same number.
FLOOR, FLOOR_OF_ONE = 1e-9, 0.1


class Gaussians(Evidence):
    """The Gaussian of each class in each of some columns, taken as independent.

    Parameters
    ----------
    names
        The columns.
    mean, sd
        (classes, columns). A spread of infinity says nothing.
    """

    schema: ClassVar[Schema] = Schema(
        mean=FloatArray("classes", "names"),
        sd=FloatArray("classes", "names", low=np.finfo(float).tiny, infinite=True),
    )
    column_kind: ClassVar[str | None] = "num"

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """There is a mean for each class."""
        super().check_columns(variables, classes)
        if len(self.mean) != classes:
            raise ReadError("Gaussians has the means of other classes")

    def __init__(self, names: tuple[str, ...], mean: Floats, sd: Floats) -> None:
        self.names, self.mean, self.sd = names, mean, sd

    def log_evidence(self, batch: Table) -> Floats:
        """Rows by classes: the logarithm of the density of what the columns show."""
        return self._joint(slice(None)).log_joint([batch.column(n) for n in self.names], [])

    def by_column(self, batch: Table) -> Floats:
        """Rows by columns by classes: what each column adds to `log_evidence`."""
        each = [
            self._joint(slice(at, at + 1)).log_joint([batch.column(name)], [])
            for at, name in enumerate(self.names)
        ]
        return np.stack(each, axis=1)

    def _joint(self, which: slice) -> Joint:
        none = np.zeros(len(self.mean))
        return Joint(none, self.mean[:, which], self.sd[:, which], [])

    def sample(self, classes: Codes, rng: np.random.Generator) -> dict[str, Array]:
        """Numbers from the Gaussians of these classes, by column."""
        drawn = rng.standard_normal((len(self.names), len(classes)))
        spread = np.where(np.isfinite(self.sd), self.sd, np.nan)  # infinite where nothing is said
        cells = self.mean[classes].T + spread[classes].T * drawn
        return dict(zip(self.names, cells, strict=True))

    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """The mean and the spread in each class."""
        at = self.names.index(variable.name)
        pairs = zip(self.mean[:classes, at], self.sd[:classes, at], strict=True)
        told = [f"{m:.4g} ± {sd:.3g}" if np.isfinite(sd) else "says nothing" for m, sd in pairs]
        return [(variable.name, told)]


@dataclass(kw_only=True, frozen=True)
class Gaussian(Block):
    """Numbers have a Gaussian in each class, and columns are independent given the class.

    A missing number says nothing, and neither does one in a class without any known number in
    its column.

    Parameters
    ----------
    columns
        Their names; all columns of numbers that no other block takes, unless given.
    m
        The spread of a class counts as if so many imaginary rows had shown that of the whole
        column: of a class of few rows nobody knows how far its numbers are spread, and a row or
        two beside each other would make all that is elsewhere impossible.

    Notes
    -----
    The spread is over n - 1 (over half the weight, where the class weighs less than two rows). The
    variance is at least 1e-9 of the variance of the whole column. A class in which the column never
    varies, or of a single row, gets a tenth of that variance: that another number has not been seen
    yet does not make it impossible. A column that never varies in any class says nothing.

    Examples
    --------
    >>> from satsuma import Gaussian, Table
    >>> from satsuma.extend import Moments
    >>> days = Table.of([(30, "no"), (20, "yes"), (24, "yes")], ["heat", "play"])
    >>> Gaussian().conclude(Moments.of(days)).mean.tolist()
    [[30.0], [22.0]]
    >>> for m in (0, 4):
    ...     print(Gaussian(m=m).conclude(Moments.of(days)).sd.round(2).tolist())
    [[1.59], [2.83]]
    [[4.75], [4.68]]
    """

    columns: tuple[str, ...] | None = None
    m: float = 0.0

    kinds: ClassVar[tuple[str, ...]] = ("num",)
    tally_kind: ClassVar[type[Moments]] = Moments
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """The weight of the prior is a number from 0 on."""
        check_number(self, "m", low=0)

    def conclude(self, tally: Moments) -> Gaussians:
        """The mean and the spread of each class in each column."""
        return Gaussians(tally.names, tally.mean, spreads(tally, self.m))


def spreads(moments: Moments | GroupMoments, m: float = 0.0) -> Floats:
    """The standard deviation by class and column; infinite where nothing is known.

    Parameters
    ----------
    moments
        Of the columns, by class.
    m
        How many imaginary rows each class has that are spread as the whole column is.
    """
    held = moments.held if isinstance(moments, Moments) else moments
    return kernel_spreads(held, m, (FLOOR, FLOOR_OF_ONE))
